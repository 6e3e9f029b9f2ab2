/** The HTML alternative of a plain text: the same words, nothing of which is taken as HTML. Pure. */

const links = /https?:\/\/[^\s<>"'`]+/g
// What ends a sentence, or closes a parenthesis around it, is rarely part of an address.
const trailing = '.,;:!?)]}'

/** A whole document; addresses of web pages become links. */
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

/** Character by character: a pattern would look at a long row of full stops again from each of them. */
function withoutEnd(address: string): string {
  let end = address.length
  while (trailing.includes(address.charAt(end - 1))) end--
  return address.slice(0, end)
}
