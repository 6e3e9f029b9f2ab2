/** Reports as rows of a file. */
import { toAmount } from '../../platform/text/money.ts'
import { revenueOf, type SalesFigures } from '../../reports/sales/report/model.ts'
import type { Places, SalesReport } from '../../reports/sales/report/service.ts'
import type { StatementView } from '../../reports/sales/statement/schemas.ts'
import type { CsvRow } from '../frame/csv.ts'

const figuresHead = [
  ...[
    'Currency',
    'Bookings',
    'Guests',
    'Sold',
    'CancelledBookings',
    'CancelledGuests',
    'Cancelled',
    'Revenue',
  ],
  ...['Refunded', 'NoShowGuests', 'CheckedInGuests', 'Owed', 'Commission'],
]
const placesHead = ['Capacity', 'Booked']

function figuresRow(currency: string, figures: SalesFigures): CsvRow {
  const amount = (minor: bigint) => numeric(toAmount(minor, currency))
  return [
    ...[currency, figures.bookings, figures.guests, amount(figures.sold), figures.cancelledBookings],
    ...[figures.cancelledGuests, amount(figures.cancelled), amount(revenueOf(figures))],
    ...[amount(figures.refunded), figures.noShowGuests, figures.checkedInGuests],
    ...[amount(figures.owed), amount(figures.commission)],
  ]
}

/** What is less than 0 is a number to a spreadsheet, and no text that could be a formula. */
function numeric(amount: string): string | number {
  return amount.startsWith('-') ? Number(amount) : amount
}

function placesRow(places: Places | null): CsvRow {
  return [places?.capacity ?? null, places?.booked ?? null]
}

/** A row for each period and currency that has any sales. */
export async function* periodRows({ periods }: SalesReport): AsyncGenerator<CsvRow> {
  yield ['From', 'To', ...figuresHead, ...placesHead]
  for (const { from, to, sums, places } of periods)
    for (const { currency, figures } of sums)
      yield [from, to, ...figuresRow(currency, figures), ...placesRow(places)]
}

/** A row for each group and currency. */
export async function* groupRows({ groups }: SalesReport): AsyncGenerator<CsvRow> {
  const before = figuresHead.slice(1).map((name) => `${name}Before`)
  yield ['ID', 'Name', ...figuresHead, ...before, ...placesHead]
  for (const { id, name, currency, now, before, places } of groups)
    yield [
      id,
      name,
      ...figuresRow(currency, now),
      ...figuresRow(currency, before).slice(1),
      ...placesRow(places),
    ]
}

/** A row for each booking of a statement, read page by page. */
export async function* statementRows(
  first: StatementPage,
  more: (cursor: string) => Promise<StatementPage>,
): AsyncGenerator<CsvRow> {
  yield [
    'BookingReference',
    'Status',
    'ProductName',
    'Date',
    'Time',
    'SoldAt',
    'Participants',
    'Currency',
    'Total',
    'Commission',
    'Owed',
  ]
  for (let page: StatementPage | null = first; page; page = page.next ? await more(page.next) : null)
    for (const row of page.view.Bookings)
      yield [
        ...[
          row.BookingReference,
          row.Status,
          row.ProductName,
          row.Date,
          row.Time,
          row.SoldAt,
          row.Participants,
        ],
        ...[row.Total.Currency, row.Total.Amount, row.Commission?.Amount ?? null, row.Owed?.Amount ?? null],
      ]
}

export type StatementPage = { view: StatementView; next: string | null }
