/** Closing one timeslot with every booking on it: one transaction, all or nothing. */

import { closeLocked, findTimeslotAt } from '../../catalogue/timeslots/editing/service.ts'
import type { Actor } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { endBasket } from '../../inventory/baskets.ts'
import {
  type Booking,
  type BookingChange,
  changeBookings,
  findShortages,
  type Locked,
  type LockedTimeslot,
  listBookingsOfBaskets,
  lockPlaces,
  onWholeTimeslot,
} from '../../inventory/service.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import { decideRefunds, storeRefunds } from '../ledger/deciding-refunds.ts'
import type { RefundPlan } from '../ledger/refund-plan.ts'
import { discountBaskets } from '../promotion/applying.ts'
import { type CallToMake, insertCalls } from './calls/queries.ts'
import {
  type ClosureNotice,
  type ClosureTarget,
  decideClosure,
  placesNeeded,
  type TimeslotClosure,
  type TimeslotWithBookings,
} from './model.ts'
import * as queries from './queries.ts'
import { dropsOf, refundOrderOf, refundsIn } from './refunds.ts'
import type { ClosureRequest } from './schemas.ts'

/**
 * Finds the target of a closure: the timeslot that the bookings move to. Undefined if the bookings are
 * cancelled. Null if the product has no timeslot at the requested date and time, if the same request closes
 * that timeslot, or if the request to move has no `MoveTo`.
 */
export async function findTarget(
  sql: Queryable,
  accountId: number,
  { productId, time }: TimeslotWithBookings,
  { Action, MoveTo }: ClosureRequest,
  closing: ReadonlySet<number>,
): Promise<ClosureTarget | null | undefined> {
  if (Action === 'cancel') return undefined
  if (!MoveTo) return null
  const place = { productId, date: MoveTo.Date, time: MoveTo.Time ?? time }
  const target = await findTimeslotAt(sql, accountId, place)
  return target && closing.has(target.id) ? null : target
}

export type Closing = {
  actor: Actor
  request: ClosureRequest
  /** All timeslots that the request closes. */
  closing: ReadonlySet<number>
}

/**
 * Closes one timeslot: takes it off sale, cancels or moves its confirmed bookings, releases held places, ends its
 * waitlist, and appends the event for the customers' e-mails. If that is not possible, it returns the reason and
 * changes nothing, except that it may end expired holds on the target. Null if the timeslot does not exist any more.
 */
export async function closeWithBookings(
  tx: Transaction,
  accountId: number,
  id: number,
  { actor, request, closing }: Closing,
): Promise<TimeslotClosure | null> {
  const goal =
    request.Action === 'move' ? await findTargetOf(tx, accountId, id, { request, closing }) : undefined
  const { slots } = await lockPlaces(tx, accountId, { timeslotIds: goal ? [id, goal.id] : [id] })
  // While the timeslot is locked, no other transaction adds, moves or ends a booking on it.
  const [situation] = await queries.listSituations(tx, accountId, [id])
  if (!situation) return null
  const there = goal && slots.get(goal.id)
  const target = there ? await checkTarget(tx, accountId, situation, { ...goal, ...there }) : goal && null
  const result = decideClosure(situation, target)
  if (result.result !== 'closed') return result

  const live = await queries.listUnended(tx, accountId, id)
  const locked = await lockPlaces(tx, accountId, {
    timeslotIds: [],
    basketIds: live.map(({ basketId }) => basketId),
    bookingIds: live.map((booking) => booking.id),
  })
  // The timeslot is closed before its bookings end, so that freed places are not offered to the waitlist.
  await closeLocked(tx, { accountId, actor }, id)
  const bookings = [...locked.bookings.values()]
  const confirmed = bookings.filter(({ status }) => status === 'confirmed')
  const cancelled = result.movedTo ? [] : confirmed
  const decided = await decideRefunds(tx, accountId, dropsOf(cancelled), refundOrderOf(request))
  await changeBookings(
    tx,
    actor,
    confirmed.map((booking) => changeOf(booking, situation, result, { target, decided })),
  )
  await storeRefunds(tx, { accountId, actor }, decided)
  await release(tx, accountId, actor, locked)
  await insertCalls(tx, accountId, id, callsAbout(bookings, result))
  const details = { ...noticeOf(request, situation), BookingIDs: confirmed.map((booking) => booking.id) }
  await appendEvents(tx, [{ accountId, actor, type: 'closure.made', timeslotId: id, details }])
  return { ...result, ...refundsIn(cancelled, decided) }
}

