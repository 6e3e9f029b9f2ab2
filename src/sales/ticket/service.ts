/**
 * Use cases of tickets for their operator: making, listing, describing and redeeming them. Each change is one
 * transaction, which locks the booking before it changes the tickets.
 */

import type { Actor } from '../../events/actor.ts'
import { problems } from '../../http/problems.ts'
import { type Booking, changeBookings, makeTickets as makeRows, peopleOf } from '../../inventory/service.ts'
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import { type OnceRequest, runAgain, runOnce } from '../../platform/postgres/run-once.ts'
import { attend, checkInDetails, withHere } from '../booking/changes/attending.ts'
import { checkStatus, lockBooking, readUnlocked, type Subject } from '../booking/changes/locking.ts'
import { updateAttendance } from '../booking/changes/queries.ts'
import { toCustomer } from '../booking/customer.ts'
import { changedTicketFields, isTicketId, type TicketDescription } from './model.ts'
import * as queries from './queries.ts'
import type { TicketRequest, TicketView } from './schemas.ts'
import { ticketView } from './view.ts'

/** The ticket that is changed, and the actor who changes it. */
export type TicketSubject = { accountId: number; ticketId: string; actor: Actor }

/**
 * Makes the tickets of a confirmed booking, unless it has tickets already, and returns them.
 * @throws Problem not-found or booking-not-changeable.
 */
export function makeTickets(sql: Sql, subject: Subject): Promise<TicketView[]> {
  return runAgain(sql, async (tx) => {
    const booking = await lockBooking(tx, subject)
    checkStatus(booking, 'ticket')
    if (!booking.hasTickets) await makeRows(tx, booking)
    const tickets = await queries.listTickets(tx, subject.accountId, booking.id)
    if (!booking.hasTickets) {
      const details = { Tickets: tickets.length }
      await changeBookings(tx, subject.actor, [{ booking, to: {}, action: 'tickets-made', details }])
    }
    return tickets.map(ticketView)
  })
}

/**
 * All tickets of a booking, in their order, including void ones; none before tickets are made.
 * @throws Problem not-found.
 */
export async function listTickets(
  sql: Sql,
  subject: Pick<Subject, 'accountId' | 'reference'>,
): Promise<TicketView[]> {
  const { id } = await readUnlocked(sql, subject)
  return (await queries.listTickets(sql, subject.accountId, id)).map(ticketView)
}

/** The tickets of a timeslot's confirmed bookings, without void tickets, by booking and number. */
export async function listValidTickets(
  sql: Sql,
  accountId: number,
  timeslotId: number,
): Promise<TicketView[]> {
  return (await queries.listTicketsOfTimeslot(sql, accountId, timeslotId)).map(ticketView)
}

/**
 * Changes the contact of a ticket as a whole, and the reseller's reference. The history stores the names of the changed
 * fields.
 * @throws Problem not-found, ticket-void, booking-not-changeable or customer-erased.
 */
export function describeTicket(
  sql: Sql,
  subject: Subject,
  { ticketId, request }: { ticketId: string; request: TicketRequest },
): Promise<TicketView> {
  const { accountId, actor } = subject
  return runAgain(sql, async (tx) => {
    const booking = await lockBooking(tx, subject)
    const from = await readTicket(tx, accountId, ticketId)
    if (from.bookingId !== booking.id) throw problems.ticketNotFound()
    checkValid(from, booking)
    const to = described(from, request)
    const fields = changedTicketFields(from, to)
    if (fields.length > 0) {
      if (!(await queries.updateTicket(tx, accountId, ticketId, to))) throw problems.customerErased()
      const details = { Ticket: from.number, Fields: fields }
      await changeBookings(tx, actor, [{ booking, to: {}, action: 'ticket-changed', details }])
    }
    return ticketView({ ...from, ...to })
  })
}

function described(
  from: TicketDescription,
  { Contact, ResellerReference }: TicketRequest,
): TicketDescription {
  const { firstName, lastName, email, phone } = Contact ? toCustomer(Contact) : from
  const resellerReference = ResellerReference ?? from.resellerReference
  return { firstName, lastName, email, phone, resellerReference: resellerReference || null }
}

