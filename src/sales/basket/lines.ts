/**
 * From the lines that somebody asks for to the timeslots they name, and to the refusal that names the line that
 * cannot be had. Takes no places itself.
 */
import { activityUuid } from '../../catalogue/model.ts'
import type { Authorship } from '../../events/actor.ts'
import { problems } from '../../http/problems.ts'
import { PlacesRefused } from '../../inventory/alternatives.ts'
import type {
  Customer,
  LockedTimeslot,
  NewBooking,
  PlacedBooking,
  Shortage,
} from '../../inventory/service.ts'
import { findShortages } from '../../inventory/service.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import type { FieldError } from '../../platform/schema/validation.ts'
import { checkAnswers, toStoredAnswers } from '../booking/answers.ts'
import { makeReference } from '../booking/model.ts'
import { findRefused } from './model.ts'
import { findNamed, type NamedLine } from './queries.ts'
import type { LineRequest } from './schemas.ts'

/** A line whose timeslot is known. */
export type Line = NamedLine & { timeslotId: number; participants: number; answers: string }

/**
 * Finds what lines name. Only the till may sell what is not in the shopfront.
 * @param path names the lines in a message: `Lines[0].` or nothing.
 * @throws Problem validation for an unknown ActivityID or QuestionID, PlacesRefused for a timeslot that does not
 *   exist.
 */
export async function findLines(
  tx: Transaction,
  accountId: number,
  channel: 'online' | 'pos',
  requests: readonly LineRequest[],
  path: (index: number) => string = (index) => `Lines[${index}].`,
): Promise<Line[]> {
  const named = requests.map((request) => ({
    activity: activityUuid(request.ActivityID),
    date: request.Date,
    time: request.Time,
    participants: request.Participants,
    answers: JSON.stringify(toStoredAnswers(request.Answers)),
  }))
  const found = await findNamed(tx, accountId, named, channel === 'online')
  const unknown = found.flatMap((line, index): FieldError[] => {
    const field = path(index)
    const where = channel === 'online' ? 'in the shopfront' : 'of this account'
    if (!line)
      return [{ field: `${field}ActivityID`, message: `is not the ActivityID of a product ${where}` }]
    return checkAnswers(requests[index]!.Answers, line.questionIds, field)
  })
  if (unknown.length > 0) throw problems.validation(unknown)
  return named.map((line, index) => {
    const { timeslotId } = found[index]!
    if (timeslotId === null)
      throw new PlacesRefused({ accountId, ...line }, { onSale: false, available: 0 }, index)
    return { ...line, timeslotId }
  })
}

/** Makes sure that new bookings can have all their places, whose timeslots are locked. @throws PlacesRefused. */
export async function checkPlaces(tx: Transaction, accountId: number, lines: readonly Line[]): Promise<void> {
  const changes = lines.map(({ timeslotId, participants }) => {
    return { from: null, to: { accountId, timeslotId, participants, status: 'held' as const } }
  })
  const shortages = await findShortages(tx, changes)
  if (shortages.length > 0) throw refusalOf(accountId, lines, shortages)
}

export function refusalOf(
  accountId: number,
  lines: readonly (NamedLine & { timeslotId: number; participants: number })[],
  shortages: readonly Shortage[],
): Error {
  const { index, ...refusal } = findRefused(lines, shortages)
  return new PlacesRefused({ accountId, ...lines[index]! }, refusal, index)
}

/** The bookings that lines become, on their locked timeslots. */
export function toBookings(
  lines: readonly Line[],
  slots: ReadonlyMap<number, LockedTimeslot>,
  common: Customer & Authorship & Pick<NewBooking, 'basketId' | 'channel' | 'status'>,
): PlacedBooking[] {
  return lines.map(({ timeslotId, participants, answers }) => {
    const own = { id: null, partnerId: null, paymentReference: null, reference: makeReference() }
    return { booking: { ...common, ...own, participants, answers }, slot: slots.get(timeslotId)! }
  })
}
