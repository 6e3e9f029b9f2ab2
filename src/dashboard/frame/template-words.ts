/** Rewrites the errors of the template engine for users who write e-mails. Pure. */

const words: [RegExp, (name: string) => string][] = [
  [
    /^undefined variable: (\S+)/,
    (name) => `names {{ ${name} }}, which does not exist: see the list of variables`,
  ],
  [/^undefined filter: (\S+)/, (name) => `has a filter “${name}”, which does not exist`],
  [/^output .* not closed/, () => 'has a {{ without its }}'],
  [/^tag "(\S+)" not found/, (name) => `has {% ${name} %}, which does not exist`],
  [/^tag (?:{% *)?(\w+).* not closed/, (name) => `has {% ${name} … %} without its end`],
  [/^invalid value expression: ""/, () => 'has a {{ }} that names nothing'],
  [/^it takes too long to render$/, () => 'takes too long to render'],
]

/**
 * The message about a template that cannot be rendered, in plain words. Any other message is returned
 * unchanged.
 */
export function templateWords(message: string): string {
  const fault = /^(It |)cannot be (?:rendered|written): (.*?)(?:, line:(\d+), col:\d+)?$/.exec(message)
  if (!fault) return message
  const [, subject, text, line] = fault
  const at = line === undefined ? '' : ` (line ${line})`
  for (const [pattern, say] of words) {
    const found = pattern.exec(text!)
    if (found) return `${subject}${say((found[1] ?? '').replace(/,$/, ''))}${at}`
  }
  return `${subject}cannot be read: ${text}${at}`
}