/**
 * Redeems a ticket, and adds its people to the people who are checked in. The first redeemed ticket checks
 * its booking in.
 * @throws Problem not-found, ticket-void, booking-not-changeable, or ticket-redeemed if it was already redeemed. A
 *   retry with the same idempotency key gets the first response.
 */
export function redeem(sql: Sql, once: OnceRequest, subject: TicketSubject) {
  const { accountId, ticketId, actor } = subject
  return runOnce(sql, once, async (tx) => {
    const { ticket, booking } = await lockTicket(tx, subject)
    checkValid(ticket, booking)
    if (ticket.redeemedAt) throw problems.ticketRedeemed(ticket.redeemedAt)
    await admit(tx, actor, booking, ticket)
    return ticketView(await readTicket(tx, accountId, ticketId))
  })
}

/**
 * Redeems a ticket of a locked booking, and checks its people in. The caller has checked that the ticket is
 * valid and not redeemed.
 */
export async function admit(
  tx: Transaction,
  actor: Actor,
  booking: Booking,
  { uuid, number, unitId }: queries.TicketRow,
): Promise<void> {
  const { accountId, id, participants } = booking
  await queries.updateRedemption(tx, accountId, uuid, { isRedeemed: true })
  const peopleHere = Math.max(1, Math.min(participants, booking.peopleHere + peopleOf(booking, unitId)))
  const to = withHere(booking, peopleHere)
  const details = { Ticket: number, ...checkInDetails(booking, to) }
  await changeBookings(tx, actor, [{ booking, to: {}, action: 'ticket-redeemed', details }])
  if (booking.attendance === 'checked-in') await updateAttendance(tx, accountId, id, to)
  else await attend(tx, actor, booking, to)
}

/**
 * Undoes the redemption of a ticket; does nothing for a ticket that is not redeemed. The people of the ticket
 * are no longer checked in. If nobody else of the party is checked in, the booking is no longer checked in.
 * @throws Problem not-found, ticket-void or booking-not-changeable.
 */
export function undoRedemption(sql: Sql, once: OnceRequest, subject: TicketSubject) {
  const { accountId, ticketId, actor } = subject
  return runOnce(sql, once, async (tx) => {
    const { ticket, booking } = await lockTicket(tx, subject)
    checkValid(ticket, booking)
    if (!ticket.redeemedAt) return ticketView(ticket)
    await queries.updateRedemption(tx, accountId, ticketId, { isRedeemed: false })
    const isLast = !(await queries.hasRedeemed(tx, accountId, booking.id))
    const left = booking.peopleHere - peopleOf(booking, ticket.unitId)
    const isCheckedIn = booking.attendance === 'checked-in'
    const to = isCheckedIn ? withHere(booking, Math.max(isLast ? 0 : 1, left)) : booking
    const details = { Ticket: ticket.number, ...checkInDetails(booking, to) }
    await changeBookings(tx, actor, [{ booking, to: {}, action: 'redemption-undone', details }])
    if (isCheckedIn && to.attendance === null) await attend(tx, actor, booking, to)
    else if (isCheckedIn) await updateAttendance(tx, accountId, booking.id, to)
    return ticketView({ ...ticket, redeemedAt: null })
  })
}

/** Locks the booking of a ticket, and then reads the ticket. @throws Problem not-found. */
async function lockTicket(tx: Transaction, { accountId, ticketId, actor }: TicketSubject) {
  const { reference } = await readTicket(tx, accountId, ticketId)
  const booking = await lockBooking(tx, { accountId, reference, actor })
  return { ticket: await readTicket(tx, accountId, ticketId), booking }
}

async function readTicket(tx: Transaction, accountId: number, ticketId: string): Promise<queries.TicketRow> {
  const ticket = isTicketId(ticketId) ? await queries.findTicket(tx, accountId, ticketId) : null
  if (!ticket) throw problems.ticketNotFound()
  return ticket
}

function checkValid({ voidedAt }: queries.TicketRow, booking: Booking): void {
  if (voidedAt) throw problems.ticketVoid(voidedAt)
  checkStatus(booking, 'ticket')
}
