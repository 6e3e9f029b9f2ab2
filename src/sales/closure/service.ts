/**
 * Closes timeslots with every booking on them, each in its own transaction. After a crash, the client repeats
 * the request. The service continues where it stopped, and no customer gets a second e-mail.
 */

import type { Actor } from '../../events/actor.ts'
import { problems } from '../../http/problems.ts'
import { mapConcurrently } from '../../platform/async/map-concurrently.ts'
import type { Queryable, Sql } from '../../platform/postgres/database.ts'
import { type OnceRequest, runOnce } from '../../platform/postgres/run-once.ts'
import type { FieldError } from '../../platform/schema/validation.ts'
import { daysBetween } from '../../platform/text/calendar.ts'
import { planRefunds } from '../ledger/deciding-refunds.ts'
import { readLedger } from '../ledger/service.ts'
import { closeWithBookings, findTarget } from './closing.ts'
import { decideClosure, placesNeeded, type TimeslotClosure } from './model.ts'
import * as queries from './queries.ts'
import { dropsOf, refundOrderOf, refundsIn } from './refunds.ts'
import type { ClosureRequest } from './schemas.ts'

export { noticeOf } from './closing.ts'
export {
  type AffectedBooking,
  type CustomerWithoutEmail,
  countPeopleHere,
  listAffected,
  listWithoutEmail,
} from './queries.ts'

/** The error of a `Refund` that has both of its fields, or neither. */
export const eitherChoiceOrPercent = 'must have either Choice or Percent'

const maxTimeslots = 1000
const maxDays = 366

/**
 * The ids of the timeslots of a request, by date and time. Those that have begun are left out, except the one
 * that `TimeslotID` names.
 * @throws Problem validation for a request that contradicts itself, has unknown ids, is for more than 366
 *   days, or has more than 1,000 timeslots.
 */
export async function findTimeslots(
  sql: Queryable,
  accountId: number,
  request: ClosureRequest,
): Promise<number[]> {
  const errors = checkRequest(request)
  const { TimeslotID, ProductIDs = null } = request
  const known = new Set(ProductIDs && (await queries.listKnownProducts(sql, accountId, ProductIDs)))
  for (const [index, id] of (ProductIDs ?? []).entries())
    if (!known.has(id))
      errors.push({ field: `ProductIDs[${index}]`, message: 'is not a product of this account' })
  if (errors.length > 0) throw problems.validation(errors)
  if (TimeslotID !== undefined) {
    const [slot] = await queries.listSituations(sql, accountId, [TimeslotID])
    if (slot) return [slot.id]
    throw problems.validation([{ field: 'TimeslotID', message: 'is not a timeslot of this account' }])
  }
  const [from, to] = [request.Date ?? request.From!, request.Date ?? request.To!]
  const range = { from, to, productIds: ProductIDs }
  const ids = await queries.listTimeslotIds(sql, accountId, range, maxTimeslots + 1)
  if (ids.length <= maxTimeslots) return ids
  const error = request.Date
    ? {
        field: 'Date',
        message: `has more than ${maxTimeslots} timeslots: close the timeslots of some products at a time`,
      }
    : { field: 'To', message: `must be earlier: the range has more than ${maxTimeslots} timeslots` }
  throw problems.validation([error])
}

function checkRequest(request: ClosureRequest): FieldError[] {
  const { TimeslotID, From, To, ProductIDs, Action, MoveTo, Refund } = request
  const given = [TimeslotID, request.Date, From ?? To].filter((field) => field !== undefined)
  const days = From !== undefined && To !== undefined ? daysBetween(From, To) : 0
  const rules: [boolean, string, string][] = [
    [given.length !== 1, 'TimeslotID', 'or Date, or From with To, must be given, and only one of them'],
    [To !== undefined && From === undefined, 'From', 'is required with To'],
    [From !== undefined && To === undefined, 'To', 'is required with From'],
    [days < 0, 'To', 'must not be before From'],
    [days >= maxDays, 'To', `must be at most ${maxDays - 1} days after From`],
    [!!ProductIDs && TimeslotID !== undefined, 'ProductIDs', 'must not be given with TimeslotID'],
    [Action === 'move' && !MoveTo, 'MoveTo', 'is required when bookings are moved'],
    [Action === 'cancel' && !!MoveTo, 'MoveTo', 'must not be given with the action cancel'],
    [Action === 'move' && !!Refund, 'Refund', 'must not be given with the action move'],
    [
      !!Refund && (Refund.Choice === undefined) === (Refund.Percent === undefined),
      'Refund',
      eitherChoiceOrPercent,
    ],
  ]
  return rules.flatMap(([isBroken, field, message]) => (isBroken ? [{ field, message }] : []))
}

