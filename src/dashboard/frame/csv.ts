/** Tables as files (RFC 4180) that a spreadsheet opens without taking any text in them for a formula. */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { fileNameIn, modeOf } from './mode.ts'

export type CsvRow = readonly (string | number | null)[]

/** Sends rows as they come; what has been sent needs no memory. The first is the head of the table. */
export function sendCsv(reply: FastifyReply, filename: string, rows: AsyncIterable<CsvRow>): FastifyReply {
  return asCsv(reply, filename).send(Readable.from(lines(rows)))
}

/** Has the answer downloaded as a file. */
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

/** What a file begins with: by this mark spreadsheets know that it is UTF-8. */
export const byteOrderMark = '\uFEFF'

/** One row, with its line end. */
export function toLine(row: CsvRow): string {
  return `${row.map(toCell).join(',')}\r\n`
}

/** One cell. Text that begins like a formula begins with an apostrophe instead (OWASP: CSV injection). */
export function toCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[\s]*[=+\-@|%\uFF1D\uFF0B\uFF0D\uFF20\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n;']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
