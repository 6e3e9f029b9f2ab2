/** The HTML of a plain text: the same words, with all markup escaped. Pure. */

const links = /https?:\/\/[^\s<>"'`]+/g
// Punctuation at the end of a sentence or parenthesis is rarely part of an address.
const trailing = '.,;:!?)]}'

/**
 * Returns the HTML of a line of text, in which URLs of web pages become links.
 * @param style the CSS of these links.
 */
export function lineToHtml(line: string, style: string): string {
  let html = ''
  let end = 0
  for (const { 0: found, index } of line.matchAll(links)) {
    const address = withoutEnd(found)
    html += `${escapeHtml(line.slice(end, index))}${linkTo(address, escapeHtml(address), style)}`
    end = index + address.length
  }
  return html + escapeHtml(line.slice(end))
}

/** @param words the content of the link, which is already HTML. */
export function linkTo(address: string, words: string, style: string): string {
  return `<a href="${escapeHtml(address)}" style="${escapeHtml(style)}">${words}</a>`
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

/**
 * Removes trailing characters one by one: a pattern would need quadratic time for a long row of full stops.
 */
function withoutEnd(address: string): string {
  let end = address.length
  while (trailing.includes(address.charAt(end - 1))) end--
  return address.slice(0, end)
}
