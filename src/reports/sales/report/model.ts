/** Pure rules of the sales report: its periods, the range it is compared with, and its figures. */
import { addDays, daysBetween, mondayOf } from '../../../platform/text/calendar.ts'

export const reportBases = ['sold', 'travel'] as const
export type ReportBasis = (typeof reportBases)[number]
export const reportSteps = ['day', 'week', 'month', 'season'] as const
export type ReportStep = (typeof reportSteps)[number]
export const reportGroups = ['product', 'channel', 'partner', 'unit', 'method'] as const
export type ReportGroup = (typeof reportGroups)[number]

/** Days, both included. */
export type ReportRange = { from: string; to: string }

export const maxPeriods = 400
export const maxReportDays = 3660

/**
 * The periods of a range in order. The first period begins on the first day of the range, and the last period
 * ends on its last day, so both may be shorter. Null if there are more than 400 periods, or the range has
 * more than 3660 days. Weeks begin on Monday. Seasons have three months, and begin in March, June, September
 * and December.
 */
export function listPeriods({ from, to }: ReportRange, step: ReportStep): ReportRange[] | null {
  if (daysBetween(from, to) >= maxReportDays) return null
  const periods: ReportRange[] = []
  for (let first = from; first <= to; ) {
    if (periods.length === maxPeriods) return null
    const last = lastDayOf(first, step)
    periods.push({ from: first, to: last < to ? last : to })
    if (last >= to) break
    first = addDays(last, 1)
  }
  return periods
}

/** The last day of the period that a day is in. */
export function lastDayOf(day: string, step: ReportStep): string {
  if (step === 'day') return day
  if (step === 'week') return addDays(mondayOf(day), 6)
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  // The month in which the next period begins; 13 and more are in the next year.
  const next = step === 'month' ? month + 1 : (Math.floor(month / 3) + 1) * 3
  const [nextYear, nextMonth] = next > 12 ? [year + 1, next - 12] : [year, next]
  const first = `${String(nextYear).padStart(4, '0')}-${String(nextMonth).padStart(2, '0')}-01`
  return nextYear > 9999 ? '9999-12-31' : addDays(first, -1)
}

/** The range that ends just before a range and has the same number of days. */
export function rangeBefore({ from, to }: ReportRange): ReportRange {
  const days = daysBetween(from, to) + 1
  return { from: addDays(from, -days), to: addDays(from, -1) }
}

/**
 * The days of the previous range with which a period is compared. They have the same distance from the start
 * of the previous range as the period has from the start of its range.
 */
export function periodBefore({ from, to }: ReportRange, period: ReportRange): ReportRange {
  const days = daysBetween(from, to) + 1
  return { from: addDays(period.from, -days), to: addDays(period.to, -days) }
}

/** What was sold in one currency. Amounts are exact, in minor units. */
export type SalesFigures = {
  bookings: number
  guests: number
  sold: bigint
  cancelledBookings: number
  cancelledGuests: number
  cancelled: bigint
  /** The refunds that were decided, for cancelled and changed bookings and for overpaid money. */
  decided: bigint
  /** How much of `decided` has been paid back. */
  paidBack: bigint
  /** The money that the operator keeps, of cancelled and changed bookings and of overpaid money. */
  kept: bigint
  noShowGuests: number
  checkedInGuests: number
  owed: bigint
  commission: bigint
  /**
   * The price of valid partner bookings that were sold without terms: what partners owe for them is unknown.
   */
  withoutTerms: bigint
}

export const noFigures: SalesFigures = {
  ...{
    bookings: 0,
    guests: 0,
    sold: 0n,
    cancelledBookings: 0,
    cancelledGuests: 0,
    cancelled: 0n,
    decided: 0n,
    paidBack: 0n,
    kept: 0n,
  },
  ...{ noShowGuests: 0, checkedInGuests: 0, owed: 0n, commission: 0n, withoutTerms: 0n },
}

/** The price of the valid bookings: those that were sold and not cancelled. */
export function revenueOf({ sold, cancelled }: Pick<SalesFigures, 'sold' | 'cancelled'>): bigint {
  return sold - cancelled
}

/** The price of the valid bookings plus the kept money. */
export function incomeOf(figures: Pick<SalesFigures, 'sold' | 'cancelled' | 'kept'>): bigint {
  return revenueOf(figures) + figures.kept
}

/** The amount still to be paid back. */
export function refundsDueOf({ decided, paidBack }: Pick<SalesFigures, 'decided' | 'paidBack'>): bigint {
  return decided - paidBack
}

/**
 * Whether the amount that partners owe, and their commission, are unknown, because all their valid bookings were
 * sold without terms. Each of the two may be 0 under terms: with a commission of 100 %, nothing is owed.
 */
export function isOwedUnknown({
  owed,
  commission,
  withoutTerms,
}: Record<'owed' | 'commission' | 'withoutTerms', bigint | number>): boolean {
  return withoutTerms > 0 && Number(owed) === 0 && Number(commission) === 0
}

export function addFigures(one: SalesFigures, other: SalesFigures): SalesFigures {
  const entries = Object.entries(one).map(([name, value]) => {
    const added = other[name as keyof SalesFigures]
    return [name, typeof value === 'bigint' ? value + (added as bigint) : value + Number(added)]
  })
  return Object.fromEntries(entries) as SalesFigures
}

/**
 * The growth of a figure, as a fraction of its old value: 0.5 means 50 % more. Null unless the old value was positive.
 */
export function changeOf(now: number | bigint, before: number | bigint): number | null {
  return Number(before) > 0 ? (Number(now) - Number(before)) / Number(before) : null
}
