/** All SQL of OCTO's products. */
import { type Product, productColumns } from '../../catalogue/queries.ts'
import type { Question } from '../../catalogue/question-queries.ts'
import { productLanguage } from '../../catalogue/translation-queries.ts'
import type { TermsInForce } from '../../inventory/partner-terms.ts'
import { termsInForce } from '../../inventory/partner-terms-queries.ts'
import type { Language } from '../../languages/locales.ts'
import type { Queryable } from '../../platform/postgres/database.ts'

/** A product of the catalogue, with the further facts that OCTO's fields need. */
export type OctoProduct = Product & {
  /**
   * Local start times, `HH:MM`, of the schedules that have not ended and of the next timeslots, from today
   * on. For an all-day timeslot, its first opening time.
   */
  startTimes: string[]
  /** Whether the product has schedules or timeslots from today on, and all of them are all-day. */
  isAllDay: boolean
  /**
   * One element for each schedule that has not ended: its own prices by the id of the unit, with "0" for the
   * default unit; null if the schedule has no own prices. Empty if neither schedules nor timeslots of the
   * product have own prices.
   */
  schedulePrices: (Record<string, number> | null)[]
  /** The terms that are agreed with the reseller; null if there are none. */
  terms: TermsInForce | null
  questions: Question[]
  /** The language of the product's original texts. */
  language: Language
}

export type OctoProductFilter = {
  accountId: number
  /** Null for a key without a partner. */
  partnerId: number | null
  /** Only the product with this UUID. */
  activity?: string
  /** Only these products, whether or not they are in the shopfront. When left out, all products of the shopfront. */
  ids?: readonly number[]
  /** The languages that the reseller prefers, in order; the product is translated to the first one that it has. */
  languages?: readonly string[]
}

/** How many of the next timeslots are read for `startTimes` and `isAllDay`, in addition to the schedules. */
const maxNext = 100

/** Sorted by ID. */
export function listOctoProducts(
  sql: Queryable,
  { accountId, partnerId, activity, ids, languages }: OctoProductFilter,
): Promise<OctoProduct[]> {
  const ofProduct = sql`account_id = ${accountId} and product_id = product.id`
  const key = { accountId: sql`${accountId}`, partnerId: sql`${partnerId}`, productId: sql`product.id` }
  return sql<OctoProduct[]>`
    select product.*, coalesce(coming.times, '{}') as "startTimes", coalesce(coming.all_day, false) as "isAllDay",
      case when product."hasOwnPrices" then coalesce((
        select json_agg(unit_prices) from schedules where ${ofProduct} and to_date >= today.date
      ), '[]') else '[]' end as "schedulePrices",
      case when product."hasTerms" then ${termsInForce(sql, key)} end as terms,
      coalesce((
        select json_agg(json_build_object('id', id, 'label', label, 'type', type, 'required', required,
          'options', options, 'appliesTo', applies_to) order by position)
        from questions where ${ofProduct}
      ), '[]') as questions,
      ${productLanguage(sql, sql`${accountId}::bigint`)} as language
    from (
      select ${productColumns(sql, languages)}, has_partner_terms and ${partnerId !== null} as "hasTerms" from products
      where account_id = ${accountId}
        ${ids ? sql`and id = any(${[...ids]}::bigint[])` : sql`and in_shopfront`}
        ${activity === undefined ? sql`` : sql`and activity_id = ${activity}`}
    ) as product
    cross join lateral (select (app_now() at time zone product."timeZone")::date as date) as today
    cross join lateral (
      select array_agg(distinct to_char(time, 'HH24:MI')) as times, bool_and(all_day) as all_day
      from (
        select unnest(times) as time, opening_hours is not null as all_day
        from schedules where ${ofProduct} and to_date >= today.date
        union all
        (
          select time, opening_hours is not null from timeslots where ${ofProduct} and date >= today.date
          order by date, time limit ${maxNext}
        )
      ) as start
    ) as coming
    order by product.id`
}
