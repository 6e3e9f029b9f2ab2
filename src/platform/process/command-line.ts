/**
 * Code that all commands share: the database, lists and text on standard output, and the style of help. It
 * knows no command.
 */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { Help, type HelpConfiguration, InvalidArgumentError, type Option } from 'commander'
import { type Config, readConfig } from '../config/config.ts'
import { withDatabaseUrl } from '../embedded/local-database.ts'
import { openDatabase, type Sql } from '../postgres/database.ts'
import { isCalendarDate } from '../text/calendar.ts'
import { oneLine } from './explain.ts'

/**
 * Opens the configured database. If it is the embedded one, applies missing migrations first: no deployment step
 * does it there.
 * @param onSignal as for withDatabaseUrl().
 */
export function withDatabase<T>(
  use: (sql: Sql, config: Config) => Promise<T>,
  onSignal: 'exit' | 'continue' = 'exit',
): Promise<T> {
  const config = readConfig()
  const lend = async (url: string) => {
    // Loaded only for the embedded database, and by the command `migrate`.
    const isOurs = !config.DATABASE_DIRECT_URL && !config.DATABASE_URL
    if (isOurs) await (await import('../postgres/migrations.ts')).migrate(url)
    const sql = openDatabase(url, { poolSize: 1, applicationName: 'abs-cli' })
    try {
      return await use(sql, config)
    } finally {
      await sql.end({ timeout: 5 })
    }
  }
  return withDatabaseUrl(config, lend, onSignal)
}

/**
 * Writes text and a line end. Resolves when both are written, or the reader has closed its end, as `head`
 * does.
 */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(`${text}\n`, (error) => {
      const code = (error as NodeJS.ErrnoException | null | undefined)?.code
      if (!error || code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED') resolve()
      else reject(error)
    })
  })
}

/** A number with the words that go with it, such as `1 total is` and `2 totals are`. */
export function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`
}

/**
 * Asks on standard error for a line that the terminal does not show, such as a password; without a terminal,
 * reads one from standard input.
 */
export async function askSecretly(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const isTerminal = process.stdin.isTTY === true
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTerminal })
  if (isTerminal) process.stderr.write(question)
  try {
    const { value } = await lines[Symbol.asyncIterator]().next()
    return value ?? ''
  } finally {
    lines.close()
    if (isTerminal) process.stderr.write('\n')
  }
}

type Cell = string | number | Date | null | readonly string[]
type RecordFields = Record<string, Cell>

/** Prints records as an aligned table with these columns, or as JSON for programs. */
export function printList(
  columns: readonly string[],
  records: RecordFields[],
  asJson = false,
): Promise<void> {
  if (asJson) return print(JSON.stringify(records, null, 2))
  const rows = [columns.map(heading), ...records.map((record) => cells(columns, record))]
  const widths = columns.map((_, index) => rows.reduce((most, row) => Math.max(most, row[index]!.length), 0))
  const lines = rows.map((row) => row.map((cell, index) => cell.padEnd(widths[index]!)).join('  '))
  return print(lines.map((line) => line.trimEnd()).join('\n'))
}

function heading(column: string): string {
  return column.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toUpperCase()
}

function cells(columns: readonly string[], record: RecordFields): string[] {
  return columns.map((column) => {
    const value = record[column] ?? '-'
    if (value instanceof Date) return `${value.toISOString().slice(0, 19).replace('T', ' ')}Z`
    return oneLine(String(value))
  })
}

/** A parser of an option or argument that accepts a calendar date. */
export const dayArgument = checked(isCalendarDate, 'a calendar date, YYYY-MM-DD')

/**
 * A parser of an option or argument that checks text with a schema's pattern, and fails with the schema's
 * message.
 */
export function patterned(schema: object): (text: string) => string {
  const { pattern, errorMessage } = schema as { pattern: string; errorMessage: string }
  return checked((text) => new RegExp(pattern, 'u').test(text), errorMessage.replace(/^must be /, ''))
}

/** The style of `--help` for all commands: it marks an option that is required. */
export const helpStyle: HelpConfiguration = {
  optionDescription(option: Option) {
    const description = new Help().optionDescription(option)
    return option.mandatory ? `${description} Required.` : description
  },
}

/** A parser of an option or argument that accepts whole numbers from 1 to `most`. */
export function wholeNumber(most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : 0
    if (value < 1 || value > most)
      throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`)
    return value
  }
}

/**
 * A parser of an option or argument that accepts text for which `test` returns true. `rule` completes the
 * error message "It must be …".
 */
export function checked<T extends string>(
  test: (text: string) => boolean,
  rule: string,
): (text: string) => T {
  return (text) => {
    if (!test(text)) throw new InvalidArgumentError(`It must be ${rule}.`)
    return text as T
  }
}
