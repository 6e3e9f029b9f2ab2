/** The SQL that lists changed products, in the order of the log. */
import { isOfProduct, movesShopfront } from '../../events/queries.ts'
import type { Queryable } from '../../platform/postgres/database.ts'
import { type Product, productColumns } from '../queries.ts'

/** A product with the number of its latest event; 0 if the log has no event of the product. */
export type ProductInLog = Product & { number: number }

export type ChangesRange = {
  after: number
  limit: number
  /** The languages that the reader prefers to the products' own language, best first. */
  languages: readonly string[]
}

/**
 * Products that are or were in the shopfront and whose latest event has a number above `after`, in the order
 * of these events. The log always keeps the latest event of a product, and its latest event about entering or
 * leaving the shopfront.
 */
export function listChanged(sql: Queryable, accountId: number, { after, limit, languages }: ChangesRange) {
  return sql<ProductInLog[]>`
    select event.number, product.*
    from events as event
    cross join lateral (
      select ${productColumns(sql, languages)} from products
      where products.account_id = event.account_id and products.id = event.product_id
    ) as product
    where event.account_id = ${accountId} and ${isOfProduct(sql, sql`event`)} and event.number > ${after}
      and (
        select true from events as later
        where later.account_id = event.account_id and later.product_id = event.product_id
          and ${isOfProduct(sql, sql`later`)} and later.number > event.number
        limit 1
      ) is null
      and (product."inShopfront" or (
        select true from events as earlier
        where earlier.account_id = event.account_id and earlier.product_id = event.product_id
          and ${isOfProduct(sql, sql`earlier`)} and ${movesShopfront(sql, sql`earlier`)}
        limit 1
      ))
    order by event.number
    limit ${limit}`
}

/** Products in the shopfront that have no event in the log, by ID. Here `after` is the ID of a product. */
export function listUnlogged(sql: Queryable, accountId: number, { after, limit, languages }: ChangesRange) {
  return sql<ProductInLog[]>`
    select 0 as number, ${productColumns(sql, languages)} from products
    where account_id = ${accountId} and in_shopfront and id > ${after}
      and (
        select true from events as event
        where event.account_id = products.account_id and event.product_id = products.id
          and ${isOfProduct(sql, sql`event`)}
        limit 1
      ) is null
    order by id
    limit ${limit}`
}

/**
 * The number of the first event of products at or after an instant (Unix milliseconds); null when there is
 * none.
 */
export async function findFirstSince(
  sql: Queryable,
  accountId: number,
  since: number,
): Promise<number | null> {
  const [first] = await sql<{ number: number }[]>`
    select number from events as event
    where account_id = ${accountId} and ${isOfProduct(sql, sql`event`)}
      and occurred_at >= timestamptz 'epoch' + ${since} * interval '1 millisecond'
    order by number
    limit 1`
  return first?.number ?? null
}
