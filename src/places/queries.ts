/** All SQL that changes what is taken of timeslots after a booking was made, and the locks that come before it. */
import type { Queryable, Transaction } from '../platform/database.ts'
import type { Actor } from './actor.ts'
import type { BookingStatus, Delta } from './model.ts'

export type Slot = {
  id: number
  productId: number
  date: string
  time: string
  capacity: number
  booked: number
  held: number
  /** Open, not begun, and of a product that exists. */
  onSale: boolean
  hasBegun: boolean
  startsAt: Date
}

/** Locks timeslots of an account in the order of their ids and reads them; unknown ids are missing. */
export function lockSlots(tx: Transaction, accountId: number, ids: readonly number[]) {
  return tx<Slot[]>`
    select id, product_id as "productId", date, time, capacity, booked, held, starts_at as "startsAt",
      status = 'open' and starts_at > (select app_now()) as "onSale", starts_at <= (select app_now()) as "hasBegun"
    from timeslots
    where account_id = ${accountId} and id = any(${[...ids]}::bigint[])
    order by id
    for update`
}

export type BasketStatus =
  | 'waiting'
  | 'open'
  | 'completed'
  | 'cancelled'
  | 'expired'
  | 'refund-due'
  | 'refunded'

export type Basket = {
  id: number
  status: BasketStatus
  channel: 'partner' | 'online' | 'pos'
  expiresAt: Date | null
  holdLimitAt: Date | null
  /** Whether its holds have run out, by the database's clock. */
  isOver: boolean
}

/** Locks baskets of an account in the order of their ids; after the timeslots of their bookings. */
export function lockBaskets(tx: Transaction, accountId: number, ids: readonly number[]) {
  return tx<Basket[]>`
    select id, status, channel, expires_at as "expiresAt", hold_limit_at as "holdLimitAt",
      coalesce(expires_at <= (select app_now()), false) as "isOver"
    from baskets
    where account_id = ${accountId} and id = any(${[...ids]}::bigint[])
    order by id
    for update`
}

export type Booking = {
  id: number
  basketId: number
  timeslotId: number
  partnerId: number | null
  reference: string
  channel: 'partner' | 'online' | 'pos'
  status: BookingStatus
  participants: number
  attendance: 'checked-in' | 'no-show' | null
}

/** Locks bookings of an account in the order of their ids; after their timeslots and baskets. */
export function lockBookings(tx: Transaction, accountId: number, ids: readonly number[]) {
  return tx<Booking[]>`
    select ${bookingColumns(tx)} from bookings
    where account_id = ${accountId} and id = any(${[...ids]}::bigint[])
    order by id
    for update`
}

/** Locks the bookings of a locked basket in the order of their ids, also one that came to it a moment ago. */
export function lockBookingsOfBasket(tx: Transaction, accountId: number, basketId: number) {
  return tx<Booking[]>`
    select ${bookingColumns(tx)} from bookings
    where account_id = ${accountId} and basket_id = ${basketId}
    order by id
    for update`
}

/** The bookings of baskets as they are now, unlocked: what to lock before they are read again. */
export function listBookingsOfBaskets(sql: Queryable, accountId: number, basketIds: readonly number[]) {
  return sql<Booking[]>`
    select ${bookingColumns(sql)} from bookings
    where account_id = ${accountId} and basket_id = any(${[...basketIds]}::bigint[])
    order by id`
}

function bookingColumns(sql: Queryable) {
  return sql`id, basket_id as "basketId", timeslot_id as "timeslotId", partner_id as "partnerId", reference,
    channel, status, participants, attendance`
}

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