/** Returns the results that closing these timeslots would have now. Changes and locks nothing. */
export async function previewClosure(
  sql: Queryable,
  accountId: number,
  ids: number[],
  request: ClosureRequest,
): Promise<TimeslotClosure[]> {
  const closing = new Set(ids)
  // By the id of a target: the places that the bookings of earlier timeslots would take there.
  const taken = new Map<number, number>()
  const results: TimeslotClosure[] = []
  for (const situation of await queries.listSituations(sql, accountId, ids)) {
    const target = await findTarget(sql, accountId, situation, request, closing)
    const available = target ? target.available - (taken.get(target.id) ?? 0) : 0
    const result = decideClosure(situation, target && { ...target, available })
    if (target && result.movedTo)
      taken.set(target.id, (taken.get(target.id) ?? 0) + placesNeeded(situation, target))
    results.push(result)
  }
  const cancelling = results.filter(({ cancelled }) => cancelled > 0).map(({ timeslotId }) => timeslotId)
  const refunds = await previewRefunds(sql, accountId, cancelling, request)
  return results.map((result) => ({ ...result, ...refunds.get(result.timeslotId) }))
}

/** The refunds if the bookings of these timeslots are cancelled, by timeslot. */
async function previewRefunds(
  sql: Queryable,
  accountId: number,
  timeslotIds: readonly number[],
  request: ClosureRequest,
): Promise<Map<number, ReturnType<typeof refundsIn>>> {
  if (timeslotIds.length === 0) return new Map()
  const bookings = await queries.listConfirmed(sql, accountId, timeslotIds)
  const planned = await planRefunds(sql, accountId, dropsOf(bookings), refundOrderOf(request))
  const byTimeslot = new Map<number, (typeof bookings)[number][]>(timeslotIds.map((id) => [id, []]))
  for (const booking of bookings) byTimeslot.get(booking.timeslotId)?.push(booking)
  return new Map([...byTimeslot].map(([id, own]) => [id, refundsIn(own, planned)]))
}

/**
 * Returns the refund that a booking would get if these timeslots were closed now, or null if it is not a
 * confirmed booking of these timeslots. `remainingBookings` is the number of bookings of the same sale that
 * would stay valid. `refundMinor` is undefined if there is nothing to refund. Changes and locks nothing.
 */
export async function previewRefund(
  sql: Queryable,
  accountId: number,
  ids: readonly number[],
  { request, reference }: { request: ClosureRequest; reference: string },
): Promise<{ refundMinor: bigint | undefined; remainingBookings: number } | null> {
  const bookings = await queries.listConfirmed(sql, accountId, ids)
  const own = bookings.find((booking) => booking.reference === reference)
  if (!own) return null
  // Refunds are decided sale by sale.
  const ofSale = bookings.filter(({ basketId }) => basketId === own.basketId)
  const planned = await planRefunds(sql, accountId, dropsOf(ofSale), refundOrderOf(request))
  const activeBookings =
    (await readLedger(sql, accountId, [own.basketId])).get(own.basketId)?.activeBookings ?? 0
  return {
    refundMinor: planned.refundingOf(own.id).refundMinor,
    remainingBookings: activeBookings - ofSale.length,
  }
}

type Order = {
  actor: Actor
  request: ClosureRequest
  /**
   * Makes the `OnceRequest` with which runOnce() executes an operation, such as closing a timeslot, only
   * once.
   */
  once: (operation: string) => OnceRequest
  /**
   * The number of processed timeslots after which closeTimeslots() stops. It includes timeslots that are left
   * as they are, but not timeslots that an earlier request with the same key processed. Timeslots that are in
   * progress are completed, so a few more may be processed.
   */
  most?: number
}

/**
 * Closes the timeslots of a request, by date and time. After an error, or while `unprocessed` is above 0, a
 * request with the same key continues where the first one ended.
 * @throws as findTimeslots(), before anything is closed.
 */
export async function closeTimeslots(
  sql: Sql,
  accountId: number,
  { actor, request, once, most = Number.POSITIVE_INFINITY }: Order,
): Promise<{ results: TimeslotClosure[]; unprocessed: number; replayed: boolean }> {
  // runOnce() stores the list of timeslots under the key, and then the result of each timeslot.
  const { answer, replayed } = await runOnce(sql, once('closure.begin'), async (tx) => {
    return { ids: await findTimeslots(tx, accountId, request) }
  })
  const closing = { actor, request, closing: new Set(answer.ids) }
  const begun = new Set<number>()
  // If bookings are moved, the timeslots are closed one after another, so that the bookings of earlier
  // timeslots get the places of the target first.
  const lanes = request.Action === 'move' ? 1 : 4
  const ones = await mapConcurrently(answer.ids, lanes, async (id) => {
    if (begun.size >= most) return null
    return runOnce(sql, once(`closure.timeslot.${id}`), async (tx) => {
      begun.add(id)
      return { result: await closeWithBookings(tx, accountId, id, closing) }
    })
  })
  const done = ones.filter((one) => one !== null)
  return {
    results: done.flatMap((one) => one.answer.result ?? []),
    unprocessed: ones.length - done.length,
    replayed: replayed && done.every((one) => one.replayed),
  }
}
