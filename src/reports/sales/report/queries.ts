/** The SQL of the sales report that sums the daily totals. */
import type { Fragment, Queryable } from '../../../platform/postgres/database.ts'
import type { ReportBasis, ReportGroup, ReportRange, SalesFigures } from './model.ts'

export type ReportFilter = {
  productId?: number | undefined
  channel?: string | undefined
  /** 0 for bookings without a partner. */
  partnerId?: number | undefined
}

type Reported = { accountId: number; basis: ReportBasis; filter: ReportFilter }

/** Ranges of days as a relation `period`, with the position of each. */
function periodsOf(sql: Queryable, periods: readonly ReportRange[]): Fragment {
  return sql`unnest(
    ${periods.map(({ from }) => from)}::date[], ${periods.map(({ to }) => to)}::date[]
  ) with ordinality as period (from_day, to_day, place)`
}

function matchesReport(sql: Queryable, { accountId, basis, filter }: Reported): Fragment {
  const { productId, channel, partnerId } = filter
  return sql`total.account_id = ${accountId} and total.basis = ${basis}
    and total.day between period.from_day and period.to_day
    ${productId === undefined ? sql`` : sql`and total.product_id = ${productId}`}
    ${channel === undefined ? sql`` : sql`and total.channel = ${channel}`}
    ${partnerId === undefined ? sql`` : sql`and total.partner_id = ${partnerId}`}`
}

/** Sums of one period, by position from 0, in one currency. */
export type PeriodSums = SalesFigures & { place: number; currency: string }

const amounts = [
  ...(['sold', 'cancelled', 'decided', 'paidBack', 'kept', 'owed', 'commission', 'withoutTerms'] as const),
]
type AmountName = (typeof amounts)[number]
type AsText<Row> = { [K in keyof Row]: K extends AmountName ? string : Row[K] }

function exact<Row extends Record<AmountName, bigint>>(rows: readonly AsText<Row>[]): Row[] {
  return rows.map((row) => {
    const values = amounts.map((name) => [name, BigInt((row as Record<AmountName, string>)[name])])
    return { ...row, ...Object.fromEntries(values) } as Row
  })
}

/** One row of sums for each period and currency in which there are totals. */
export async function sumPeriods(
  sql: Queryable,
  subject: Reported,
  periods: readonly ReportRange[],
): Promise<PeriodSums[]> {
  const rows = await sql<AsText<PeriodSums>[]>`
    select (place - 1)::integer as place, currency, ${figures(sql)}
    from ${periodsOf(sql, periods)} join (${dailyTotals(sql)}) as total on ${matchesReport(sql, subject)}
    group by place, currency order by place, currency`
  return exact<PeriodSums>(rows)
}

function figures(sql: Queryable): Fragment {
  return sql`sum(bookings)::bigint as bookings, sum(guests)::bigint as guests, sum(sold_minor)::text as sold,
      sum(cancelled_bookings)::bigint as "cancelledBookings", sum(cancelled_guests)::bigint as "cancelledGuests",
      sum(cancelled_minor)::text as cancelled, sum(decided_minor)::text as decided,
      sum(paid_back_minor)::text as "paidBack", sum(kept_minor)::text as kept,
      sum(no_show_guests)::bigint as "noShowGuests", sum(checked_in_guests)::bigint as "checkedInGuests",
      sum(owed_minor)::text as owed, sum(under_terms_minor - owed_minor)::text as commission,
      coalesce(sum(sold_minor - cancelled_minor - under_terms_minor) filter (where partner_id <> 0), 0)::text
        as "withoutTerms"`
}

/** The totals of sales and the totals of refund decisions, as rows with the same columns. */
function dailyTotals(sql: Queryable): Fragment {
  return sql`
    select account_id, basis, day, product_id, channel, partner_id, currency, bookings, guests, sold_minor,
      cancelled_bookings, cancelled_guests, cancelled_minor, no_show_guests, checked_in_guests, owed_minor,
      under_terms_minor, 0::numeric as decided_minor, 0::numeric as paid_back_minor, 0::numeric as kept_minor
    from sales_totals
    union all
    select account_id, basis, day, product_id, channel, partner_id, currency, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      decided_minor, paid_back_minor, kept_minor
    from sales_refund_totals`
}

function noDecisions(sql: Queryable): Fragment {
  return sql`'0' as decided, '0' as "paidBack", '0' as kept`
}

/** Zeros for the figures that exist only by booking, and not by unit or payment method. */
function zeroBookingColumns(sql: Queryable): Fragment {
  return sql`0::bigint as "noShowGuests", 0::bigint as "checkedInGuests", '0' as owed, '0' as commission,
        '0' as "withoutTerms"`
}

/**
 * Sums of a group, in one period and one currency. `id` is null for channels, methods and reductions, and for
 * sales without a partner or unit.
 */
