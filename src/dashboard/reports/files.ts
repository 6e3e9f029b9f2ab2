/** Reports and statements as rows of CSV files. The first row is the head. */
import { hoursText, toPeriods } from '../../catalogue/opening-hours.ts'
import { fold } from '../../platform/text/fold.ts'
import { toAmount, toMoney } from '../../platform/text/money.ts'
import {
  incomeOf,
  isOwedUnknown,
  type ReportGroup,
  refundsDueOf,
  revenueOf,
  type SalesFigures,
} from '../../reports/sales/report/model.ts'
import type { Places, SalesReport } from '../../reports/sales/report/service.ts'
import {
  isTotalUnknown,
  type StatementTotals,
  type StatementView,
  sumsView,
} from '../../reports/sales/statement/schemas.ts'
import type { MonthOwed } from '../../reports/sales/statement/service.ts'
import type { CsvRow } from '../frame/csv.ts'

/** Sold and cancelled amounts have separate columns. */
const figuresHead = [
  ...[
    'Currency',
    'BookingsSold',
    'GuestsSold',
    'Sold',
    'BookingsCancelled',
    'GuestsCancelled',
    'Cancelled',
    'Revenue',
  ],
  ...['Kept', 'Income', 'RefundsDecided', 'PaidBack', 'RefundsDue'],
  ...['NoShowGuests', 'CheckedInGuests', 'Owed', 'Commission', 'WithoutTerms'],
]
const placesHead = ['Capacity', 'Booked']

function figuresRow(currency: string, figures: SalesFigures): CsvRow {
  const amount = (minor: bigint) => numeric(toAmount(minor, currency))
  return [
    ...[currency, figures.bookings, figures.guests, amount(figures.sold), figures.cancelledBookings],
    ...[figures.cancelledGuests, amount(figures.cancelled), amount(revenueOf(figures))],
    ...[amount(figures.kept), amount(incomeOf(figures))],
    ...[amount(figures.decided), amount(figures.paidBack), amount(refundsDueOf(figures))],
    ...[figures.noShowGuests, figures.checkedInGuests],
    ...(isOwedUnknown(figures) ? [null, null] : [amount(figures.owed), amount(figures.commission)]),
    amount(figures.withoutTerms),
  ]
}

/** Negative amounts become numbers, because toCell() would put an apostrophe before text that begins with `-`. */
function numeric(amount: string): string | number {
  return amount.startsWith('-') ? Number(amount) : amount
}

function placesRow(places: Places | null): CsvRow {
  return [places?.capacity ?? null, places?.booked ?? null]
}

/** A row for each period and currency that has any figures. */
export async function* periodRows({ periods }: SalesReport): AsyncGenerator<CsvRow> {
  yield ['From', 'To', ...figuresHead, ...placesHead]
  for (const { from, to, sums, places } of periods)
    for (const { currency, figures } of sums)
      yield [from, to, ...figuresRow(currency, figures), ...placesRow(places)]
}

/** A row for each group and currency. The report by payment method has other columns. */
export async function* groupRows({ groups }: SalesReport, group: ReportGroup): AsyncGenerator<CsvRow> {
  if (group === 'method') return yield* methodRows(groups)
  const head = figuresHead.map((name) => (group === 'unit' ? name.replace('Bookings', 'Units') : name))
  yield ['ID', 'Name', ...head, ...head.slice(1).map(asBefore), ...placesHead]
  for (const { id, name, currency, now, before, places } of groups)
    yield [
      id,
      name,
      ...figuresRow(currency, now),
      ...figuresRow(currency, before).slice(1),
      ...placesRow(places),
    ]
}

function* methodRows(groups: SalesReport['groups']): Generator<CsvRow> {
  const head = ['Payments', 'Paid', 'Refunds', 'PaidBack', 'Net']
  const row = (currency: string, figures: SalesFigures) => {
    const { bookings, sold, cancelledBookings, paidBack } = figures
    const amount = (minor: bigint) => numeric(toAmount(minor, currency))
    return [bookings, amount(sold), cancelledBookings, amount(paidBack), amount(sold - paidBack)]
  }
  yield ['Method', 'Currency', ...head, ...head.map(asBefore)]
  for (const { name, currency, now, before } of groups)
    yield [name, currency, ...row(currency, now), ...row(currency, before)]
}

function asBefore(name: string): string {
  return `${name}Before`
}

/**
 * A row for each booking of a statement, and a row for each currency with the total of the bookings that are
 * not cancelled. In a row with a total, the commission and the owed amount are empty if all these bookings
 * were sold without terms. The bookings are read page by page while the file is sent.
 * @param more reads the page at a cursor.
 */
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
    'OpeningHours',
    'PaymentReference',
  ]
  for (let page: StatementPage | null = first; page; page = page.next ? await more(page.next) : null)
    for (const row of page.view.Bookings.map(withZeroIfCancelled))
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
        ...[
          row.Total.Currency,
          row.Total.Amount,
          row.Commission && numeric(row.Commission.Amount),
          row.Owed?.Amount ?? null,
        ],
        hoursText(toPeriods(row.OpeningHours) ?? []),
        row.PaymentReference,
      ]
  for (const totals of first.view.Totals) {
    const { Currency, Guests, Total } = totals
    yield [
      ...['Total', null, null, null, null, null, Guests, Currency],
      ...[Total.Amount, ...owedCells(totals), null, null],
    ]
  }
}

export type StatedBooking = StatementView['Bookings'][number]

/** The partner owes nothing for a cancelled booking, even if it was sold without terms. */
export function withZeroIfCancelled(row: StatedBooking): StatedBooking {
  if (row.Status !== 'cancelled') return row
  const zero = toMoney(0, row.Total.Currency)
  return { ...row, Commission: row.Commission ?? zero, Owed: row.Owed ?? zero }
}

/**
 * The commission and the owed amount. They are empty if all bookings were sold without terms, because 0 would be wrong.
 */
function owedCells(totals: StatementTotals): CsvRow {
  return isTotalUnknown(totals) ? [null, null] : [numeric(totals.Commission.Amount), totals.Owed.Amount]
}

/** A row for each partner, month and currency. */
export async function* owedRows(months: readonly MonthOwed[]): AsyncGenerator<CsvRow> {
  yield [
    ...['PartnerID', 'Partner', 'Month', 'Currency', 'Bookings', 'CancelledBookings', 'Guests'],
    ...['Total', 'Commission', 'Owed', 'WithoutTerms'],
  ]
  for (const { partnerId, partnerName, month, ...sums } of months) {
    const view = sumsView(sums)
    yield [
      ...[partnerId, partnerName, month, view.Currency, view.Bookings, view.CancelledBookings, view.Guests],
      ...[view.Total.Amount, ...owedCells(view), view.WithoutTerms.Amount],
    ]
  }
}

/** The file name of a statement: the Latin letters and digits of the partner’s name, or else its id, and the month. */
export function statementFileName({ PartnerID, PartnerName }: StatementView, month: string): string {
  const name = fold(PartnerName)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return `statement-${name.slice(0, 60) || PartnerID}-${month}.csv`
}

export type StatementPage = { view: StatementView; next: string | null }
