/** The SQL that finds reservations, and writes the data that resellers send about them. */
import type { Contact, ContactMore } from '../../inventory/hold-model.ts'
import { personAfter } from '../../inventory/same-person.ts'
import { column } from '../../platform/postgres/column.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import type { UnlockedBooking } from '../booking/changes/queries.ts'
import type { KnownTicket, RequestedItem, ResellerData } from './model.ts'

/** Names a reservation by its reseller and uuid. `resellerId` is 0 for a key without a partner. */
export type ReservationKey = { accountId: number; resellerId: number; uuid: string }

/** The state of a reservation, read without a lock. */
export type Reserved = UnlockedBooking & {
  accountId: number
  reference: string
  bodyHash: Buffer
}

/** One result for each key, in order; null if there is no such reservation. */
export async function listReserved(
  sql: Queryable,
  keys: readonly ReservationKey[],
): Promise<(Reserved | null)[]> {
  const rows = await sql<(Reserved | { id: null })[]>`
    select bookings.account_id as "accountId", bookings.id, bookings.basket_id as "basketId", slot.id as "timeslotId",
      products.id as "productId", products.activity_id as activity, slot.date, slot.time, bookings.reference,
      body_hash as "bodyHash"
    from unnest(
      ${keys.map(({ accountId }) => accountId)}::bigint[], ${keys.map(({ resellerId }) => resellerId)}::bigint[],
      ${keys.map(({ uuid }) => uuid)}::uuid[]
    ) with ordinality as key (account_id, reseller_id, uuid, place)
    left join reservations on reservations.account_id = key.account_id
      and reservations.reseller_id = key.reseller_id and reservations.uuid = key.uuid
    left join bookings on bookings.account_id = reservations.account_id and bookings.id = reservations.booking_id
    left join timeslots as slot on slot.account_id = bookings.account_id and slot.id = bookings.timeslot_id
    left join products on products.account_id = slot.account_id and products.id = slot.product_id
    order by place`
  return rows.map((row) => (row.id === null ? null : row))
}

export async function findReserved(sql: Queryable, key: ReservationKey): Promise<Reserved | null> {
  const [reserved = null] = await listReserved(sql, [key])
  return reserved
}

export type RequestedSlot = { activity: string; date: string; time: string }

/**
 * The product and its timeslot at this local date and time. Null if the product is not in the shopfront;
 * `timeslotId` is null if there is no such timeslot.
 */
export async function findSlot(sql: Queryable, accountId: number, { activity, date, time }: RequestedSlot) {
  const [found] = await sql<{ productId: number; timeslotId: number | null }[]>`
    select products.id as "productId", slot.id as "timeslotId"
    from products
    left join timeslots as slot on slot.account_id = products.account_id and slot.product_id = products.id
      and slot.date = ${date} and slot.time = ${time}
    where products.account_id = ${accountId} and activity_id = ${activity} and in_shopfront`
  return found ?? null
}

/** The valid tickets of a locked booking, in order. */
export function listValidTickets(tx: Transaction, accountId: number, bookingId: number) {
  return tx<KnownTicket[]>`
    select number, unit_id as "unitId", coalesce(reseller_uuid, uuid) as uuid
    from tickets
    where account_id = ${accountId} and booking_id = ${bookingId} and voided_at is null
    order by number`
}

/** The highest number of a ticket of a locked booking, including void tickets; 0 if it has none. */
export async function findLastNumber(tx: Transaction, accountId: number, bookingId: number): Promise<number> {
  const [row] = await tx<{ last: number }[]>`
    select coalesce(max(number), 0) as last from tickets
    where account_id = ${accountId} and booking_id = ${bookingId}`
  return row!.last
}

/**
 * The data that a reseller sends about a booking. A reseller is a partner that sells through OCTO. A field
 * that is undefined changes nothing. Null keeps the reference, keeps a field of the contact if the person stays
 * the same, and removes the notes. An empty text removes a field of the contact.
 */
export type ResellerDetails = {
  resellerReference?: string | null | undefined
  notes?: string | null | undefined
  emailReceipt?: boolean | undefined
  contact?: Contact | undefined
}

/**
 * The contact data that has no column of its own, as JSON without fields that are null or an empty list. An
 * empty text stays, because it removes a field.
 */
function contactJson(more: ContactMore): string {
  const isGiven = (part: string | string[] | null) => (Array.isArray(part) ? part.length > 0 : part !== null)
  return JSON.stringify(Object.fromEntries(Object.entries(more).filter(([, part]) => isGiven(part))))
}

/** The data of a reseller about a locked booking. */
export async function readResellerData(
  tx: Transaction,
  { accountId, id }: { accountId: number; id: number },
): Promise<ResellerData> {
  const [data] = await tx<ResellerData[]>`
    select payment_reference as "resellerReference", notes, email_receipt as "emailReceipt",
      reservations.contact as more, first_name as "firstName", last_name as "lastName", email, phone, answers, (
        select coalesce(json_agg(json_build_object('number', number, 'data', json_build_array(
          ticket.reseller_reference, ticket.first_name, ticket.last_name, ticket.email, ticket.phone, ticket.contact
        )) order by number), '[]')
        from tickets as ticket
        where ticket.account_id = bookings.account_id and ticket.booking_id = bookings.id and voided_at is null
      ) as tickets
    from bookings
    join reservations on reservations.account_id = bookings.account_id and reservations.booking_id = bookings.id
    where bookings.account_id = ${accountId} and bookings.id = ${id}`
  return data!
}

