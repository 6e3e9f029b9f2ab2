/**
 * Copies waitlist entries for a preview of changes of timeslots. The copies belong to an account that exists
 * only in the current transaction, which is rolled back.
 */
import type { Transaction } from '../platform/postgres/database.ts'

/**
 * Copies the waiting entries of the account `from`, with their bookings and baskets, to the timeslots with
 * the same ids in the account `to`. Parties and places are the same; personal data is not copied.
 */
export async function copyWaiting(
  tx: Transaction,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await tx`
    with waiting as materialized (
      select entry.id as entry_id, booking.*
      from timeslots as slot
      join waitlist_entries as entry
        on entry.account_id = ${from} and entry.timeslot_id = slot.id and entry.status = 'waiting'
      join bookings as booking on booking.account_id = entry.account_id and booking.id = entry.booking_id
      where slot.account_id = ${to}
    ), baskets as (
      insert into baskets (account_id, id, status, channel)
      select distinct on (basket_id) ${to}::bigint, basket_id, 'waiting', channel from waiting
    ), bookings as (
      insert into bookings (account_id, id, basket_id, timeslot_id, reference, channel, status, participants,
        unit_price_minor, currency, answers, takes_timeslot, people, units, priced_per_booking)
      select ${to}, id, basket_id, timeslot_id, reference, channel, status, participants, unit_price_minor, currency,
        '[]', takes_timeslot, people, units, priced_per_booking
      from waiting
    )
    insert into waitlist_entries (account_id, id, booking_id, timeslot_id)
    select ${to}, entry_id, id, timeslot_id from waiting`
}
