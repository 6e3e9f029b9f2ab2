/**
 * The SQL that reads and erases the contacts on tickets. The contact is the customer of the booking or
 * another person.
 */
import type { Queryable, Transaction } from '../platform/postgres/database.ts'
import { selectTickets, type TicketRow } from '../sales/ticket/queries.ts'
import type { CustomerIdentifier } from './model.ts'
import { type ErasedBooking, isOfCustomer } from './queries.ts'

/** Whether a row of tickets, with the name `ticket`, has the contact of this customer. */
function isTheirContact(sql: Queryable, { email, phone }: CustomerIdentifier) {
  return sql`(false
    ${email === null ? sql`` : sql`or lower(ticket.email) = lower(${email})`}
    ${phone === null ? sql`` : sql`or ticket.phone = ${phone}`})`
}

export function listTicketsOf(sql: Queryable, accountId: number, bookingIds: number[]) {
  return sql<TicketRow[]>`
    ${selectTickets(sql)}
    where ticket.account_id = ${accountId} and ticket.booking_id = any(${bookingIds}::bigint[])
    order by ticket.booking_id, ticket.number`
}

/** The tickets with the customer's contact in bookings of others. */
export function listTheirTickets(sql: Queryable, accountId: number, who: CustomerIdentifier) {
  return sql<TicketRow[]>`
    ${selectTickets(sql)}
    where ticket.account_id = ${accountId} and ${isTheirContact(sql, who)} and ${isOfCustomer(sql, who)} is not true
    order by ticket.booking_id, ticket.number`
}

/** Deletes the contacts from the tickets of locked bookings. */
export async function eraseTicketsOf(
  tx: Transaction,
  accountId: number,
  bookingIds: number[],
): Promise<void> {
  await tx`
    update tickets set first_name = null, last_name = null, email = null, phone = null, contact = null
    where account_id = ${accountId} and booking_id = any(${bookingIds}::bigint[])`
}

/** How many tickets have the customer's contact. */
export async function countContacts(
  sql: Queryable,
  accountId: number,
  who: CustomerIdentifier,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from tickets as ticket where account_id = ${accountId} and ${isTheirContact(sql, who)}`
  return row!.count
}

/**
 * Locks some bookings of any customer that have a ticket with this customer's contact, in the order of their
 * ids.
 */
export function lockBookingsOfContact(
  tx: Transaction,
  accountId: number,
  who: CustomerIdentifier,
  limit: number,
) {
  return tx<ErasedBooking[]>`
    select id, basket_id as "basketId", timeslot_id as "timeslotId", partner_id as "partnerId", channel,
      has_tickets as "hasTickets"
    from bookings
    where account_id = ${accountId} and id = any(array(
      select booking_id from tickets as ticket where account_id = ${accountId} and ${isTheirContact(tx, who)}
    ))
    order by id limit ${limit}
    for update`
}

/** Deletes the customer's contact from the tickets of locked bookings. Returns the changed tickets. */
export function eraseContacts(
  tx: Transaction,
  accountId: number,
  who: CustomerIdentifier,
  bookingIds: number[],
) {
  return tx<{ bookingId: number; number: number }[]>`
    update tickets as ticket set first_name = null, last_name = null, email = null, phone = null, contact = null
    where account_id = ${accountId} and booking_id = any(${bookingIds}::bigint[]) and ${isTheirContact(tx, who)}
    returning booking_id as "bookingId", number`
}
