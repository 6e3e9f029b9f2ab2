/** The HTML alternative of a plain text: the same words, with all markup escaped. Pure. */

const links = /https?:\/\/[^\s<>"'`]+/g
// Punctuation at the end of a sentence or parenthesis is rarely part of an address.
const trailing = '.,;:!?)]}'

/** A complete document. Addresses of web pages become links. */
export function textToHtml(title: string, text: string): string {
  const lines = text.split('\n').map(withLinks).join('<br>\n')
  return `<!doctype html>
<html>
<head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body>
${lines}
</body>
</html>
`
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!)
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function withLinks(line: string): string {
  let html = ''
  let end = 0
  for (const { 0: found, index } of line.matchAll(links)) {
    const address = withoutEnd(found)
    const escaped = escapeHtml(address)
    html += `${escapeHtml(line.slice(end, index))}<a href="${escaped}">${escaped}</a>`
    end = index + address.length
  }
  return html + escapeHtml(line.slice(end))
}

/**
 * Removes trailing characters one by one: a pattern would need quadratic time for a long row of full stops.
 */
function withoutEnd(address: string): string {
  let end = address.length
  while (trailing.includes(address.charAt(end - 1))) end--
  return address.slice(0, end)
}
