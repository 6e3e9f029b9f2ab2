/** Tables as files (RFC 4180) that a spreadsheet opens without taking any text in them for a formula. */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Sends rows as they come; what has been sent needs no memory. The first is the head of the table. */
export function sendCsv(
  reply: FastifyReply,
  filename: string,
  rows: AsyncIterable<readonly (string | number | null)[]>,
): FastifyReply {
  return reply
    .headers({
      'content-disposition': `attachment; filename="${filename}"`,
      'cache-control': 'no-store',
    })
    .type('text/csv; charset=utf-8')
    .send(Readable.from(lines(rows)))
}

async function* lines(rows: AsyncIterable<readonly (string | number | null)[]>): AsyncGenerator<string> {
  // By this mark spreadsheets know that it is UTF-8.
  yield '\uFEFF'
  for await (const row of rows) yield `${row.map(toCell).join(',')}\r\n`
}

/** One cell. Text that begins like a formula begins with an apostrophe instead (OWASP: CSV injection). */
export function toCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[\s]*[=+\-@|%\uFF1D\uFF0B\uFF0D\uFF20\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n;']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
