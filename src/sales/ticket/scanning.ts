/**
 * Scans of the codes of guests at the start of a departure. A code is the ID of a ticket, or the reference of
 * a booking, which is a code for the whole party. A scan shows whose code it is, and checks the guests in if
 * possible.
 */

import { getTimeslot, type Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import type { Actor } from '../../events/actor.ts'
import type { Booking } from '../../inventory/service.ts'
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import { type OnceRequest, runOnce } from '../../platform/postgres/run-once.ts'
import { dateIn } from '../../platform/text/calendar.ts'
import { attend, attendanceAfter } from '../booking/changes/attending.ts'
import { lockBooking } from '../booking/changes/locking.ts'
import { findUnlocked } from '../booking/changes/queries.ts'
import type { BookingRecord } from '../booking/desk/schemas.ts'
import { getBooking } from '../booking/desk/service.ts'
import { isReference } from '../booking/model.ts'
import { isTicketId } from './model.ts'
import { findLastArrival, findTicket, type TicketRow } from './queries.ts'
import type { TicketView } from './schemas.ts'
import { admit } from './service.ts'
import { ticketView } from './view.ts'

export type Scan = {
  code: string
  /**
   * How many of a party have come now. With null, a party of more than one gets the result `how-many`.
   * Ignored for the code of a ticket.
   */
  people: number | 'all' | null
  /** The departure that is boarding; null to accept every departure of the day. */
  timeslotId: number | null
  /** Whether a guest of another day or departure is checked in too. */
  anyway: boolean
  at: Date
}

export type ScanResult =
  | 'checked-in'
  /** The scan must say how many of the party have come. */
  | 'how-many'
  | 'already-here'
  | 'wrong-day'
  | 'other-departure'
  /** The booking is not confirmed. */
  | 'not-confirmed'
  /** The ticket is void, because a change of its booking removed it. The booking is still confirmed. */
  | 'void'
  | 'unknown'

export type ScanOutcome = {
  result: ScanResult
  /** Null for an unknown code. */
  booking: BookingRecord | null
  /** Null for the reference of a booking. */
  ticket: TicketView | null
  /**
   * For `already-here`: when the guests were checked in. For `void`: when the ticket became void. Null for
   * all other results.
   */
  since: string | null
}

type Scanner = { accountId: number; actor: Actor }

/** How long before the start a guest may be checked in for a departure of the next day. */
const earlyMs = 6 * 3600 * 1000

/**
 * Carries the result of a scan that checks nobody in. It rolls the transaction back, so the idempotency key is not
 * stored.
 */
class NobodyCheckedIn extends Error {
  readonly outcome: ScanOutcome

  constructor(outcome: ScanOutcome) {
    super('a scan that checks nobody in')
    this.outcome = outcome
  }
}

/**
 * Checks in the holder of a ticket, or people of a party, once for each idempotency key. A second scan of a
 * ticket, or of a party with `all`, changes nothing. A second scan with a number of people checks in that
 * many more, up to the whole party. If nobody can be checked in, it does not throw, but returns the reason.
 */
export async function scan(sql: Sql, once: OnceRequest, by: Scanner, given: Scan): Promise<ScanOutcome> {
  try {
    const { answer } = await runOnce(sql, once, async (tx) => {
      const outcome = await scanWithin(tx, by, given)
      if (outcome.result !== 'checked-in') throw new NobodyCheckedIn(outcome)
      return outcome
    })
    return answer
  } catch (error) {
    if (error instanceof NobodyCheckedIn) return error.outcome
    throw error
  }
}

async function scanWithin(tx: Transaction, { accountId, actor }: Scanner, given: Scan): Promise<ScanOutcome> {
  const found = await findScanned(tx, accountId, given.code.trim())
  if (!found) return { result: 'unknown', booking: null, ticket: null, since: null }
  const booking = await lockBooking(tx, { accountId, reference: found.reference, actor })
  // The ticket is read again, because another scanner may have redeemed it before the booking was locked.
  const ticket = found.ticket && (await findTicket(tx, accountId, found.ticket.uuid))
  const slot = await getTimeslot(tx, accountId, booking.timeslotId)
  const result = refusalOf(booking, ticket, slot, given) ?? (await checkIn(tx, actor, booking, ticket, given))
  const isHere = result === 'already-here'
  const arrival = isHere && !ticket ? await findLastArrival(tx, accountId, booking.id) : null
  const since = isHere ? (ticket?.redeemedAt ?? arrival) : result === 'void' ? ticket!.voidedAt : null
  const now = ticket && (await findTicket(tx, accountId, ticket.uuid))
  return {
    result,
    booking: await getBooking(tx, accountId, booking.reference),
    ticket: now && ticketView(now),
    since: since?.toISOString() ?? null,
  }
}

/** Finds a ticket by its ID, or a booking by its reference in upper or lower case; null if there is none. */
async function findScanned(tx: Transaction, accountId: number, code: string) {
  if (isTicketId(code)) {
    const ticket = await findTicket(tx, accountId, code)
    return ticket && { reference: ticket.reference, ticket }
  }
  const reference = code.toUpperCase()
  const existing = isReference(reference) ? await findUnlocked(tx, accountId, reference) : null
  return existing && { reference, ticket: null }
}

/** The reason why the scan cannot check anybody in; null if it can. */
function refusalOf(
  booking: Booking,
  ticket: TicketRow | null,
  slot: Timeslot,
  { timeslotId, anyway, at }: Scan,
): ScanResult | null {
  if (booking.status !== 'confirmed') return 'not-confirmed'
  if (ticket?.voidedAt) return 'void'
  const isOther = timeslotId !== null && booking.timeslotId !== timeslotId
  if (!anyway && !isOnTime(slot, at)) return 'wrong-day'
  if (!anyway && isOther) return 'other-departure'
  const isWhole = booking.attendance === 'checked-in' && booking.peopleHere >= booking.participants
  return (ticket ? ticket.redeemedAt !== null : isWhole) ? 'already-here' : null
}

/**
 * Whether `at` is on the local day of the departure, during the departure, or at most six hours before its
 * start.
 */
function isOnTime({ date, timeZone, startsAt, endsAt }: Timeslot, at: Date): boolean {
  const isNear = at.getTime() >= startsAt.getTime() - earlyMs && at <= endsAt
  return isNear || date === dateIn(timeZone, at)
}

async function checkIn(
  tx: Transaction,
  actor: Actor,
  booking: Booking,
  ticket: TicketRow | null,
  { people }: Scan,
): Promise<ScanResult> {
  if (ticket) {
    await admit(tx, actor, booking, ticket)
    return 'checked-in'
  }
  if (people === null && booking.participants > 1) return 'how-many'
  const attendance = 'checked-in' as const
  const given = typeof people === 'number' ? { attendance, more: people } : { attendance }
  await attend(tx, actor, booking, attendanceAfter(booking, given))
  return 'checked-in'
}
