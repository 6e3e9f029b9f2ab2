/** The SQL that writes sales: counters, bookings, baskets. */

import type { Actor } from '../events/actor.ts'
import { column } from '../platform/postgres/column.ts'
import type { Transaction } from '../platform/postgres/database.ts'
import type { TraceContext } from '../platform/tracing/tracing.ts'
import type { Bought } from './bought.ts'
import type { LockedTimeslot, RowKey } from './lock-queries.ts'
import type { BookingStatus, Delta } from './model.ts'

/** Changes the counters of locked timeslots. A constraint rejects a change that would sell a place twice. */
export async function updateCounters(tx: Transaction, deltas: Delta[]): Promise<void> {
  await tx`
    update timeslots set booked = timeslots.booked + delta.booked, held = timeslots.held + delta.held
    from unnest(
      ${deltas.map(({ accountId }) => accountId)}::bigint[],
      ${deltas.map(({ timeslotId }) => timeslotId)}::bigint[],
      ${deltas.map(({ booked }) => booked)}::integer[],
      ${deltas.map(({ held }) => held)}::integer[]
    ) as delta (account_id, timeslot_id, booked, held)
    where timeslots.account_id = delta.account_id and timeslots.id = delta.timeslot_id`
}

export type BookingUpdate = {
  accountId: number
  id: number
  status: BookingStatus
  timeslotId: number
  cancelReason: 'operator' | 'partner' | 'customer' | 'closure' | null
  cancelNote: string | null
  /** The amount to pay back; null if no amount was decided. */
  refundMinor: bigint | null
}

/**
 * Writes the status, timeslot and cancellation of locked bookings. A booking that moves loses its attendance.
 */
export async function updateBookings(tx: Transaction, updates: BookingUpdate[]): Promise<void> {
  await tx`
    update bookings set
      status = becomes.status, timeslot_id = becomes.timeslot_id,
      confirmed_at = case when becomes.status = 'confirmed' and bookings.status <> 'confirmed'
        then app_now() else confirmed_at end,
      attendance = case when becomes.timeslot_id = bookings.timeslot_id then attendance end,
      people_here = case when becomes.timeslot_id = bookings.timeslot_id then people_here end,
      people_absent = case when becomes.timeslot_id = bookings.timeslot_id then people_absent else 0 end,
      cancelled_at = case when becomes.status = 'cancelled' then coalesce(cancelled_at, app_now()) end,
      cancel_reason = case when becomes.status = 'cancelled' then coalesce(cancel_reason, becomes.reason) end,
      cancel_note = case when becomes.status = 'cancelled' then coalesce(cancel_note, becomes.note) end,
      refund_minor = case when becomes.status = 'cancelled' then coalesce(refund_minor, becomes.refund) end,
      updated_at = now()
    from unnest(
      ${updates.map(({ accountId }) => accountId)}::bigint[],
      ${updates.map(({ id }) => id)}::bigint[],
      ${updates.map(({ status }) => status)}::text[],
      ${updates.map(({ timeslotId }) => timeslotId)}::bigint[],
      ${updates.map(({ cancelReason }) => cancelReason)}::text[],
      ${updates.map(({ cancelNote }) => cancelNote)}::text[],
      ${updates.map(({ refundMinor }) => refundMinor?.toString() ?? null)}::bigint[]
    ) as becomes (account_id, id, status, timeslot_id, reason, note, refund)
    where bookings.account_id = becomes.account_id and bookings.id = becomes.id`
}

/**
 * Writes the units, people and prices of locked bookings. If a party becomes smaller, the people who leave
 * are taken from the absent people first, and the number of present people is limited to the new size of the
 * party.
 */
export async function updateBought(tx: Transaction, bookings: readonly (RowKey & Bought)[]): Promise<void> {
  await tx`
    update bookings set participants = given.participants, people = given.people, units = given.units::jsonb,
      unit_price_minor = given.unit_price_minor, currency = given.currency,
      priced_per_booking = given.priced_per_booking, takes_timeslot = given.takes_timeslot,
      discount_minor = given.discount_minor, commission_bp = given.commission_bp, net_minor = given.net_minor,
      people_here = case when people_here > coalesce(given.people, given.participants)
        then coalesce(given.people, given.participants) else people_here end,
      people_absent = greatest(0, people_absent - greatest(0,
        coalesce(bookings.people, bookings.participants) - coalesce(given.people, given.participants)))
    from unnest(
      ${bookings.map(({ accountId }) => accountId)}::bigint[], ${bookings.map(({ id }) => id)}::bigint[],
      ${boughtArrays(tx, bookings)}
    ) as given (account_id, id, ${boughtNames(tx)})
    where bookings.account_id = given.account_id and bookings.id = given.id`
}

/** The columns of Bought as arrays, in the order of boughtNames(). */
function boughtArrays(tx: Transaction, bought: readonly Bought[]) {
  return tx`${bought.map(({ places }) => places)}::integer[],
      ${column(bought, ({ participants, places }) => (participants === places ? null : participants))}::integer[],
      ${column(bought, ({ units }) => units && JSON.stringify(units))}::text[],
      ${bought.map(({ unitPriceMinor }) => unitPriceMinor)}::bigint[],
      ${bought.map(({ currency }) => currency)}::text[],
      ${bought.map(({ pricedPerBooking }) => String(pricedPerBooking))}::text[]::boolean[],
      ${bought.map(({ takesTimeslot }) => String(takesTimeslot))}::text[]::boolean[],
      ${column(bought, ({ discountMinor }) => (discountMinor === '0' ? null : discountMinor))}::bigint[],
      ${column(bought, ({ commissionBp }) => commissionBp)}::integer[],
      ${column(bought, ({ netMinor }) => netMinor)}::bigint[]`
}

