/**
 * From the lines that somebody asks for to the timeslots they name, and to the refusal that names the line that
 * cannot be had. Takes no places itself.
 */

import { activityUuid } from '../../catalogue/model.ts'
import { problems } from '../../http/problems.ts'
import type { BookingInsert, Customer, Shortage } from '../../inventory/service.ts'
import { findShortages } from '../../inventory/service.ts'
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import type { FieldError } from '../../platform/schema/validation.ts'
import { makeReference, normalizePhone } from '../booking/model.ts'
import { listAlternatives } from '../booking/service.ts'
import { findRefused, type RefusedLine } from './model.ts'
import { findNamed, type NamedLine } from './queries.ts'
import type { CustomerRequest, LineRequest } from './schemas.ts'

/** A line whose timeslot is known. */
export type Line = NamedLine & { timeslotId: number; participants: number; answers: string }

/** Thrown in a transaction, to undo it; `refusing` makes the answer of it, outside the locks. */
class Refusal extends Error {
  readonly line: NamedLine & { participants: number }
  readonly refused: RefusedLine

  constructor(line: NamedLine & { participants: number }, refused: RefusedLine) {
    super('there are too few places')
    this.line = line
    this.refused = refused
  }
}

/**
 * Finds what lines name. Only the till may sell what is not in the shopfront.
 * @param path names the lines in a message: `Lines[0].` or nothing.
 * @throws Problem validation for an unknown ActivityID or QuestionID, and what `refusing` answers for a timeslot
 *   that does not exist.
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
    answers: JSON.stringify((request.Answers ?? []).map(({ QuestionID, Value }) => ({ QuestionID, Value }))),
  }))
  const found = await findNamed(tx, accountId, named, channel === 'online')
  const unknown = found.flatMap((line, index): FieldError[] => {
    const field = path(index)
    const where = channel === 'online' ? 'in the shopfront' : 'of this account'
    if (!line)
      return [{ field: `${field}ActivityID`, message: `is not the ActivityID of a product ${where}` }]
    return (requests[index]!.Answers ?? []).flatMap(({ QuestionID }, place) =>
      line.questionIds.includes(QuestionID)
        ? []
        : [
            {
              field: `${field}Answers[${place}].QuestionID`,
              message: 'is not a question of this activity',
            },
          ],
    )
  })
  if (unknown.length > 0) throw problems.validation(unknown)
  return named.map((line, index) => {
    const { timeslotId } = found[index]!
    if (timeslotId === null) throw new Refusal(line, { index, onSale: false, available: 0 })
    return { ...line, timeslotId }
  })
}

/** Makes sure that new bookings can have all their places, whose timeslots are locked. @throws a Refusal. */
export async function checkPlaces(tx: Transaction, accountId: number, lines: readonly Line[]): Promise<void> {
  const changes = lines.map(({ timeslotId, participants }) => {
    return { from: null, to: { timeslotId, participants, status: 'held' as const } }
  })
  const shortages = await findShortages(tx, accountId, changes)
  if (shortages.length > 0) throw refusalOf(lines, shortages)
}

export function refusalOf(
  lines: readonly (NamedLine & { timeslotId: number; participants: number })[],
  shortages: readonly Shortage[],
): Error {
  const refused = findRefused(lines, shortages)
  return new Refusal(lines[refused.index]!, refused)
}

/**
 * Runs a use case, and answers its Refusal with the next timeslots that would fit, and with the line it is about
 * where the request has `Lines`.
 */
export async function refusing<T>(
  sql: Sql,
  accountId: number,
  useCase: () => Promise<T>,
  { hasLines = true } = {},
): Promise<T> {
  try {
    return await useCase()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { line, refused } = error
    const [found] = await listAlternatives(sql, [{ accountId, ...line }], false)
    const alternatives = found?.alternatives ?? []
    const index = hasLines ? refused.index : undefined
    throw refused.onSale
      ? problems.insufficientCapacity(refused.available, alternatives, index)
      : problems.timeslotUnavailable(alternatives, index)
  }
}

export const nobody: Customer = { firstName: null, lastName: null, email: null, phone: null }

/** A customer as asked for, over what is known already. */
export function toCustomer(request: CustomerRequest | undefined, known: Customer = nobody): Customer {
  const { FirstName, LastName, Email, Phone } = request ?? {}
  return {
    firstName: FirstName ?? known.firstName,
    lastName: LastName ?? known.lastName,
    email: Email ?? known.email,
    phone: Phone === undefined ? known.phone : normalizePhone(Phone),
  }
}

/** The bookings that lines become. */
export function toBookings(
  lines: readonly Line[],
  common: Customer & Pick<BookingInsert, 'basketId' | 'channel' | 'status'>,
): BookingInsert[] {
  const { basketId, channel, status, firstName, lastName, email, phone } = common
  return lines.map(({ timeslotId, participants, answers }) => ({
    ...{ basketId, channel, status, firstName, lastName, email, phone },
    ...{ timeslotId, participants, answers, reference: makeReference() },
  }))
}
