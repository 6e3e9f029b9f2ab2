/** The SQL that copies products for the preview of an import, and compares the copy with the original. */
import { copyWaiting } from '../../inventory/waiting-copies.ts'
import type { Transaction } from '../../platform/postgres/database.ts'

/**
 * The ids of the account whose products are copied (`from`) and of the account of the copies. Rows keep their
 * ids.
 */
export type CopiedAccount = { from: number; to: number }

/**
 * Copies products to an account without products and partners, with all their data that an import can change,
 * with the waitlists of their timeslots, and with the terms of partners for these products. Also copies all
 * partners, because terms refer to them. Does not copy the terms for all products.
 */
export async function copyProducts(
  tx: Transaction,
  { from, to }: CopiedAccount,
  productIds: number[],
): Promise<void> {
  const copy = (table: string, product: string) => tx`
    insert into ${tx(table)}
    select copied.* from ${tx(table)} as original
    cross join lateral jsonb_populate_record(original, ${tx.json({ account_id: to })}) as copied
    where original.account_id = ${from} and original.${tx(product)} = any(${productIds}::bigint[])`
  await copy('products', 'id')
  await tx`
    insert into partners
    select copied.* from partners as original
    cross join lateral jsonb_populate_record(original, ${tx.json({ account_id: to })}) as copied
    where original.account_id = ${from}`
  for (const table of [
    'units',
    'partner_terms',
    'refund_terms',
    'questions',
    'product_translations',
    'schedules',
    'timeslots',
  ])
    await copy(table, 'product_id')
  await copyWaiting(tx, { from, to })
}

export type TimeslotDifference = {
  kind: 'made' | 'changed' | 'withdrawn'
  name: string
  date: string
  time: string
  /** The capacity before the import; null for a new timeslot. */
  was: number | null
  /** The capacity after the import; null for a timeslot that is removed. */
  capacity: number | null
  isOpened: boolean
  isMoved: boolean
  isRepriced: boolean
  hasOtherHours: boolean
  /** The number of all timeslots of this kind, also of those that are not listed. */
  count: number
}

/**
 * Lists timeslots that differ between the original account and the copy. For each kind of difference, it
 * lists the earliest ones, at most `named`.
 */
export function listTimeslotDifferences(
  tx: Transaction,
  { from, to }: CopiedAccount,
  { productIds, named }: { productIds: number[]; named: number },
): Promise<TimeslotDifference[]> {
  const prices = (slot: 'was' | 'becomes') => tx`case when ${tx(slot)}.unit_prices is not null then (
    select jsonb_object_agg(case key when '0' then coalesce(product.default_unit_id, 0)::text else key end, minor)
    from jsonb_each(${tx(slot)}.unit_prices) as price (key, minor)
    join products as product
      on product.account_id = ${tx(slot)}.account_id and product.id = ${tx(slot)}.product_id
  ) end`
  return tx<TimeslotDifference[]>`
    select kind, products.name, date, time, was, capacity, "isOpened", "isMoved", "isRepriced", "hasOtherHours",
      count
    from (
      select *, count(*) over (partition by kind) as count,
        row_number() over (partition by kind order by date, time, product_id) as nth
      from (
        select product_id, date, time, was.capacity as was, becomes.capacity,
          case when was.id is null then 'made'
            when becomes.id is null or becomes.status < was.status then 'withdrawn' else 'changed' end as kind,
          was.status < becomes.status as "isOpened", (was.starts_at, was.closes_at)
              is distinct from (becomes.starts_at, becomes.closes_at) as "isMoved",
          ${prices('was')} is distinct from ${prices('becomes')} as "isRepriced",
            was.opening_hours is distinct from becomes.opening_hours as "hasOtherHours"
        from (
          select * from timeslots where account_id = ${from} and product_id = any(${productIds}::bigint[])
        ) as was
        full join (select * from timeslots where account_id = ${to}) as becomes
          using (product_id, date, time)
        where (was.capacity, was.status, was.starts_at, was.closes_at, was.unit_prices, was.opening_hours)
          is distinct from (becomes.capacity, becomes.status, becomes.starts_at, becomes.closes_at,
            becomes.unit_prices, becomes.opening_hours)
      ) as different
      where kind <> 'changed' or was <> capacity or "isOpened" or "isMoved" or "isRepriced"
        or "hasOtherHours"
    ) as different
    join products on products.account_id = ${to} and products.id = product_id
    where nth <= ${named}
    order by kind, nth`
}
