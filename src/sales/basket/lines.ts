/**
 * Finds the timeslots of requested lines, prices the lines, and checks that places are free. If a line cannot
 * be sold, the error names that line. These functions take no places.
 */
import { activityUuid } from '../../catalogue/model.ts'
import type { Authorship } from '../../events/actor.ts'
import { problems } from '../../http/problems.ts'
import { PlacesRefused } from '../../inventory/alternatives.ts'
import { freeOf } from '../../inventory/on-sale.ts'
import type {
  Bought,
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
import { estimatePlaces, type Party, placesWanted, priceParty, toParty } from '../booking/pricing.ts'
import { findRefused } from './model.ts'
import { findNamed, type NamedLine } from './named-queries.ts'
import type { LineRequest } from './schemas.ts'

/** A line whose timeslot is known. */
export type Line = NamedLine & { timeslotId: number; party: Party; answers: string }
/** A line that is priced on its locked timeslot. */
export type PricedLine = Line & { bought: Bought }

/** Returns the prefix of a line's field names in errors: `Lines[0].`, or empty. */
type LinePath = (index: number) => string
const pathOfLine: LinePath = (index) => `Lines[${index}].`

/**
 * Finds the product and the timeslot that each line names. Only the till may sell products that are not in
 * the shopfront.
 * @throws Problem validation for an unknown ActivityID or QuestionID, PlacesRefused for a timeslot that does not
 *   exist.
 */
export async function findLines(
  tx: Transaction,
  accountId: number,
  channel: 'online' | 'pos',
  requests: readonly LineRequest[],
  path: LinePath = pathOfLine,
): Promise<Line[]> {
  const named = requests.map((request) => ({
    activity: activityUuid(request.ActivityID),
    date: request.Date,
    time: request.Time,
    party: toParty(request),
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
    if (timeslotId === null) throw refusedEntirely(accountId, line, index)
    return { ...line, timeslotId }
  })
}

function refusedEntirely(
  accountId: number,
  { party, ...line }: Omit<Line, 'timeslotId'>,
  index: number,
): Error {
  const asked = { accountId, ...line, ...estimatePlaces(party) }
  return new PlacesRefused(asked, { onSale: false, available: 0 }, index)
}

/**
 * Prices lines on their locked timeslots, by the current price lists. It does not check that places are free.
 * @param settings `waits`: the lines are for the waitlist, so an error about the size of a party does not
 *   name the number of free places.
 * @throws Problem validation, with every rule of a product that a line breaks; PlacesRefused for a timeslot
 *   that is gone.
 */
export function priceLines(
  accountId: number,
  lines: readonly Line[],
  slots: ReadonlyMap<number, LockedTimeslot>,
  path: LinePath = pathOfLine,
  { waits = false } = {},
): PricedLine[] {
  const errors: FieldError[] = []
  const priced = lines.flatMap((line, index): PricedLine[] => {
    const slot = slots.get(line.timeslotId)
    if (!slot) throw refusedEntirely(accountId, line, index)
    const list = waits ? slot : { ...slot, free: freeOf(slot) }
    const { bought, errors: broken } = priceParty(line.party, list, slot.capacity, path(index))
    if (bought) return [{ ...line, bought }]
    errors.push(...broken)
    return []
  })
  if (errors.length > 0) throw problems.validation(errors)
  return priced
}

/**
 * Checks that the locked timeslots have places for all new bookings. If places are short, it releases expired
 * holds first.
 * @throws PlacesRefused for the first line without places.
 */
export async function checkPlaces(
  tx: Transaction,
  accountId: number,
  lines: readonly PricedLine[],
): Promise<void> {
  const changes = lines.map(({ timeslotId, bought: { places } }) => {
    return { from: null, to: { accountId, timeslotId, places, status: 'held' as const } }
  })
  const shortages = await findShortages(tx, changes)
  if (shortages.length === 0) return
  throw refusalOf(accountId, lines, shortages)
}

/**
 * The error for the first of these lines that does not get its places.
 * @param shortages at least one, of a timeslot of the lines.
 */
export function refusalOf(
  accountId: number,
  lines: readonly (NamedLine & { timeslotId: number; bought: Bought })[],
  shortages: readonly Shortage[],
): Error {
  const asking = lines.map(({ timeslotId, bought: { places } }) => ({ timeslotId, places }))
  const { index, ...refusal } = findRefused(asking, shortages)
  const { bought, ...line } = lines[index]!
  return new PlacesRefused({ accountId, ...line, ...placesWanted(bought) }, refusal, index)
}

/** The bookings of lines, on their locked timeslots. */
export function toBookings(
  lines: readonly PricedLine[],
  common: Customer & Authorship & Pick<NewBooking, 'basketId' | 'channel' | 'status'>,
): PlacedBooking[] {
  return lines.map(({ timeslotId, bought, answers }) => {
    const own = { id: null, partnerId: null, paymentReference: null, reference: makeReference() }
    return { booking: { ...common, ...own, answers }, bought, slot: { id: timeslotId } }
  })
}
