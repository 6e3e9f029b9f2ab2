/** The SQL with which `npm start` finds a timeslot to show. */
import { freePlaces, isOnSale } from '../inventory/on-sale.ts'
import type { Queryable } from '../platform/postgres/database.ts'

export type BookableSlot = { account: string; activity: string; date: string; time: string }

/**
 * Finds the next timeslot, at least 24 hours ahead, that a partner can book for two people. Prefers the demo
 * account to other live accounts. Returns null if there is none.
 */
export async function findBookableSlot(sql: Queryable): Promise<BookableSlot | null> {
  const [slot] = await sql<BookableSlot[]>`
    select accounts.slug as account, products.activity_id as activity, slot.date, slot.time
    from timeslots as slot
    join products on products.account_id = slot.account_id and products.id = slot.product_id
    join accounts on accounts.account_id = slot.account_id
    where accounts.account_id > 0 and products.in_shopfront and products.sells_plainly
      and ${isOnSale(sql)} and ${freePlaces(sql)} >= 2
      and slot.starts_at > app_now() + interval '1 day'
    order by accounts.slug = 'demo' desc, slot.starts_at, slot.id
    limit 1`
  return slot ?? null
}
