/** The SQL that compares the timeslots' counters of places with their bookings. */
import type { Queryable } from '../../platform/postgres/database.ts'

/** A timeslot whose counters are wrong, with the correct sums. */
export type CounterDifference = {
  id: number
  product: string
  date: string
  time: string
  booked: number
  confirmedSum: number
  held: number
  heldSum: number
}

/**
 * Lists the timeslots of an account whose counters differ from the sums of their bookings. It is one
 * statement, so that bookings made meanwhile do not look like differences.
 */
export function listCounterDifferences(sql: Queryable, accountId: number): Promise<CounterDifference[]> {
  return sql<CounterDifference[]>`
    select slot.id, products.name as product, slot.date, slot.time, slot.booked, slot.held,
      coalesce(confirmed, 0)::bigint as "confirmedSum", coalesce(sums.held, 0)::bigint as "heldSum"
    from timeslots as slot
    join products on products.account_id = slot.account_id and products.id = slot.product_id
    left join (
      select timeslot_id,
        sum(participants) filter (where status = 'confirmed') as confirmed,
        sum(participants) filter (where status = 'held') as held
      from bookings where account_id = ${accountId}
      group by timeslot_id
    ) as sums on sums.timeslot_id = slot.id
    where slot.account_id = ${accountId}
      and (slot.booked, slot.held) is distinct from (coalesce(confirmed, 0), coalesce(sums.held, 0))
    order by slot.starts_at, slot.id`
}
