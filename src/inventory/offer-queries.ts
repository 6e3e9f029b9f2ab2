/** The SQL of waitlist entries where places are freed and taken: who waits, what is offered, what becomes of it. */
import type { Transaction } from '../platform/postgres/database.ts'
import type { LockedTimeslot } from './lock-queries.ts'

export type WaitingParty = { id: number; bookingId: number; basketId: number; participants: number }

/** Who waits for a locked timeslot, in the order of joining. Only a booking that still waits there can be offered it. */
export function listWaiting(tx: Transaction, accountId: number, timeslotId: number) {
  return tx<WaitingParty[]>`
    select entry.id, entry.booking_id as "bookingId", bookings.basket_id as "basketId", bookings.participants
    from waitlist_entries as entry
    join bookings on bookings.account_id = entry.account_id and bookings.id = entry.booking_id
      and bookings.timeslot_id = entry.timeslot_id and bookings.status = 'waitlisted'
    where entry.account_id = ${accountId} and entry.timeslot_id = ${timeslotId} and entry.status = 'waiting'
    order by entry.id`
}

/** Opens the baskets of those who are offered places, and marks their entries. An offer ends when its timeslot begins. */
export async function insertOffers(
  tx: Transaction,
  accountId: number,
  { startsAt }: LockedTimeslot,
  offered: WaitingParty[],
): Promise<void> {
  await tx`
    with offered as (
      select * from unnest(
        ${offered.map(({ id }) => id)}::bigint[],
        ${offered.map(({ basketId }) => basketId)}::bigint[]
      ) as given (entry_id, basket_id)
    ), opened as (
      update baskets set status = 'open',
        expires_at = least(app_now() + accounts.offer_minutes * interval '1 minute', ${startsAt}),
        hold_limit_at = least(app_now() + accounts.offer_minutes * interval '1 minute', ${startsAt})
      from offered, accounts
      where baskets.account_id = ${accountId} and baskets.id = offered.basket_id
        and accounts.account_id = baskets.account_id
    )
    update waitlist_entries set status = 'offered', offered_at = app_now()
    from offered
    where waitlist_entries.account_id = ${accountId} and waitlist_entries.id = offered.entry_id`
}

/** Ends the waitlist entries of bookings, where they have one; an offer that ran out can still be `taken`. Gives those. */
export function endEntries(
  tx: Transaction,
  accountId: number,
  bookingIds: number[],
  status: 'taken' | 'left' | 'expired',
) {
  return tx<{ id: number; timeslotId: number }[]>`
    update waitlist_entries set status = ${status}
    where account_id = ${accountId} and booking_id = any(${bookingIds}::bigint[])
      and (status in ('waiting', 'offered') or status = 'expired' and ${status === 'taken'})
    returning id, timeslot_id as "timeslotId"`
}