function boughtNames(tx: Transaction) {
  return tx`participants, people, units, unit_price_minor, currency, priced_per_booking, takes_timeslot,
    discount_minor, commission_bp, net_minor`
}

/** The customer of a booking. An unknown field is null. */
export type Customer = {
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
}

/** Writes the customer of locked bookings, except those whose customer is erased. */
export async function updateCustomers(
  tx: Transaction,
  accountId: number,
  bookingIds: number[],
  { firstName, lastName, email, phone }: Customer,
): Promise<void> {
  await tx`
    update bookings set first_name = ${firstName}, last_name = ${lastName}, email = ${email}, phone = ${phone},
      updated_at = now()
    where account_id = ${accountId} and id = any(${bookingIds}::bigint[]) and erasure_id is null`
}

/** The data of a new booking that is known before its timeslot is locked. */
export type NewBooking = Customer & {
  accountId: number
  /**
   * An id from the sequence, drawn before the first try, so that a retry uses the same id. If it is null, the
   * insert draws an id.
   */
  id: number | null
  basketId: number
  partnerId: number | null
  channel: 'partner' | 'online' | 'pos'
  status: 'held' | 'waitlisted' | 'confirmed'
  reference: string
  /** For a partner's booking; payments of other bookings are stored with their basket. */
  paymentReference: string | null
  /** JSON: a list of `{QuestionID, Value}`. */
  answers: string
  /** Whether tickets are inserted together with the booking. */
  hasTickets?: boolean
  actor: Actor
  /** As in NewEvent. */
  traceContext?: TraceContext | null
}

/** A booking to make, what it buys, and the locked timeslot that has free places for it. */
export type PlacedBooking = {
  booking: NewBooking
  bought: Bought
  slot: Pick<LockedTimeslot, 'id'>
}

/**
 * Inserts bookings of any number of accounts in one statement, and adds their places to the counters of their
 * timeslots. A constraint rejects a booking that would sell a place twice. If a booking has no id yet, the
 * statement draws ids, which ascend in the given order, and returns the ids with the references; otherwise it
 * returns no rows.
 */
export function insertBookings(tx: Transaction, placed: readonly PlacedBooking[]) {
  const bookings = placed.map(({ booking }) => booking)
  const draws = bookings.some(({ id }) => id === null)
  return tx<(RowKey & { reference: string })[]>`
    with given as (
      select * from unnest(
        ${bookings.map((booking) => booking.accountId)}::bigint[],
        ${bookings.map((booking) => booking.id)}::bigint[],
        ${bookings.map((booking) => booking.basketId)}::bigint[],
        ${placed.map(({ slot }) => slot.id)}::bigint[],
        ${bookings.map((booking) => booking.partnerId)}::bigint[],
        ${bookings.map((booking) => booking.channel)}::text[],
        ${bookings.map((booking) => booking.status)}::text[],
        ${bookings.map((booking) => booking.reference)}::text[],
        ${bookings.map((booking) => booking.paymentReference)}::text[],
        ${bookings.map((booking) => booking.firstName)}::text[],
        ${bookings.map((booking) => booking.lastName)}::text[],
        ${bookings.map((booking) => booking.email)}::text[],
        ${bookings.map((booking) => booking.phone)}::text[],
        ${bookings.map((booking) => booking.answers)}::text[],
        ${column(bookings, ({ hasTickets }) => (hasTickets ? 'true' : null))}::text[]::boolean[],
        ${boughtArrays(
          tx,
          placed.map(({ bought }) => bought),
        )}
      ) with ordinality as booking (account_id, id, basket_id, timeslot_id, partner_id, channel, status, reference,
        payment_reference, first_name, last_name, email, phone, answers, has_tickets, ${boughtNames(tx)}, place)
    ), made as (
      insert into bookings (account_id, id, basket_id, timeslot_id, partner_id, channel, status, reference,
        payment_reference, first_name, last_name, email, phone, answers, has_tickets, ${boughtNames(tx)}, confirmed_at)
      select account_id, coalesce(id, nextval('booking_ids')), basket_id, timeslot_id, partner_id, channel, status,
        reference, payment_reference, first_name, last_name, email, phone, answers::jsonb, coalesce(has_tickets, false),
        participants, people,
        units::jsonb, unit_price_minor, currency, priced_per_booking, takes_timeslot, discount_minor, commission_bp, net_minor,
        case when status = 'confirmed' then app_now() end
      from given
      order by place
      returning account_id, id, reference
    ), taken as (
      update timeslots set booked = timeslots.booked + sums.booked, held = timeslots.held + sums.held
      from (
        select account_id, timeslot_id, coalesce(sum(participants) filter (where status = 'confirmed'), 0) as booked,
          coalesce(sum(participants) filter (where status = 'held'), 0) as held
        from given where status <> 'waitlisted' group by account_id, timeslot_id
      ) as sums
      where timeslots.account_id = sums.account_id and timeslots.id = sums.timeslot_id
    )
    select account_id as "accountId", id, reference from made where ${draws}`
}