/** Writes who travels on locked bookings. */
export async function updateCustomers(
  tx: Transaction,
  accountId: number,
  bookingIds: number[],
  { firstName, lastName, email, phone }: Customer,
): Promise<void> {
  await tx`
    update bookings set first_name = ${firstName}, last_name = ${lastName}, email = ${email}, phone = ${phone},
      updated_at = now(), updated_xid = pg_current_xact_id()
    where account_id = ${accountId} and id = any(${bookingIds}::bigint[])`
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

/** Held bookings on these timeslots, but for some, whose basket has run out of time; the timeslots are locked. */
export function listExpiredHolds(
  tx: Transaction,
  accountId: number,
  { timeslotIds, except }: { timeslotIds: readonly number[]; except: readonly number[] },
) {
  return tx<Booking[]>`
    select ${bookingColumns(tx)} from bookings
    where account_id = ${accountId} and timeslot_id = any(${[...timeslotIds]}::bigint[]) and status = 'held'
      and id <> all(${[...except]}::bigint[])
      and exists (
        select from baskets where baskets.account_id = bookings.account_id and baskets.id = bookings.basket_id
          and baskets.status = 'open' and baskets.expires_at <= (select app_now())
      )
    order by id`
}

/** Open baskets whose time has run out, those that ran out first before the others. */
export function listExpiredBaskets(sql: Queryable, limit: number) {
  return sql<{ accountId: number; id: number }[]>`
    select account_id as "accountId", id from baskets
    where status = 'open' and expires_at <= (select app_now())
    order by expires_at limit ${limit}`
}

/** Baskets of those who wait for a timeslot that has begun. */
export function listOverdueBaskets(sql: Queryable, limit: number) {
  return sql<{ accountId: number; id: number }[]>`
    select bookings.account_id as "accountId", bookings.basket_id as id
    from waitlist_entries as entry
    join bookings on bookings.account_id = entry.account_id and bookings.id = entry.booking_id
    join timeslots as slot on slot.account_id = bookings.account_id and slot.id = bookings.timeslot_id
    where entry.status = 'waiting' and slot.starts_at <= (select app_now())
    limit ${limit}`
}

export async function updateBasketStatus(
  tx: Transaction,
  accountId: number,
  id: number,
  status: 'cancelled' | 'expired',
): Promise<void> {
  await tx`update baskets set status = ${status} where account_id = ${accountId} and id = ${id}`
}

export type Waiting = { id: number; bookingId: number; basketId: number; participants: number }

/** Who waits for a locked timeslot, in the order of joining. Only a booking that still waits there can be offered it. */
export function listWaiting(tx: Transaction, accountId: number, timeslotId: number) {
  return tx<Waiting[]>`
    select entry.id, entry.booking_id as "bookingId", bookings.basket_id as "basketId", bookings.participants
    from waitlist_entries as entry
    join bookings on bookings.account_id = entry.account_id and bookings.id = entry.booking_id
      and bookings.timeslot_id = entry.timeslot_id and bookings.status = 'waitlisted'
    where entry.account_id = ${accountId} and entry.timeslot_id = ${timeslotId} and entry.status = 'waiting'
    order by entry.id`
}

/**
 * Opens the baskets of those who are offered places, marks their entries, and leaves them e-mails to be sent. An
 * offer ends no later than its timeslot begins.
 */
export async function insertOffers(
  tx: Transaction,
  accountId: number,
  { startsAt }: Slot,
  offered: Waiting[],
): Promise<void> {
  await tx`
    with offered as (
      select * from unnest(
        ${offered.map(({ id }) => id)}::bigint[],
        ${offered.map(({ bookingId }) => bookingId)}::bigint[],
        ${offered.map(({ basketId }) => basketId)}::bigint[]
      ) as given (entry_id, booking_id, basket_id)
    ), opened as (
      update baskets set status = 'open',
        expires_at = least(app_now() + accounts.offer_minutes * interval '1 minute', ${startsAt}),
        hold_limit_at = least(app_now() + accounts.offer_minutes * interval '1 minute', ${startsAt})
      from offered, accounts
      where baskets.account_id = ${accountId} and baskets.id = offered.basket_id
        and accounts.account_id = baskets.account_id
    ), mailed as (
      insert into emails (account_id, kind, booking_id, waitlist_entry_id)
      select ${accountId}, 'waitlist-offer', booking_id, entry_id from offered order by entry_id
    )
    update waitlist_entries set status = 'offered', offered_at = app_now()
    from offered
    where waitlist_entries.account_id = ${accountId} and waitlist_entries.id = offered.entry_id`
}

/** Ends the waitlist entries of bookings, where they have one; an offer that ran out can still be `taken`. */
export async function endEntries(
  tx: Transaction,
  accountId: number,
  bookingIds: number[],
  status: 'taken' | 'left' | 'expired',
): Promise<void> {
  await tx`
    update waitlist_entries set status = ${status}
    where account_id = ${accountId} and booking_id = any(${bookingIds}::bigint[])
      and (status in ('waiting', 'offered') or status = 'expired' and ${status === 'taken'})`
}
