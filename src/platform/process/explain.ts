/** Describes a failure in one line, for the person at the terminal. */
import { isConnectionLost } from '../postgres/errors.ts'

/** Text without line ends and control characters, which could break a table or control a terminal. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

// Errors of PostgreSQL when the schema is missing, or older than the query: unknown table, column, function
// or schema.
const unmigrated = new Set(['42P01', '42703', '42883', '3F000'])

export function explain(error: unknown): string {
  const { message, code, errors } = error as { message?: string; code?: string; errors?: Error[] }
  // For a host with several addresses, Node wraps one error for each in an error without a message.
  const text = oneLine(message || errors?.[0]?.message || code || String(error))
  if (isConnectionLost(error)) return `PostgreSQL cannot be reached: ${text}`
  if (code && unmigrated.has(code)) {
    return `the database is not migrated to this version, run \`npm run --silent cli -- migrate\` (${text})`
  }
  return text
}
