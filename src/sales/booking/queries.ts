/** All SQL of bookings. Whatever locks timeslots locks them in the order of their ids. */

import type { Alternative } from '../../http/problems.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'

/** A timeslot as partners name it. `activity` is the UUID inside the ActivityID. */
export type SlotName = { accountId: number; activity: string; date: string; time: string }
/** `free` is 0 when the slot is closed or has begun, which `onSale` tells from sold out. */
export type LockedSlot = SlotName & { id: number; free: number; held: number; onSale: boolean; now: Date }

/**
 * Locks the named timeslots of products in the shopfront until the transaction ends, and reads them as they
 * are then. Names that match nothing are missing from the result.
 */
export function lockTimeslots(tx: Transaction, names: SlotName[]) {
  return tx<LockedSlot[]>`
    select slot.id, named.account_id as "accountId", named.activity, named.date, named.time,
      slot.capacity - slot.booked - slot.held as free, slot.held,
      slot.status = 'open' and slot.starts_at > (select app_now()) as "onSale", now() as now
    from ${unnestNames(tx, names)}
    join products on products.account_id = named.account_id
      and products.activity_id = named.activity and products.in_shopfront
    join timeslots as slot on slot.account_id = products.account_id and slot.product_id = products.id
      and slot.date = named.date and slot.time = named.time
    order by slot.id
    for update of slot`
}

function unnestNames(sql: Queryable, names: SlotName[]) {
  return sql`unnest(
      ${names.map((name) => name.accountId)}::bigint[],
      ${names.map((name) => name.activity)}::uuid[],
      ${names.map((name) => name.date)}::date[],
      ${names.map((name) => name.time)}::time[]
    ) as named (account_id, activity, date, time)`
}

export type NewBooking = {
  accountId: number
  id: number
  basketId: number
  partnerId: number | null
  reference: string
  participants: number
  paymentReference: string | null
  firstName: string
  lastName: string
  email: string
  phone: string | null
  answers: string
}
/** A booking that has got its places, and where. */
export type Granted = { booking: NewBooking; timeslotId: number }

/**
 * Writes partner bookings that are paid for, in one statement: a completed basket, the booking, the places
 * taken from its timeslot, and the event that meters the purchase.
 */
export function insertPaidBookings(tx: Transaction, granted: Granted[]) {
  const bookings = granted.map(({ booking }) => booking)
  return tx`
    with booking as (
      select * from unnest(
        ${bookings.map((booking) => booking.accountId)}::bigint[],
        ${bookings.map((booking) => booking.id)}::bigint[],
        ${bookings.map((booking) => booking.basketId)}::bigint[],
        ${granted.map(({ timeslotId }) => timeslotId)}::bigint[],
        ${bookings.map((booking) => booking.partnerId)}::bigint[],
        ${bookings.map((booking) => booking.reference)}::text[],
        ${bookings.map((booking) => booking.participants)}::integer[],
        ${bookings.map((booking) => booking.paymentReference)}::text[],
        ${bookings.map((booking) => booking.firstName)}::text[],
        ${bookings.map((booking) => booking.lastName)}::text[],
        ${bookings.map((booking) => booking.email)}::text[],
        ${bookings.map((booking) => booking.phone)}::text[],
        ${bookings.map((booking) => booking.answers)}::text[]
      ) as given (account_id, id, basket_id, timeslot_id, partner_id, reference, participants,
        payment_reference, first_name, last_name, email, phone, answers)
    ), made_baskets as (
      insert into baskets (account_id, id, status, completed_at)
      select account_id, basket_id, 'completed', now() from booking
    ), made_bookings as (
      insert into bookings (account_id, id, basket_id, timeslot_id, partner_id, reference, channel, status,
        participants, payment_reference, first_name, last_name, email, phone, answers)
      select account_id, id, basket_id, timeslot_id, partner_id, reference, 'partner', 'confirmed',
        participants, payment_reference, first_name, last_name, email, phone, answers::jsonb
      from booking
    ), made_events as (
      insert into platform_events (account_id, meter, extra_info)
      select account_id, 'order-completed', jsonb_build_object('BasketID', basket_id) from booking
    )
    update timeslots set booked = timeslots.booked + taken.places
    from (
      select account_id, timeslot_id, sum(participants) as places from booking group by account_id, timeslot_id
    ) as taken
    where timeslots.account_id = taken.account_id and timeslots.id = taken.timeslot_id`
}

