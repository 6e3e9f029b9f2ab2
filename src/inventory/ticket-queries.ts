/** The SQL that writes the tickets of locked bookings when these change. */

import { column } from '../platform/postgres/column.ts'
import type { Transaction } from '../platform/postgres/database.ts'
import type { Contact } from './hold-model.ts'
import { type RowKey, unnestKeys } from './lock-queries.ts'
import type { ExistingTicket, TicketUnit } from './ticket-model.ts'

/** All tickets of bookings, including void tickets, by booking and number. */
export function listAllTickets(tx: Transaction, bookings: readonly RowKey[]) {
  return tx<(ExistingTicket & { bookingId: number })[]>`
    select tickets.booking_id as "bookingId", number, unit_id as "unitId", redeemed_at is not null as "isRedeemed",
      voided_at is not null as "isVoid"
    from ${unnestKeys(tx, bookings)}
    join tickets on tickets.account_id = key.account_id and tickets.booking_id = key.id
    order by tickets.booking_id, number`
}

/** A ticket, by its booking and number. */
export type TicketKey = { accountId: number; bookingId: number; number: number }

/** The data that a reseller has sent for a ticket, if any. */
export type ResellerTicket = {
  uuid?: string | null
  resellerReference?: string | null
  contact?: Contact | null
}

export async function insertTickets(
  tx: Transaction,
  tickets: readonly (TicketKey & TicketUnit & ResellerTicket)[],
): Promise<void> {
  const ofContact = (read: (contact: Contact) => string | null) =>
    column(tickets, ({ contact }) => (contact && read(contact)) || null)
  await tx`
    insert into tickets (account_id, booking_id, number, unit_id, unit_name, unit_type, reseller_uuid,
      reseller_reference, first_name, last_name, email, phone, contact)
    select * from unnest(
      ${tickets.map(({ accountId }) => accountId)}::bigint[],
      ${tickets.map(({ bookingId }) => bookingId)}::bigint[],
      ${tickets.map(({ number }) => number)}::integer[],
      ${tickets.map(({ unitId }) => unitId)}::bigint[],
      ${tickets.map(({ unitName }) => unitName)}::text[],
      ${tickets.map(({ unitType }) => unitType)}::text[],
      ${column(tickets, ({ uuid }) => uuid ?? null)}::uuid[],
      ${column(tickets, ({ resellerReference }) => resellerReference ?? null)}::text[],
      ${ofContact(({ firstName }) => firstName)}::text[], ${ofContact(({ lastName }) => lastName)}::text[],
      ${ofContact(({ email }) => email)}::text[], ${ofContact(({ phone }) => phone)}::text[],
      ${ofContact(({ more }) => more && JSON.stringify(more))}::text[]::jsonb[]
    )`
}

export async function voidTickets(tx: Transaction, tickets: readonly TicketKey[]): Promise<void> {
  await tx`
    update tickets set voided_at = app_now()
    from unnest(
      ${tickets.map(({ accountId }) => accountId)}::bigint[],
      ${tickets.map(({ bookingId }) => bookingId)}::bigint[],
      ${tickets.map(({ number }) => number)}::integer[]
    ) as given (account_id, booking_id, number)
    where tickets.account_id = given.account_id and tickets.booking_id = given.booking_id
      and tickets.number = given.number`
}

/**
 * Voids the valid tickets of bookings that are no longer held or confirmed, for example after a cancellation. A
 * redeemed ticket keeps its time of redemption.
 */
export async function voidTicketsOf(tx: Transaction, bookings: readonly RowKey[]): Promise<void> {
  await tx`
    update tickets set voided_at = app_now()
    from ${unnestKeys(tx, bookings)}
    where tickets.account_id = key.account_id and tickets.booking_id = key.id and voided_at is null`
}

export async function clearRedemptions(tx: Transaction, bookings: readonly RowKey[]): Promise<void> {
  await tx`
    update tickets set redeemed_at = null
    from ${unnestKeys(tx, bookings)}
    where tickets.account_id = key.account_id and tickets.booking_id = key.id and voided_at is null
      and redeemed_at is not null`
}

/** Marks a booking as one with tickets, so that later changes of the booking change its tickets too. */
export async function markTicketed(tx: Transaction, { accountId, id }: RowKey): Promise<void> {
  await tx`update bookings set has_tickets = true where account_id = ${accountId} and id = ${id}`
}
