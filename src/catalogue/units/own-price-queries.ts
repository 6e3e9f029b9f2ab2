/** The SQL that reads and writes the own prices of schedules and timeslots. */
import type { Fragment, Queryable } from '../../platform/postgres/database.ts'
import type { OwnPrices } from './own-prices.ts'

/**
 * The own prices of a row of `schedules` or `timeslots`, as a JSON list of OwnPrice; empty if the row has
 * none.
 */
export function ownPricesOf(sql: Queryable, owner: Fragment) {
  return sql`case when ${owner}.unit_prices is null then '[]' else (
    select json_agg(json_build_object(
      'unitId', case price.key when '0' then coalesce(product.default_unit_id, 0) else price.key::bigint end,
      'priceMinor', price.minor::bigint, 'currency', product.currency) order by price.key::bigint)
    from products as product cross join lateral jsonb_each_text(${owner}.unit_prices) as price (key, minor)
    where product.account_id = ${owner}.account_id and product.id = ${owner}.product_id
  ) end`
}

/** Own prices as a jsonb value; null if there are no prices. */
export function toJsonb(sql: Queryable, prices: OwnPrices) {
  return Object.keys(prices).length === 0 ? sql`null::jsonb` : sql`${sql.json(prices)}::jsonb`
}
