/**
 * The SQL of waitlist entries for the code that frees and takes places. It lists the waiting parties, begins
 * offers, and ends entries.
 */
import type { Transaction } from '../platform/postgres/database.ts'
import { participants } from './bought-queries.ts'
import { type RowKey, unnestKeys } from './lock-queries.ts'
import { saleEndsAt } from './on-sale.ts'

export type WaitingParty = RowKey & {
  timeslotId: number
  bookingId: number
  basketId: number
  places: number
  participants: number
  takesTimeslot: boolean
}

/**
 * The parties that wait for locked timeslots, in the order of joining. It leaves out entries whose booking no
 * longer waits or has moved to another timeslot.
 */
export function listWaiting(tx: Transaction, slots: readonly RowKey[]) {
  return tx<WaitingParty[]>`
    select entry.account_id as "accountId", entry.id, entry.timeslot_id as "timeslotId", entry.booking_id as "bookingId", bookings.basket_id as "basketId", bookings.participants as places,
      ${participants(tx)} as participants, bookings.takes_timeslot as "takesTimeslot"
    from ${unnestKeys(tx, slots)}
    join waitlist_entries as entry on entry.account_id = key.account_id and entry.timeslot_id = key.id
      and entry.status = 'waiting'
    join bookings on bookings.account_id = entry.account_id and bookings.id = entry.booking_id
      and bookings.timeslot_id = entry.timeslot_id and bookings.status = 'waitlisted'
    order by entry.id`
}

/**
 * Opens the baskets of parties that get an offer, and marks their entries. An offer ends at the latest when
 * the sale of its timeslot ends.
 */
export async function insertOffers(tx: Transaction, offered: readonly WaitingParty[]): Promise<void> {
  await tx`
    with offered as (
      select * from unnest(
        ${offered.map(({ accountId }) => accountId)}::bigint[],
        ${offered.map(({ id }) => id)}::bigint[],
        ${offered.map(({ basketId }) => basketId)}::bigint[],
        ${offered.map(({ timeslotId }) => timeslotId)}::bigint[]
      ) as given (account_id, entry_id, basket_id, timeslot_id)
    ), opened as (
      update baskets set status = 'open',
        expires_at = least(app_now() + accounts.offer_minutes * interval '1 minute', ${saleEndsAt(tx)}),
        hold_limit_at = least(app_now() + accounts.offer_minutes * interval '1 minute', ${saleEndsAt(tx)})
      from offered
      join accounts on accounts.account_id = offered.account_id
      join timeslots as slot on slot.account_id = offered.account_id and slot.id = offered.timeslot_id
      join products on products.account_id = slot.account_id and products.id = slot.product_id
      where baskets.account_id = offered.account_id and baskets.id = offered.basket_id
    )
    update waitlist_entries set status = 'offered', offered_at = app_now()
    from offered
    where waitlist_entries.account_id = offered.account_id and waitlist_entries.id = offered.entry_id`
}

/**
 * Ends the waitlist entries of these bookings, and returns the ended entries. A booking may have no entry. An
 * expired entry can still become `taken`.
 */
export function endEntries(
  tx: Transaction,
  bookings: readonly RowKey[],
  status: 'taken' | 'left' | 'expired',
) {
  return tx<(RowKey & { timeslotId: number })[]>`
    update waitlist_entries set status = ${status}
    from ${unnestKeys(tx, bookings)}
    where waitlist_entries.account_id = key.account_id and booking_id = key.id
      and (status in ('waiting', 'offered') or status = 'expired' and ${status === 'taken'})
    returning waitlist_entries.account_id as "accountId", waitlist_entries.id, timeslot_id as "timeslotId"`
}