/** The content of the customers' e-mails about the closure of a timeslot. */
export function noticeOf(
  { Action, Message }: ClosureRequest,
  { date, time, openingHours }: Pick<TimeslotClosure, 'date' | 'time' | 'openingHours'>,
): ClosureNotice {
  return {
    Message: Message ?? null,
    Action: Action === 'move' ? 'moved' : 'cancelled',
    FromDate: date,
    FromTime: time,
    ...(openingHours && { FromAllDay: true }),
  }
}

async function findTargetOf(
  tx: Transaction,
  accountId: number,
  id: number,
  { request, closing }: Omit<Closing, 'actor'>,
) {
  const [seen] = await queries.listSituations(tx, accountId, [id])
  return seen && findTarget(tx, accountId, seen, request, closing)
}

/**
 * Checks the places of a locked target. If they are too few, expired holds on the target are released first.
 * `available` is the number of needed places if these are free; otherwise it is the number of free places.
 */
async function checkTarget(
  tx: Transaction,
  accountId: number,
  situation: TimeslotWithBookings,
  { id, date, time, openingHours, capacity }: LockedTimeslot & Pick<ClosureTarget, 'openingHours'>,
): Promise<ClosureTarget> {
  const target = { id, date, time, openingHours, capacity, onSale: true, available: 0 }
  const places = placesNeeded(situation, target)
  const [shortage] = await findShortages(tx, [
    { from: null, to: { accountId, status: 'confirmed', timeslotId: id, places } },
  ])
  return { ...target, ...(shortage ?? { available: places }) }
}

type ChangeDecision = { target: ClosureTarget | null | undefined; decided: RefundPlan }

function changeOf(
  booking: Booking,
  situation: TimeslotWithBookings,
  { movedTo }: TimeslotClosure,
  { target, decided }: ChangeDecision,
): BookingChange {
  if (!movedTo) {
    const { details, ...refund } = decided.refundingOf(booking.id)
    return {
      booking,
      action: 'cancelled',
      to: { status: 'cancelled' },
      cancelReason: 'closure',
      ...refund,
      details: { Reason: 'closure', ...details },
    }
  }
  const place = ({ id, date, time }: Pick<ClosureTarget, 'id' | 'date' | 'time'>) => {
    return { ProductID: situation.productId, TimeslotID: id, Date: date, Time: time }
  }
  return {
    booking,
    action: 'moved',
    to: {
      timeslotId: movedTo.id,
      ...(booking.takesTimeslot && { bought: onWholeTimeslot(booking, target!.capacity) }),
    },
    details: { Reason: 'closure', From: place(situation), To: place(movedTo) },
  }
}

/** The bookings whose customers may need a call. */
function callsAbout(bookings: readonly Booking[], { movedTo }: TimeslotClosure): CallToMake[] {
  const became = movedTo ? 'moved' : 'cancelled'
  return bookings.map(({ id, status }) => {
    return { bookingId: id, became: status === 'confirmed' ? became : 'released' }
  })
}

/**
 * Ends the holds and waitlist entries of the timeslot, and their baskets unless they have other held or
 * waiting lines.
 */
async function release(tx: Transaction, accountId: number, actor: Actor, { baskets, bookings }: Locked) {
  const pending = [...bookings.values()].filter(({ status }) => status === 'held' || status === 'waitlisted')
  if (pending.length === 0) return
  const lines = await listBookingsOfBaskets(tx, accountId, [
    ...new Set(pending.map(({ basketId }) => basketId)),
  ])
  const isPending = ({ status }: Booking) => status === 'held' || status === 'waitlisted'
  const shared = new Set(
    lines.filter((line) => isPending(line) && !bookings.has(line.id)).map(({ basketId }) => basketId),
  )
  const details = { Reason: 'closure' } as const
  await changeBookings(
    tx,
    actor,
    pending
      .filter(({ basketId }) => shared.has(basketId))
      .map((booking): BookingChange => {
        return { booking, action: 'cancelled', to: { status: 'cancelled' }, cancelReason: 'closure', details }
      }),
  )
  await discountBaskets(tx, accountId, [...shared])
  for (const { id } of baskets.values()) {
    const own = pending.filter(({ basketId }) => basketId === id)
    if (own.length === 0 || shared.has(id)) continue
    await endBasket(tx, accountId, actor, { id, status: 'cancelled', cancelReason: 'closure' }, own)
  }
}