/** The contact data without columns of its own after a change, as in personAfter(); `row` has the former data. */
const moreAfter = (sql: Queryable, row: string) => sql`
  nullif(coalesce(case when is_same then ${sql(row)}.contact end, '{}') || coalesce(given.more, '{}'), '{}')`

/**
 * Writes resellers' data about locked bookings, each field of a contact separately. If a contact names another
 * person, the fields that it does not give are removed. Skips bookings whose customer is erased.
 */
export async function updateDetails(
  tx: Transaction,
  given: readonly (ResellerDetails & { accountId: number; bookingId: number })[],
): Promise<void> {
  const ofContact = (read: (contact: Contact) => string | null) =>
    column(given, ({ contact }) => (contact ? read(contact) : null))
  await tx`
    with given as (
      select * from unnest(
        ${given.map(({ accountId }) => accountId)}::bigint[], ${given.map(({ bookingId }) => bookingId)}::bigint[],
        ${column(given, ({ resellerReference }) => resellerReference ?? null)}::text[],
        ${given.map(({ notes }) => String(notes !== undefined))}::text[]::boolean[],
        ${column(given, ({ notes }) => notes ?? null)}::text[],
        ${column(given, ({ emailReceipt }) => (emailReceipt === undefined ? null : String(emailReceipt)))}::text[]::boolean[],
        ${ofContact(({ firstName }) => firstName)}::text[], ${ofContact(({ lastName }) => lastName)}::text[],
        ${ofContact(({ email }) => email)}::text[], ${ofContact(({ phone }) => phone)}::text[],
        ${ofContact(({ more }) => more && contactJson(more))}::text[]::jsonb[]
      ) as given (account_id, booking_id, reference, has_notes, notes, email_receipt, first_name, last_name, email, phone, more)
    ), changed as (
      select given.account_id, booking_id, given.reference, has_notes, given.notes, email_receipt, more, person.* from given
      join bookings as former on former.account_id = given.account_id and former.id = given.booking_id
        and former.erasure_id is null
      cross join lateral (${personAfter(tx, 'former')}) as person
    ), booked as (
      update bookings set
        payment_reference = coalesce(given.reference, payment_reference), first_name = given.first_name,
        last_name = given.last_name, email = given.email, phone = given.phone
      from changed as given
      where bookings.account_id = given.account_id and bookings.id = given.booking_id
    )
    update reservations set
      notes = case when has_notes then given.notes else reservations.notes end,
      email_receipt = coalesce(given.email_receipt, reservations.email_receipt),
      contact = ${moreAfter(tx, 'reservations')}
    from changed as given
    where reservations.account_id = given.account_id and reservations.booking_id = given.booking_id`
}

/**
 * Writes the reseller's data about tickets of a locked booking. Contacts are written as by updateDetails(). A null
 * reference removes the reference of the ticket. Writes nothing if the customer is erased.
 */
export async function updateTicketDetails(
  tx: Transaction,
  { accountId, id: bookingId }: { accountId: number; id: number },
  given: readonly (Pick<RequestedItem, 'resellerReference' | 'contact'> & { number: number })[],
): Promise<void> {
  const ofContact = (read: (contact: Contact) => string | null) =>
    column(given, ({ contact }) => (contact ? read(contact) : null))
  await tx`
    update tickets set
      reseller_reference = case when has_reference then given.reference else tickets.reseller_reference end,
      first_name = person.first_name, last_name = person.last_name, email = person.email, phone = person.phone,
      contact = ${moreAfter(tx, 'tickets')}
    from unnest(
      ${given.map(({ number }) => number)}::integer[],
      ${given.map(({ resellerReference }) => String(resellerReference !== undefined))}::text[]::boolean[],
      ${column(given, ({ resellerReference }) => resellerReference ?? null)}::text[],
      ${ofContact(({ firstName }) => firstName)}::text[], ${ofContact(({ lastName }) => lastName)}::text[],
      ${ofContact(({ email }) => email)}::text[], ${ofContact(({ phone }) => phone)}::text[],
      ${ofContact(({ more }) => more && contactJson(more))}::text[]::jsonb[]
    ) as given (number, has_reference, reference, first_name, last_name, email, phone, more)
    join bookings on bookings.account_id = ${accountId} and bookings.id = ${bookingId} and erasure_id is null
    join tickets as former on former.account_id = bookings.account_id and former.booking_id = bookings.id
      and former.number = given.number
    cross join lateral (${personAfter(tx, 'former')}) as person
    where tickets.account_id = ${accountId} and tickets.booking_id = ${bookingId} and tickets.number = given.number`
}

export type HeldRow = {
  reference: string
  partner: string | null
  product: string
  date: string
  time: string
  places: number
  heldUntil: Date
}

/**
 * The reservations that resellers hold now, in the order in which they expire. The column `participants`
 * counts places, not people.
 */
export function listHeld(sql: Queryable, accountId: number) {
  return sql<HeldRow[]>`
    select reference, partners.name as partner, products.name as product, slot.date, slot.time,
      participants as places, expires_at as "heldUntil"
    from baskets
    join bookings on bookings.account_id = baskets.account_id and bookings.basket_id = baskets.id
      and bookings.status = 'held'
    join timeslots as slot on slot.account_id = bookings.account_id and slot.id = bookings.timeslot_id
    join products on products.account_id = slot.account_id and products.id = slot.product_id
    left join partners on partners.account_id = bookings.account_id and partners.id = bookings.partner_id
    where baskets.account_id = ${accountId} and baskets.status = 'open' and baskets.channel = 'partner'
      and expires_at > app_now()
    order by expires_at, bookings.id`
}
