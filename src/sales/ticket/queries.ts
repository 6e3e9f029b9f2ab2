/** The SQL that reads and redeems tickets, and writes their holders. */
import { hasArrived } from '../../events/queries.ts'
import type { ContactMore } from '../../inventory/hold-model.ts'
import { endsAt } from '../../inventory/on-sale.ts'
import { isSamePerson } from '../../inventory/same-person.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import type { TicketDescription } from './model.ts'

/** `unitName` and `unitType` are null for a product without units. */
export type TicketRow = TicketDescription & {
  accountId: number
  uuid: string
  number: number
  bookingId: number
  reference: string
  productName: string
  date: string
  time: string
  unitId: number
  unitName: string | null
  unitType: string | null
  /** More contact data, which only tickets of resellers have. */
  more: ContactMore | null
  redeemedAt: Date | null
  voidedAt: Date | null
}

/** Selects tickets with the alias `ticket`. The caller appends a condition on the account. */
export const selectTickets = (sql: Queryable) => sql`
  select ticket.account_id as "accountId", ticket.uuid, ticket.number, ticket.booking_id as "bookingId",
    bookings.reference, products.name as "productName", slot.date, slot.time, ticket.unit_id as "unitId", ticket.unit_name as "unitName",
    ticket.unit_type as "unitType", ticket.first_name as "firstName", ticket.last_name as "lastName", ticket.email,
    ticket.phone, ticket.contact as more, ticket.reseller_reference as "resellerReference", ticket.redeemed_at as "redeemedAt",
    ticket.voided_at as "voidedAt"
  from tickets as ticket
  join bookings on bookings.account_id = ticket.account_id and bookings.id = ticket.booking_id
  join timeslots as slot on slot.account_id = bookings.account_id and slot.id = bookings.timeslot_id
  join products on products.account_id = slot.account_id and products.id = slot.product_id`

/** All tickets of a booking, including void tickets, in their order. */
export function listTickets(sql: Queryable, accountId: number, bookingId: number) {
  return sql<TicketRow[]>`
    ${selectTickets(sql)}
    where ticket.account_id = ${accountId} and ticket.booking_id = ${bookingId}
    order by ticket.number`
}

/** The tickets of a timeslot’s confirmed bookings, without void tickets. */
export function listTicketsOfTimeslot(sql: Queryable, accountId: number, timeslotId: number) {
  return sql<TicketRow[]>`
    ${selectTickets(sql)}
    where bookings.account_id = ${accountId} and bookings.timeslot_id = ${timeslotId}
      and bookings.status = 'confirmed' and bookings.has_tickets and ticket.voided_at is null
    order by ticket.booking_id, ticket.number`
}

export async function findTicket(sql: Queryable, accountId: number, uuid: string) {
  const [ticket] = await sql<TicketRow[]>`
    ${selectTickets(sql)}
    where ticket.account_id = ${accountId} and ticket.uuid = ${uuid}`
  return ticket ?? null
}

/** The last time at which a person of a booking was checked in; null if nobody was. */
export async function findLastArrival(tx: Transaction, accountId: number, bookingId: number) {
  const [row] = await tx<{ at: Date | null }[]>`
    select max(occurred_at) as at from events
    where account_id = ${accountId} and booking_id = ${bookingId}
      and type in ('booking.checked-in', 'booking.ticket-redeemed') and ${hasArrived(tx, tx`events`)}`
  return row!.at
}

/** Redeems a ticket of a locked booking, or undoes that. */
export async function updateRedemption(
  tx: Transaction,
  accountId: number,
  uuid: string,
  { isRedeemed }: { isRedeemed: boolean },
): Promise<void> {
  await tx`
    update tickets set redeemed_at = case when ${isRedeemed} then app_now() end
    where account_id = ${accountId} and uuid = ${uuid}`
}

/** Whether any valid ticket of a booking is redeemed. */
export async function hasRedeemed(tx: Transaction, accountId: number, bookingId: number): Promise<boolean> {
  const [row] = await tx<{ found: boolean }[]>`
    select exists (
      select from tickets
      where account_id = ${accountId} and booking_id = ${bookingId} and redeemed_at is not null and voided_at is null
    ) as found`
  return row!.found
}

/**
 * Writes the description of a ticket, unless the customer of its booking is erased; returns whether it did. If the
 * holder becomes another person, the data that only a reseller sends about the former holder is removed.
 */
export async function updateTicket(
  tx: Transaction,
  accountId: number,
  uuid: string,
  { firstName, lastName, email, phone, resellerReference }: TicketDescription,
): Promise<boolean> {
  const { count } = await tx`
    update tickets set first_name = given.first_name, last_name = given.last_name, email = given.email,
      phone = given.phone, reseller_reference = ${resellerReference},
      contact = case when ${isSamePerson(tx, 'tickets', 'given')} then tickets.contact end
    from bookings, (
      select ${firstName}::text as first_name, ${lastName}::text as last_name, ${email}::text as email,
        ${phone}::text as phone
    ) as given
    where tickets.account_id = ${accountId} and tickets.uuid = ${uuid}
      and bookings.account_id = tickets.account_id and bookings.id = tickets.booking_id
      and bookings.erasure_id is null`
  return count === 1
}

/** All tickets of the booking with this reference, including void tickets, in their order. */
export function listTicketsOfReference(sql: Queryable, accountId: number, reference: string) {
  return sql<TicketRow[]>`
    ${selectTickets(sql)}
    where bookings.account_id = ${accountId} and bookings.reference = ${reference}
    order by ticket.number`
}

/** The description of the booked product, and the times of its timeslot. */
export type SheetFacts = {
  description: string
  durationMinutes: number
  startsAt: Date
  endsAt: Date
  /** The day after the date of the timeslot: the exclusive end of an all-day entry in a calendar. */
  nextDate: string
  timeZone: string
}

/** The facts of a booking; null if there is no booking with this reference. */
export async function findSheetFacts(sql: Queryable, accountId: number, reference: string) {
  const [facts] = await sql<SheetFacts[]>`
    select products.description, duration_minutes as "durationMinutes", slot.starts_at as "startsAt",
      ${endsAt(sql)} as "endsAt", (slot.date + 1)::date as "nextDate", time_zone as "timeZone"
    from bookings
    join timeslots as slot on slot.account_id = bookings.account_id and slot.id = bookings.timeslot_id
    join products on products.account_id = slot.account_id and products.id = slot.product_id
    where bookings.account_id = ${accountId} and bookings.reference = ${reference}`
  return facts ?? null
}
