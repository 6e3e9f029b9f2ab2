/** The SQL that finds who made a basket. */
import { liveAccountOf } from '../../accounts/model.ts'
import type { Actor } from '../../events/actor.ts'
import type { Queryable } from '../../platform/postgres/database.ts'

export type BasketMaker = {
  basketId: number
  kind: Actor['kind']
  id: number | null
  name: string | null
  /**
   * Whether the basket holds places that are offered to a party of the waitlist and that the party has not accepted
   * yet.
   */
  isOffer: boolean
}

/** Who made each basket, from the first event of its first booking. A user is named by e-mail address. */
export function listMakers(sql: Queryable, accountId: number, basketIds: readonly number[]) {
  return sql<BasketMaker[]>`
    select distinct on (bookings.basket_id) bookings.basket_id as "basketId", first.actor as kind, first.actor_id as id,
      users.email as name, exists (
        select from bookings as held
        join waitlist_entries as entry on entry.account_id = held.account_id and entry.booking_id = held.id
        where held.account_id = bookings.account_id and held.basket_id = bookings.basket_id
          and held.status = 'held' and entry.status = 'offered'
      ) as "isOffer"
    from bookings
    cross join lateral (
      select actor, actor_id from events
      where events.account_id = bookings.account_id and events.booking_id = bookings.id
      order by events.id
      limit 1
    ) as first
    left join users on first.actor = 'user' and users.account_id = ${liveAccountOf(accountId)}
      and users.id = first.actor_id
    where bookings.account_id = ${accountId} and bookings.basket_id = any(${[...basketIds]}::bigint[])
    order by bookings.basket_id, bookings.id`
}
