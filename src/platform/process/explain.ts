/** How a failure reads in one line, for the person at the terminal. */
import { isOutOfReach } from '../postgres/errors.ts'

/** Text without line ends and control characters, which would tear a table or steer a terminal. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

// What PostgreSQL answers when the schema is not there, or is older than the query: an unknown table,
// column, function or schema.
const unmigrated = new Set(['42P01', '42703', '42883', '3F000'])

/** What went wrong, in one line for the person at the terminal. */
export function explain(error: unknown): string {
  const { message, code, errors } = error as { message?: string; code?: string; errors?: Error[] }
  // Node reports a host that has several addresses as an error without a message around one for each.
  const text = oneLine(message || errors?.[0]?.message || code || String(error))
  if (isOutOfReach(error)) return `PostgreSQL cannot be reached: ${text}`
  if (code && unmigrated.has(code)) {
    return `the database is not migrated to this version, run \`npm run --silent cli -- migrate\` (${text})`
  }
  return text
}
