/** All SQL of OCTO's products: what the operator sells, with what OCTO says of it besides. */
import { type Product, productColumns } from '../../catalogue/queries.ts'
import type { Question } from '../../catalogue/question-queries.ts'
import type { TermsInForce } from '../../inventory/partner-terms.ts'
import { termsInForce } from '../../inventory/partner-terms-queries.ts'
import type { Queryable } from '../../platform/postgres/database.ts'

/** A product with what OCTO says of it. */
export type OctoProduct = Product & {
  /** Local clock times at which its coming timeslots start, `HH:MM`; of all-day ones the first openings. */
  startTimes: string[]
  /** Whether it has coming timeslots, and all are all-day. */
  isAllDay: boolean
  /** The prices of its coming schedules by unit, "0" for the default unit; null of one that has none of its own. */
  schedulePrices: (Record<string, number> | null)[]
  /** What is agreed with the reseller. */
  terms: TermsInForce | null
  questions: Question[]
}

export type OctoProductFilter = {
  accountId: number
  /** Null for a key without a partner. */
  partnerId: number | null
  /** The one product of this UUID. */
  activity?: string
  /** These products, also those that have left the shopfront; without ids only what is in the shopfront. */
  ids?: readonly number[]
}

/** Next timeslots of a product that tell when it starts, beside its schedules. */
const mostNext = 100

/** Products by ID. */
export function listOctoProducts(
  sql: Queryable,
  { accountId, partnerId, activity, ids }: OctoProductFilter,
): Promise<OctoProduct[]> {
  const isComing = sql`account_id = ${accountId} and product_id = product.id`
  const key = { accountId: sql`${accountId}`, partnerId: sql`${partnerId}`, productId: sql`product.id` }
  return sql<OctoProduct[]>`
    select product.*, coalesce(coming.times, '{}') as "startTimes", coalesce(coming.all_day, false) as "isAllDay",
      case when product."hasOwnPrices" then coalesce((
        select json_agg(unit_prices) from schedules where ${isComing} and to_date >= today.date
      ), '[]') else '[]' end as "schedulePrices",
      case when product."hasTerms" then ${termsInForce(sql, key)} end as terms,
      coalesce((
        select json_agg(json_build_object('id', id, 'label', label, 'type', type, 'required', required,
          'options', options, 'appliesTo', applies_to) order by position)
        from questions where ${isComing}
      ), '[]') as questions
    from (
      select ${productColumns(sql)}, has_partner_terms and ${partnerId !== null} as "hasTerms" from products
      where account_id = ${accountId}
        ${ids ? sql`and id = any(${[...ids]}::bigint[])` : sql`and in_shopfront`}
        ${activity === undefined ? sql`` : sql`and activity_id = ${activity}`}
    ) as product
    cross join lateral (select (app_now() at time zone product."timeZone")::date as date) as today
    cross join lateral (
      select array_agg(distinct to_char(time, 'HH24:MI')) as times, bool_and(all_day) as all_day
      from (
        select unnest(times) as time, opening_hours is not null as all_day
        from schedules where ${isComing} and to_date >= today.date
        union all
        (
          select time, opening_hours is not null from timeslots where ${isComing} and date >= today.date
          order by date, time limit ${mostNext}
        )
      ) as start
    ) as coming
    order by product.id`
}
