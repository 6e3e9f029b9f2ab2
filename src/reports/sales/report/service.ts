/** Reads the sales report: what was sold in a range and its periods, by groups, with the range before. */
import { problems } from '../../../http/problems.ts'
import type { Sql } from '../../../platform/postgres/database.ts'
import { findStale } from '../totals/mark-queries.ts'
import { findFilled } from '../totals/recount-queries.ts'
import {
  addFigures,
  listPeriods,
  maxPeriods,
  maxReportDays,
  noFigures,
  periodBefore,
  type ReportBasis,
  type ReportGroup,
  type ReportRange,
  type ReportStep,
  rangeBefore,
  type SalesFigures,
} from './model.ts'
import * as queries from './queries.ts'

export type ReportRequest = {
  range: ReportRange
  step: ReportStep
  basis: ReportBasis
  group: ReportGroup | null
  filter: queries.ReportFilter
}

export type Places = { capacity: number; booked: number }

export type CurrencyFigures = { currency: string; now: SalesFigures; before: SalesFigures }
export type CurrencySums = { currency: string; figures: SalesFigures }[]
export type PeriodReport = ReportRange & {
  sums: CurrencySums
  /** The days of the previous range with which this period is compared. */
  before: ReportRange & { sums: CurrencySums }
  /** Null where places are not counted: by day of sale, and for a channel or a partner. */
  places: Places | null
}
export type GroupReport = CurrencyFigures & {
  id: number | null
  name: string
  /** Null as for a period, and for groups other than products. */
  places: Places | null
}

export type SalesReport = {
  before: ReportRange
  totals: CurrencyFigures[]
  places: { now: Places; before: Places } | null
  periods: PeriodReport[]
  groups: GroupReport[]
  freshness: Freshness
}

/**
 * How current the totals are: the first day from which all days have been counted (null if every day has been
 * counted), and the results of findStale().
 */
export type Freshness = { completeFrom: string | null; staleDays: number; waitingEvents: number }

/** @throws Problem validation for a range that ends before it begins, is too long, or has too many periods. */
export async function reportSales(
  sql: Sql,
  accountId: number,
  { range, step, basis, group, filter }: ReportRequest,
): Promise<SalesReport> {
  if (range.to < range.from) throw invalid('To', 'must not be before the first day')
  const periods = listPeriods(range, step)
  if (!periods)
    throw invalid(
      'To',
      `must be less than ${maxReportDays} days after \`From\`, with at most ${maxPeriods} periods`,
    )
  const before = rangeBefore(range)
  const earlier = periods.map((period) => periodBefore(range, period))
  const subject = { accountId, basis, filter }
  const hasPlaces = basis === 'travel' && filter.channel === undefined && filter.partnerId === undefined
  // One snapshot, so that the parts add up.
  return sql.begin('isolation level repeatable read read only', async (tx) => {
    const sums = await queries.sumPeriods(tx, subject, [...periods, ...earlier])
    const groups = group ? await queries.sumGroups(tx, subject, { group, periods: [range, before] }) : []
    const places = hasPlaces ? await queries.sumPlaces(tx, subject, [range, before, ...periods]) : null
    const [stale] = await findStale(tx, accountId)
    const [filled] = await findFilled(tx, accountId)
    const placesAt = (place: number, productId: number | null): Places => {
      const found = places?.find((row) => row.place === place && row.productId === productId)
      return { capacity: found?.capacity ?? 0, booked: found?.booked ?? 0 }
    }
    return {
      before,
      totals: totalsOf(sums, periods.length),
      places: places && { now: placesAt(0, null), before: placesAt(1, null) },
      periods: periods.map((period, place) => ({
        ...period,
        sums: sumsAt(sums, place),
        before: { ...earlier[place]!, sums: sumsAt(sums, periods.length + place) },
        places: places && placesAt(place + 2, null),
      })),
      groups: groupsOf(groups).map((one) => ({
        ...one,
        places: places && group === 'product' ? placesAt(0, one.id) : null,
      })),
      freshness: {
        completeFrom: filled?.filledFrom ?? null,
        staleDays: stale!.days,
        waitingEvents: stale!.events,
      },
    }
  })
}

function invalid(field: string, message: string) {
  return problems.validation([{ field, message }])
}

function figuresOf({ place, currency, ...figures }: queries.PeriodSums): SalesFigures {
  return figures
}

function sumsAt(sums: readonly queries.PeriodSums[], at: number): CurrencySums {
  return sums
    .filter(({ place }) => place === at)
    .map((row) => ({ currency: row.currency, figures: figuresOf(row) }))
}

/**
 * Adds up the periods of the range, and those of the range before, by currency.
 * @param beforeAt the position of the first period of the range before.
 */
function totalsOf(sums: readonly queries.PeriodSums[], beforeAt: number): CurrencyFigures[] {
  const currencies = [...new Set(sums.map(({ currency }) => currency))].sort()
  const sumOf = (currency: string, isMeant: (place: number) => boolean) =>
    sums
      .filter((row) => row.currency === currency && isMeant(row.place))
      .map(figuresOf)
      .reduce(addFigures, noFigures)
  return currencies.map((currency) => ({
    currency,
    now: sumOf(currency, (place) => place < beforeAt),
    before: sumOf(currency, (place) => place >= beforeAt),
  }))
}

/** The groups, sorted by currency, and in each currency by revenue, highest first. */
function groupsOf(sums: readonly queries.GroupSums[]): Omit<GroupReport, 'places'>[] {
  const groups = new Map<string, Omit<GroupReport, 'places'>>()
  for (const { id, name, ...row } of sums) {
    const key = `${row.currency} ${id} ${name}`
    const known = groups.get(key) ?? { id, name, currency: row.currency, now: noFigures, before: noFigures }
    groups.set(key, { ...known, [row.place === 0 ? 'now' : 'before']: figuresOf(row) })
  }
  const isLess = (one: SalesFigures, other: SalesFigures) =>
    one.sold - one.cancelled < other.sold - other.cancelled
  return [...groups.values()].sort((one, other) => {
    if (one.currency !== other.currency) return one.currency < other.currency ? -1 : 1
    if (isLess(one.now, other.now)) return 1
    return isLess(other.now, one.now) ? -1 : one.name < other.name ? -1 : 1
  })
}
