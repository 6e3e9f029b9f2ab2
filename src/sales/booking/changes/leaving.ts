/** Removes people from a party that becomes smaller: their tickets, their answers, and their check-in. */
import type { Actor } from '../../../events/actor.ts'
import { problems } from '../../../http/problems.ts'
import { type Booking, type Bought, countUnits, peopleOf } from '../../../inventory/service.ts'
import { voidTickets } from '../../../inventory/ticket-queries.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import type { FieldError } from '../../../platform/schema/validation.ts'
import { attend, withHere } from './attending.ts'
import { answersWithout, leavingOfUnit, type StoredAnswers } from './leaving-model.ts'
import * as queries from './queries.ts'
import type { LeavingRequest } from './schemas.ts'

/**
 * Voids the named tickets and removes the answers of the named participants, before the booking is changed.
 * @returns how many people are checked in after the change: the requested number or, without one, the current
 *   number minus the people of voided tickets that were redeemed. Undefined if no number is requested and no such
 *   ticket is voided, or if the party is not checked in.
 * @throws Problem validation if one of these is true:
 *   - a named ticket is not a valid ticket of the booking;
 *   - more tickets of a unit are named than must become void;
 *   - a named participant is not in the party;
 *   - participants are named, but their number is not the number of people who leave;
 *   - `PeopleHere` is more than the people who remain, or more than the people who are checked in now.
 */
export async function removeLeaving(
  tx: Transaction,
  booking: Booking,
  bought: Bought,
  leaving: LeavingRequest,
): Promise<number | undefined> {
  const { accountId, id: bookingId } = booking
  const ids = new Set((leaving.TicketIDs ?? []).map((id) => id.toLowerCase()))
  const valid = ids.size > 0 ? await queries.listValidTickets(tx, accountId, bookingId) : []
  const named = valid.filter(({ uuid }) => ids.has(uuid))
  const errors = [
    ...ticketErrors({ bought, valid, named, wanted: ids.size }),
    ...participantErrors(booking, bought, leaving.Participants),
    ...hereErrors(booking, bought, leaving.PeopleHere),
  ]
  if (errors.length > 0) throw problems.validation(errors)
  if (named.length > 0)
    await voidTickets(
      tx,
      named.map(({ number }) => ({ accountId, bookingId, number })),
    )
  if (leaving.Participants?.length) await removeAnswers(tx, booking, leaving.Participants)
  if (booking.attendance !== 'checked-in') return undefined
  const gone = named.filter(({ isRedeemed }) => isRedeemed)
  const goneHere = gone.reduce((sum, { unitId }) => sum + peopleOf(booking, unitId), 0)
  const stayHere = goneHere > 0 ? Math.max(0, booking.peopleHere - goneHere) : undefined
  return leaving.PeopleHere ?? stayHere
}

/**
 * Stores how many people of a changed booking are checked in. If nobody is, it clears the check-in, with an event. If
 * people who are not checked in leave, they are first taken from those marked as absent, and only then from those who
 * have no mark yet.
 * @param before the booking as it was locked.
 * @param here the result of removeLeaving(); if undefined, nothing is stored.
 */
export async function storeCheckedIn(
  tx: Transaction,
  actor: Actor,
  before: Booking,
  bought: Bought,
  here: number | undefined,
): Promise<void> {
  if (here === undefined) return
  const leave = before.participants - bought.participants
  const othersLeave = Math.max(0, leave - (before.peopleHere - here))
  const peopleAbsent = Math.max(0, before.peopleAbsent - othersLeave)
  const booking = { ...before, ...bought, peopleAbsent }
  const counted = withHere(booking, Math.min(here, booking.participants))
  if (counted.attendance === null) await attend(tx, actor, booking, counted)
  else await queries.updateAttendance(tx, booking.accountId, booking.id, counted)
}

type NamedTickets = {
  bought: Bought
  valid: readonly queries.ValidTicket[]
  named: readonly queries.ValidTicket[]
  /** How many different tickets the request names. */
  wanted: number
}

function ticketErrors({ bought, valid, named, wanted }: NamedTickets): FieldError[] {
  const field = 'Leaving.TicketIDs'
  if (named.length < wanted) return [{ field, message: 'must be valid tickets of this booking' }]
  const staying = new Map(countUnits(bought.units ?? []).map(({ UnitID, Quantity }) => [UnitID, Quantity]))
  const units = [...new Set(named.map(({ unitId }) => unitId))]
  return units.flatMap((unitId) => {
    const own = valid.filter((ticket) => ticket.unitId === unitId)
    const stay = bought.units ? (staying.get(unitId) ?? 0) : bought.participants
    const most = leavingOfUnit(own.length, stay)
    const given = named.filter((ticket) => ticket.unitId === unitId).length
    if (given <= most) return []
    const { unitName } = own[0]!
    const message = unitName
      ? `must name at most ${most} of ${unitName}: the change removes no more`
      : `must name at most ${most}: no more people leave`
    return [{ field, message }]
  })
}

function participantErrors(booking: Booking, bought: Bought, given: readonly number[] = []): FieldError[] {
  if (given.length === 0) return []
  const field = 'Leaving.Participants'
  const leave = Math.max(0, booking.participants - bought.participants)
  const distinct = new Set(given)
  if (given.some((number) => number > booking.participants))
    return [{ field, message: `must be from 1 to ${booking.participants}, the people of the party` }]
  if (distinct.size === leave) return []
  const message =
    leave === 0
      ? 'must be left out: nobody leaves'
      : `must name ${leave} of the participants, one for each person who leaves`
  return [{ field, message }]
}

function hereErrors(booking: Booking, bought: Bought, given: number | undefined): FieldError[] {
  if (given === undefined) return []
  const most = Math.min(booking.peopleHere, bought.participants)
  if (given <= most) return []
  return [{ field: 'Leaving.PeopleHere', message: `must be at most ${most}` }]
}

/** Removes the answers of these participants. Answers for the whole party and to deleted questions stay. */
async function removeAnswers(
  tx: Transaction,
  { accountId, id: bookingId }: Booking,
  participants: readonly number[],
): Promise<void> {
  const from = await queries.readDescription(tx, accountId, bookingId)
  const answers: StoredAnswers = from.answers
  const ids = answers.map(({ QuestionID }) => QuestionID)
  const perPerson = new Set(await queries.listParticipantQuestions(tx, accountId, ids))
  const left = answersWithout(answers, participants, (id) => perPerson.has(id))
  await queries.updateDescriptions(tx, accountId, [{ bookingId, ...from, answers: left }])
}