export type GroupSums = PeriodSums & { id: number | null; name: string }

/**
 * One row of sums for each group, period and currency in which there are totals. The filter and the basis do
 * not apply to payment methods.
 */
export async function sumGroups(
  sql: Queryable,
  subject: Reported,
  { group, periods }: { group: ReportGroup; periods: readonly ReportRange[] },
): Promise<GroupSums[]> {
  const { accountId } = subject
  if (group === 'method') return sumMethods(sql, accountId, periods)
  if (group === 'unit') return sumUnits(sql, subject, periods)
  const by = {
    product: { column: sql`product_id`, id: sql`key`, name: sql`coalesce(product.name, '')` },
    partner: { column: sql`partner_id`, id: sql`nullif(key, 0)`, name: sql`coalesce(partner.name, '')` },
    channel: { column: sql`channel`, id: sql`null::bigint`, name: sql`key` },
  }[group]
  const names = {
    product: sql`left join products as product on product.account_id = ${accountId} and product.id = key`,
    partner: sql`left join partners as partner on partner.account_id = ${accountId} and partner.id = key`,
    channel: sql``,
  }[group]
  const rows = await sql<AsText<GroupSums>[]>`
    select sums.*, ${by.id} as id, ${by.name} as name from (
      select (place - 1)::integer as place, currency, total.${by.column} as key, ${figures(sql)}
      from ${periodsOf(sql, periods)} join (${dailyTotals(sql)}) as total on ${matchesReport(sql, subject)}
      group by place, currency, key
    ) as sums ${names}`
  return exact<GroupSums>(rows)
}

/** For units, the number of bookings is the number of units sold. */
async function sumUnits(sql: Queryable, subject: Reported, periods: readonly ReportRange[]) {
  const { accountId } = subject
  const rows = await sql<AsText<GroupSums>[]>`
    select sums.*, case when key > 0 then key end as id,
      case key when -1 then 'reductions' when 0 then '' else coalesce(product.name || ': ', '') || coalesce(unit.name, '') end as name
    from (
      select (place - 1)::integer as place, currency, unit_id as key, sum(quantity)::bigint as bookings,
        sum(guests)::bigint as guests, sum(sold_minor)::text as sold,
        sum(cancelled_quantity)::bigint as "cancelledBookings", sum(cancelled_guests)::bigint as "cancelledGuests",
        sum(cancelled_minor)::text as cancelled, ${noDecisions(sql)}, ${zeroBookingColumns(sql)}
      from ${periodsOf(sql, periods)} join sales_unit_totals as total on ${matchesReport(sql, subject)}
      group by place, currency, unit_id
    ) as sums
    left join units as unit on unit.account_id = ${accountId} and unit.id = key
    left join products as product on product.account_id = ${accountId} and product.id = unit.product_id`
  return exact<GroupSums>(rows)
}

/**
 * For payment methods, `bookings` is the number of payments. Refunds are in the fields of cancelled bookings
 * and of refunds.
 */
async function sumMethods(sql: Queryable, accountId: number, periods: readonly ReportRange[]) {
  const rows = await sql<AsText<GroupSums>[]>`
    select (place - 1)::integer as place, currency, method as name, null::bigint as id,
      sum(payments)::bigint as bookings, 0::bigint as guests, sum(paid_minor)::text as sold,
      sum(refunds)::bigint as "cancelledBookings", 0::bigint as "cancelledGuests",
      sum(refunded_minor)::text as cancelled, sum(refunded_minor)::text as decided,
      sum(refunded_minor)::text as "paidBack", '0' as kept, ${zeroBookingColumns(sql)}
    from ${periodsOf(sql, periods)}
    join sales_payment_totals as total on total.account_id = ${accountId}
      and total.day between period.from_day and period.to_day
    group by place, currency, method`
  return exact<GroupSums>(rows)
}

/** Places of the timeslots of a period; `productId` is null for the sum of all products. */
export type PlaceSums = { place: number; productId: number | null; capacity: number; booked: number }

/** Sums the places by period, and for the first two periods also by product. */
export function sumPlaces(
  sql: Queryable,
  { accountId, filter: { productId } }: Reported,
  periods: readonly ReportRange[],
) {
  return sql<PlaceSums[]>`
    select (place - 1)::integer as place, product_id as "productId", sum(capacity)::bigint as capacity,
      sum(booked)::bigint as booked
    from ${periodsOf(sql, periods)}
    join sales_place_totals as total on total.account_id = ${accountId}
      and total.day between period.from_day and period.to_day
      ${productId === undefined ? sql`` : sql`and total.product_id = ${productId}`}
    group by grouping sets ((place), (place, product_id))
    having grouping(product_id) = 1 or place <= 2`
}