/** Which of these references exist, and since when: what an attempt whose COMMIT got lost had done. */
export function listMadeReferences(tx: Transaction, references: { accountId: number; reference: string }[]) {
  return tx<{ reference: string; createdAt: Date }[]>`
    select bookings.reference, bookings.created_at as "createdAt"
    from unnest(
      ${references.map(({ accountId }) => accountId)}::bigint[],
      ${references.map(({ reference }) => reference)}::text[]
    ) as drawn (account_id, reference)
    join bookings using (account_id, reference)`
}

/** The ids of a product's waiver questions; null when the account has no such product in the shopfront. */
export async function findQuestionIds(
  sql: Queryable,
  accountId: number,
  activity: string,
): Promise<number[] | null> {
  const [product] = await sql<{ ids: number[] }[]>`
    select array(
      select questions.id from questions
      where questions.account_id = products.account_id and questions.product_id = products.id
    ) as ids
    from products
    where account_id = ${accountId} and activity_id = ${activity} and in_shopfront`
  return product?.ids.map(Number) ?? null
}

export type RefusedRequest = SlotName & { participants: number }

/**
 * For each refused request the next timeslots of the same product that would fit, at most five, from the asked time
 * on; null when the account has no such product (in the shopfront, if asked so). In the order of the requests.
 */
export async function listAlternatives(
  sql: Queryable,
  refused: RefusedRequest[],
  shopfrontOnly: boolean,
): Promise<{ alternatives: Alternative[] | null }[]> {
  const rows = await sql<{ place: number; alternatives: Alternative[] }[]>`
    select asked.place, coalesce(found.alternatives, '[]') as alternatives
    from unnest(
      ${refused.map((_, index) => index)}::integer[],
      ${refused.map((request) => request.accountId)}::bigint[],
      ${refused.map((request) => request.activity)}::uuid[],
      ${refused.map((request) => request.date)}::date[],
      ${refused.map((request) => request.time)}::time[],
      ${refused.map((request) => request.participants)}::integer[]
    ) as asked (place, account_id, activity, date, time, participants)
    join products on products.account_id = asked.account_id
      and products.activity_id = asked.activity
      ${shopfrontOnly ? sql`and products.in_shopfront` : sql``}
    cross join lateral (
      select json_agg(json_build_object(
        'Date', to_char(date, 'YYYY-MM-DD'), 'Time', to_char(time, 'HH24:MI'), 'Available', free
      ) order by date, time) as alternatives
      from (
        select slot.date, slot.time, slot.capacity - slot.booked - slot.held as free
        from timeslots as slot
        where slot.account_id = products.account_id and slot.product_id = products.id
          and (slot.date, slot.time) > (asked.date, asked.time)
          and slot.date >= ((select app_now()) at time zone products.time_zone)::date
          and slot.starts_at > (select app_now()) and slot.status = 'open'
          and slot.capacity - slot.booked - slot.held >= asked.participants
        order by slot.date, slot.time
        limit 5
      ) as next_slots
    ) as found`
  const byPlace = new Map(rows.map(({ place, alternatives }) => [place, alternatives]))
  return refused.map((_, index) => ({ alternatives: byPlace.get(index) ?? null }))
}

/** The first id of each of `blocks` fresh blocks of booking ids and of basket ids. */
export async function drawIdBlocks(sql: Queryable, sequence: 'booking_ids' | 'basket_ids', blocks: number) {
  const rows = await sql<{ first: number }[]>`
    select nextval(${sequence}::regclass) as first from generate_series(1, ${blocks})`
  return rows.map(({ first }) => first)
}

/** How many ids one block has: the increment of both sequences in sql/003.do.bookings.sql. */
export const idBlockSize = 1000
