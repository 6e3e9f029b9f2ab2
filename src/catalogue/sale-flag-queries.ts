/**
 * Flags of products. A sale reads them to skip the queries for rules and prices that a product does not have.
 */
import type { Queryable, Transaction } from '../platform/postgres/database.ts'

/**
 * Updates the flags of products. `sells_plainly`: the product has default limits and a price per person,
 * and its default unit has no MinQuantity above 1, no MaxQuantity and no AccompaniedBy. `has_own_prices`: a
 * schedule or a timeslot has its own prices.
 * All code that writes rules, units or own prices must call this function in the same transaction.
 * @param pricedIds the products whose timeslots may have got their first own prices in this transaction.
 * Timeslots are searched only for these products, and for products whose `has_own_prices` is already true.
 */
export async function updateSaleFlags(
  tx: Transaction,
  accountId: number,
  productIds: readonly number[],
  pricedIds: readonly number[] = [],
): Promise<void> {
  // `limit 1` instead of `exists`: for `exists`, the planner would hash the whole table.
  await tx`
    update products set sells_plainly = flags.plain, has_own_prices = flags.priced
    from (
      select product.id,
        product.min_places = 1 and product.max_places = 999 and not product.priced_per_booking and (
          select true from units as unit
          where unit.account_id = product.account_id and unit.id = product.default_unit_id
            and (unit.min_quantity > 1 or unit.max_quantity is not null or unit.accompanied_by <> '{}')
          limit 1
        ) is null as plain,
        (
          select true from schedules
          where schedules.account_id = product.account_id and schedules.product_id = product.id
            and schedules.unit_prices is not null
          limit 1
        ) is not null or case when product.has_own_prices or product.id = any(${[...pricedIds]}::bigint[]) then (
          select true from timeslots as slot
          where slot.account_id = product.account_id and slot.product_id = product.id
            and slot.unit_prices is not null
          limit 1
        ) is not null else false end as priced
      from products as product
      where product.account_id = ${accountId} and product.id = any(${[...productIds]}::bigint[])
    ) as flags
    where products.account_id = ${accountId} and products.id = flags.id
      and (products.sells_plainly, products.has_own_prices) <> (flags.plain, flags.priced)`
}

/** Returns the ids of the given products that have a schedule or a timeslot with its own prices. */
export async function listOwnPriced(
  sql: Queryable,
  accountId: number,
  productIds: readonly number[],
): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select id from products
    where account_id = ${accountId} and id = any(${[...productIds]}::bigint[]) and has_own_prices`
  return rows.map(({ id }) => id)
}
