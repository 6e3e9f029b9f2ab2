/**
 * The SQL that deletes test bookings. Bookings are selected and deleted only if their account id is below 0, so no
 * booking of a live account can be deleted.
 */
import type { Queryable, Transaction } from '../platform/postgres/database.ts'
import { markDaysOfBookings } from '../reports/sales/totals/mark-queries.ts'

export type TestBooking = { id: number; basketId: number; timeslotId: number }

/** Bookings of a test account older than this many days, the oldest first. */
export function listOld(tx: Transaction, testId: number, { days, limit }: { days: number; limit: number }) {
  return tx<TestBooking[]>`
    select id, basket_id as "basketId", timeslot_id as "timeslotId" from bookings
    where account_id = ${testId} and account_id < 0 and created_at < app_now() - ${days} * interval '1 day'
    order by created_at, id limit ${limit}`
}

/** Some bookings of a test account on these timeslots. */
export function listOnTimeslots(
  tx: Transaction,
  testId: number,
  { timeslotIds, limit }: { timeslotIds: readonly number[]; limit: number },
) {
  return tx<TestBooking[]>`
    select id, basket_id as "basketId", timeslot_id as "timeslotId" from bookings
    where account_id = ${testId} and account_id < 0 and timeslot_id = any(${[...timeslotIds]}::bigint[])
    limit ${limit}`
}

/**
 * Deletes bookings on locked timeslots, with all rows that refer to them and the baskets that become empty,
 * and frees their places. E-mails that a worker is sending stay until deleteLeftovers() deletes them.
 * @returns the message ids of the deleted e-mails.
 */
export async function deleteBookings(
  tx: Transaction,
  testId: number,
  bookings: readonly TestBooking[],
): Promise<string[]> {
  const ids = bookings.map(({ id }) => id)
  await markDaysOfBookings(tx, testId, ids)
  const baskets = [...new Set(bookings.map(({ basketId }) => basketId))]
  const emails = await tx<{ messageId: string }[]>`
    delete from emails
    where account_id = ${testId} and booking_id = any(${ids}::bigint[]) and ${isAtRest(tx)}
    returning message_id as "messageId"`
  for (const table of ['waitlist_entries', 'tickets', 'events', 'booking_words', 'owing_bookings'])
    await tx`delete from ${tx(table)} where account_id = ${testId} and booking_id = any(${ids}::bigint[])`
  await tx`
    delete from workflow_runs where account_id = ${testId} and booking_id = any(${ids}::bigint[])
      and workflow_id in (select id from workflows where account_id = ${testId})`
  await tx`
    with gone as (
      delete from bookings where account_id = ${testId} and account_id < 0 and id = any(${ids}::bigint[])
      returning timeslot_id, participants, status
    ), sums as (
      select timeslot_id, coalesce(sum(participants) filter (where status = 'confirmed'), 0) as booked,
        coalesce(sum(participants) filter (where status = 'held'), 0) as held
      from gone group by timeslot_id
    )
    update timeslots as slot set booked = slot.booked - sums.booked, held = slot.held - sums.held
    from sums where slot.account_id = ${testId} and slot.id = sums.timeslot_id`
  for (const table of ['promotion_uses', 'payment_events', 'payments', 'refunds', 'undone_refunds'])
    await tx`delete from ${tx(table)} where account_id = ${testId} and ${isEmptied(tx, table, baskets)}`
  await tx`delete from baskets where account_id = ${testId} and ${isEmptied(tx, 'baskets', baskets)}`
  return emails.map(({ messageId }) => messageId)
}

/** Whether a row belongs to one of these baskets, and the basket has no booking left. */
function isEmptied(tx: Transaction, table: string, baskets: readonly number[]) {
  const id = table === 'baskets' ? tx`baskets.id` : tx`${tx(table)}.basket_id`
  return tx`${id} = any(${[...baskets]}::bigint[]) and not exists (
    select from bookings where bookings.account_id = ${tx(table)}.account_id and bookings.basket_id = ${id})`
}

/**
 * Whether no worker is sending the e-mail. A worker that is sending it could write the file of the e-mail after
 * the row is deleted.
 */
function isAtRest(sql: Queryable) {
  return sql`(leased_until is null or leased_until <= app_now())`
}

/**
 * Deletes rows that other transactions added for a booking while it was deleted, and e-mails that were being
 * sent at that time.
 * @returns the message ids of the deleted e-mails.
 */
export async function deleteLeftovers(sql: Queryable, testId: number): Promise<string[]> {
  const isLeft = (table: string) => sql`booking_id is not null and not exists (
    select from bookings where bookings.account_id = ${sql(table)}.account_id and bookings.id = booking_id)`
  await sql`
    delete from workflow_runs where account_id = ${testId} and account_id < 0 and ${isLeft('workflow_runs')}`
  for (const table of ['booking_words', 'owing_bookings'])
    await sql`delete from ${sql(table)} where account_id = ${testId} and account_id < 0 and ${isLeft(table)}`
  const emails = await sql<{ messageId: string }[]>`
    delete from emails where account_id = ${testId} and account_id < 0 and ${isLeft('emails')} and ${isAtRest(sql)}
    returning message_id as "messageId"`
  return emails.map(({ messageId }) => messageId)
}
