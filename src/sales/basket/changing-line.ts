/**
 * Changes a line of an open basket: its timeslot, its product or its party. The line keeps its places until
 * it has the new ones.
 */

import { isDeepStrictEqual } from 'node:util'
import type { Authorship } from '../../events/actor.ts'
import { problems } from '../../http/problems.ts'
import { requireVersion } from '../../http/versions.ts'
import { withAlternatives } from '../../inventory/alternatives.ts'
import {
  type Booking,
  type Bought,
  changeBookings,
  findShortages,
  type LockedTimeslot,
  pickBought,
} from '../../inventory/service.ts'
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import { type OnceRequest, runOnce } from '../../platform/postgres/run-once.ts'
import { answersWithout, type StoredAnswers } from '../booking/changes/leaving-model.ts'
import { amendDetails, moveDetails } from '../booking/changes/moving.ts'
import {
  listParticipantQuestions,
  listQuestionIds,
  readDescription,
  updateDescriptions,
} from '../booking/changes/queries.ts'
import { discountBaskets } from '../promotion/applying.ts'
import { heldState } from './held-version.ts'
import { findLines, type PricedLine, priceLines, refusalOf } from './lines.ts'
import { lockOpen } from './locking.ts'
import type { LineRequest } from './schemas.ts'
import { type BasketResult, getOwnChannel, readOneCurrency } from './service.ts'
import { readBasket } from './views.ts'

export type LineChange = {
  basketId: number
  reference: string
  wanted: LineRequest
  /** The version of the line's heldState() that the user saw; if undefined, it is not compared. */
  seen?: string | undefined
}

/**
 * Replaces the places that a line holds by other places, at today's prices. The line's own places count as
 * free. If the new places are not free, the line does not change. The hold is not extended. A stored answer
 * stays if the new product asks its question and its participant still comes; if the party becomes smaller,
 * its last participants leave. Answers in `wanted` are checked, but not stored. If the line already has these
 * places at this price, nothing changes.
 * @throws Problem not-found, held-by-reseller, basket-not-open; booking-not-changeable for a line that was removed;
 *   edited-meanwhile; validation for a party that breaks rules, an unknown ActivityID or QuestionID, or a
 *   second currency; insufficient-capacity or timeslot-unavailable, with alternatives.
 */
export function changeLine(
  sql: Sql,
  request: OnceRequest,
  by: Authorship,
  { basketId, reference, wanted, seen }: LineChange,
): Promise<BasketResult> {
  const { accountId, actor } = by
  const work = async (tx: Transaction) => {
    const channel = await getOwnChannel(tx, accountId, basketId)
    const [line] = await findLines(tx, accountId, channel, [wanted])
    const timeslotIds = [line!.timeslotId]
    const { lines, slots } = await lockOpen(tx, accountId, basketId, { timeslotIds })
    const booking = lines.find((one) => one.reference === reference)
    if (!booking) throw problems.lineNotFound()
    if (booking.status !== 'held') throw problems.bookingNotChangeable(booking.status)
    if (seen !== undefined) {
      const { Lines } = await readBasket(tx, accountId, basketId)
      const line = Lines.filter(({ BookingReference }) => BookingReference === reference)
      requireVersion(seen, heldState(line))
    }
    const [priced] = priceLines(accountId, [line!], withoutLine(slots, booking))
    const change = { booking, priced: priced!, slots }
    if (isSame(change)) return readOneCurrency(tx, accountId, basketId)
    await checkPlaces(tx, change)
    await changeBookings(tx, actor, [toChange(change)])
    await keepAnswers(tx, booking, priced!)
    await discountBaskets(tx, accountId, [basketId])
    return readOneCurrency(tx, accountId, basketId)
  }
  return withAlternatives(sql, () => runOnce(sql, request, work), { namesLine: false })
}

type NewPlaces = { booking: Booking; priced: PricedLine; slots: ReadonlyMap<number, LockedTimeslot> }

/** The timeslots as they would be without the places that the line holds. */
function withoutLine(slots: ReadonlyMap<number, LockedTimeslot>, { timeslotId, places }: Booking) {
  const own = slots.get(timeslotId)!
  return new Map([...slots, [timeslotId, { ...own, held: own.held - places }]])
}

/**
 * Whether the line already has these places at this price. Discounts are not compared, because the basket's
 * promotion is applied to the new price only after this check.
 */
function isSame({ booking, priced: { timeslotId, bought } }: NewPlaces): boolean {
  const { discountMinor } = booking
  return (
    timeslotId === booking.timeslotId && isDeepStrictEqual({ ...bought, discountMinor }, pickBought(booking))
  )
}

async function checkPlaces(tx: Transaction, { booking, priced }: NewPlaces): Promise<void> {
  const { timeslotId, bought } = priced
  const to = { ...booking, ...bought, timeslotId }
  const [shortage] = await findShortages(tx, [{ from: booking, to }])
  if (!shortage) return
  const isHere = timeslotId === booking.timeslotId && shortage.onSale
  const available = shortage.available + (isHere ? booking.places : 0)
  throw refusalOf(booking.accountId, [priced], [{ ...shortage, available }])
}

/** The change of a line. The customer gets no e-mail about it, because nothing is sold yet. */
function toChange({ booking, priced: { timeslotId, bought }, slots }: NewPlaces) {
  const to = { timeslotId, bought }
  const quiet = { TellCustomer: false as const }
  if (timeslotId === booking.timeslotId)
    return {
      booking,
      to,
      action: 'amended' as const,
      details: { ...amendDetails(booking, bought), ...quiet },
    }
  const place = (id: number) => {
    const { productId, date, time } = slots.get(id)!
    return { productId, timeslotId: id, date, time }
  }
  const party = isSameParty(booking, bought) ? null : bought
  const details = moveDetails(place(booking.timeslotId), place(timeslotId), booking, party)
  return { booking, to, action: 'moved' as const, details: { ...details, ...quiet } }
}

function isSameParty(one: Bought, other: Bought): boolean {
  const counts = ({ units }: Bought) => units?.map(({ id, quantity }) => [id, quantity]) ?? null
  return one.participants === other.participants && isDeepStrictEqual(counts(one), counts(other))
}

async function keepAnswers(
  tx: Transaction,
  booking: Booking,
  { timeslotId, bought }: PricedLine,
): Promise<void> {
  const { accountId, id: bookingId } = booking
  const from = await readDescription(tx, accountId, bookingId)
  if (from.answers.length === 0) return
  const asked = new Set(await listQuestionIds(tx, accountId, timeslotId))
  const perPerson = new Set(await listParticipantQuestions(tx, accountId, [...asked]))
  const gone = Array.from(
    { length: Math.max(0, booking.participants - bought.participants) },
    (_, index) => bought.participants + index + 1,
  )
  const existing: StoredAnswers = from.answers.filter(({ QuestionID }) => asked.has(QuestionID))
  const answers = answersWithout(existing, gone, (id) => perPerson.has(id))
  if (!isDeepStrictEqual(answers, from.answers))
    await updateDescriptions(tx, accountId, [{ bookingId, ...from, answers }])
}
