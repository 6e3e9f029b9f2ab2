/** The SQL that writes what is taken of timeslots: counters, bookings with their history, baskets. */

import type { Actor } from '../events/actor.ts'
import type { Transaction } from '../platform/postgres/database.ts'
import type { BookingStatus, Delta } from './model.ts'

/** Raises the counters of locked timeslots. The database refuses what would sell a place twice. */
export async function updateCounters(tx: Transaction, accountId: number, deltas: Delta[]): Promise<void> {
  await tx`
    update timeslots set booked = timeslots.booked + delta.booked, held = timeslots.held + delta.held
    from unnest(
      ${deltas.map(({ timeslotId }) => timeslotId)}::bigint[],
      ${deltas.map(({ booked }) => booked)}::integer[],
      ${deltas.map(({ held }) => held)}::integer[]
    ) as delta (timeslot_id, booked, held)
    where timeslots.account_id = ${accountId} and timeslots.id = delta.timeslot_id`
}

export type BookingUpdate = {
  id: number
  status: BookingStatus
  timeslotId: number
  participants: number
  cancelReason: 'operator' | 'partner' | 'customer' | 'closure' | null
}

/** Writes what locked bookings have become, and when; whoever is moved has not come to the new timeslot yet. */
export async function updateBookings(
  tx: Transaction,
  accountId: number,
  updates: BookingUpdate[],
): Promise<void> {
  await tx`
    update bookings set
      status = becomes.status, timeslot_id = becomes.timeslot_id, participants = becomes.participants,
      confirmed_at = case when becomes.status = 'confirmed' and bookings.status <> 'confirmed'
        then app_now() else confirmed_at end,
      attendance = case when becomes.timeslot_id = bookings.timeslot_id then attendance end,
      cancelled_at = case when becomes.status = 'cancelled' then coalesce(cancelled_at, app_now()) end,
      cancel_reason = case when becomes.status = 'cancelled' then coalesce(cancel_reason, becomes.reason) end,
      updated_at = now(), updated_xid = pg_current_xact_id()
    from unnest(
      ${updates.map(({ id }) => id)}::bigint[],
      ${updates.map(({ status }) => status)}::text[],
      ${updates.map(({ timeslotId }) => timeslotId)}::bigint[],
      ${updates.map(({ participants }) => participants)}::integer[],
      ${updates.map(({ cancelReason }) => cancelReason)}::text[]
    ) as becomes (id, status, timeslot_id, participants, reason)
    where bookings.account_id = ${accountId} and bookings.id = becomes.id`
}

export type HistoryRow = { bookingId: number; action: string; details: object }

/** Adds to the history of bookings, in order. */
export async function insertChanges(
  tx: Transaction,
  accountId: number,
  actor: Actor,
  rows: HistoryRow[],
): Promise<void> {
  await tx`
    insert into booking_changes (account_id, booking_id, actor, actor_id, action, details)
    select ${accountId}, booking_id, ${actor.kind}, ${actor.id ?? null}, action, details::jsonb
    from unnest(
      ${rows.map(({ bookingId }) => bookingId)}::bigint[],
      ${rows.map(({ action }) => action)}::text[],
      ${rows.map(({ details }) => JSON.stringify(details))}::text[]
    ) with ordinality as given (booking_id, action, details, place)
    order by place`
}

export type NewBasket = {
  status: 'waiting' | 'open' | 'completed'
  channel: 'online' | 'pos'
  payment: { method: 'online' | 'cash' | 'card'; reference: string | null } | null
}

/** Makes a basket; one that is open holds as long as the account says. */
export async function insertBasket(tx: Transaction, accountId: number, basket: NewBasket): Promise<number> {
  const isOpen = basket.status === 'open'
  const [made] = await tx<{ id: number }[]>`
    insert into baskets (account_id, id, status, channel, created_at, completed_at, expires_at, hold_limit_at,
      payment_method, payment_reference)
    select account_id, nextval('basket_ids'), ${basket.status}, ${basket.channel}, now(),
      case when ${basket.status === 'completed'} then app_now() end,
      case when ${isOpen} then app_now() + hold_minutes * interval '1 minute' end,
      case when ${isOpen} then app_now() + greatest(hold_limit_minutes, hold_minutes) * interval '1 minute' end,
      ${basket.payment?.method ?? null}, ${basket.payment?.reference ?? null}
    from accounts where account_id = ${accountId}
    returning id`
  return made!.id
}

/** Whoever travels; any of it may be unknown while places are only held. */
export type Customer = {
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
}

/** Writes who travels on locked bookings, but for those whose customer is erased. */
export async function updateCustomers(
  tx: Transaction,
  accountId: number,
  bookingIds: number[],
  { firstName, lastName, email, phone }: Customer,
): Promise<void> {
  await tx`
    update bookings set first_name = ${firstName}, last_name = ${lastName}, email = ${email}, phone = ${phone},
      updated_at = now(), updated_xid = pg_current_xact_id()
    where account_id = ${accountId} and id = any(${bookingIds}::bigint[]) and erasure_id is null`
}

export type BookingInsert = Customer & {
  basketId: number
  timeslotId: number
  channel: 'online' | 'pos'
  status: 'held' | 'waitlisted' | 'confirmed'
  reference: string
  participants: number
  /** JSON, as in the partner's booking. */
  answers: string
}

/** Adds bookings at the price their product has now, with ids in the order of the rows, and gives those. */
export async function insertBookings(
  tx: Transaction,
  accountId: number,
  rows: BookingInsert[],
): Promise<number[]> {
  const made = await tx<{ id: number; reference: string }[]>`
    insert into bookings (account_id, id, basket_id, timeslot_id, channel, status, reference, participants,
      first_name, last_name, email, phone, answers, unit_price_minor, currency, confirmed_at)
    select ${accountId}, nextval('booking_ids'), given.basket_id, given.timeslot_id, given.channel, given.status,
      given.reference, given.participants, given.first_name, given.last_name, given.email, given.phone,
      given.answers::jsonb, products.price_minor, products.currency,
      case when given.status = 'confirmed' then app_now() end
    from unnest(
      ${rows.map(({ basketId }) => basketId)}::bigint[],
      ${rows.map(({ timeslotId }) => timeslotId)}::bigint[],
      ${rows.map(({ channel }) => channel)}::text[],
      ${rows.map(({ status }) => status)}::text[],
      ${rows.map(({ reference }) => reference)}::text[],
      ${rows.map(({ participants }) => participants)}::integer[],
      ${rows.map(({ firstName }) => firstName)}::text[],
      ${rows.map(({ lastName }) => lastName)}::text[],
      ${rows.map(({ email }) => email)}::text[],
      ${rows.map(({ phone }) => phone)}::text[],
      ${rows.map(({ answers }) => answers)}::text[]
    ) with ordinality as given (basket_id, timeslot_id, channel, status, reference, participants, first_name,
      last_name, email, phone, answers, place)
    join timeslots on timeslots.account_id = ${accountId} and timeslots.id = given.timeslot_id
    join products on products.account_id = ${accountId} and products.id = timeslots.product_id
    order by place
    returning id, reference`
  const ids = new Map(made.map(({ id, reference }) => [reference, id]))
  return rows.map(({ reference }) => ids.get(reference)!)
}

export async function updateBasketStatus(
  tx: Transaction,
  accountId: number,
  id: number,
  status: 'cancelled' | 'expired',
): Promise<void> {
  await tx`update baskets set status = ${status} where account_id = ${accountId} and id = ${id}`
}
