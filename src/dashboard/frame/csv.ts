/** Tables as CSV files (RFC 4180), escaped so that a spreadsheet treats no text as a formula. */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { fileNameIn, modeOf } from './mode.ts'

export type CsvRow = readonly (string | number | null)[]

/** Streams the rows, so that they are not all in memory at once. The first row is the head of the table. */
export function sendCsv(reply: FastifyReply, filename: string, rows: AsyncIterable<CsvRow>): FastifyReply {
  return asCsv(reply, filename).send(Readable.from(lines(rows)))
}

/** Makes the browser save the response as a file. In test mode, the name of the file begins with `test-`. */
export function asCsv(reply: FastifyReply, filename: string): FastifyReply {
  const name = fileNameIn(modeOf(reply.request.originalUrl), filename)
  return reply
    .headers({
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    })
    .type('text/csv; charset=utf-8')
}

async function* lines(rows: AsyncIterable<CsvRow>): AsyncGenerator<string> {
  yield byteOrderMark
  for await (const row of rows) yield toLine(row)
}

/** The mark at the start of a file by which spreadsheets recognise UTF-8. */
export const byteOrderMark = '\uFEFF'

/** A row with its line end. */
export function toLine(row: CsvRow): string {
  return `${row.map(toCell).join(',')}\r\n`
}

/** A cell. An apostrophe is put before text that begins like a formula (OWASP: CSV injection). */
export function toCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[\s]*[=+\-@|%\uFF1D\uFF0B\uFF0D\uFF20\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n;']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
