/**
 * Locks the rows that a change of places reads or writes, always in the same order, so that no deadlock
 * occurs: timeslots, promotions, baskets, then bookings; rows of the same table in the order of their ids.
 */
import { inOrder, type Transaction } from '../platform/postgres/database.ts'
import { changedMeanwhile } from '../platform/postgres/errors.ts'
import * as queries from './lock-queries.ts'

export type Locked = {
  slots: Map<number, queries.LockedTimeslot>
  baskets: Map<number, queries.Basket>
  bookings: Map<number, queries.Booking>
}

/**
 * Locks timeslots, baskets and bookings of an account, each in the order of their ids, and reads them once
 * they are locked. If the caller read these rows before, it must check that they have not changed meanwhile.
 * Unknown ids are left out of the result.
 */
export async function lockPlaces(
  tx: Transaction,
  accountId: number,
  ids: { timeslotIds: readonly number[]; basketIds?: readonly number[]; bookingIds?: readonly number[] },
): Promise<Locked> {
  const { timeslotIds, basketIds = [], bookingIds = [] } = ids
  const { slots, baskets, bookings } = await inOrder({
    slots: timeslotIds.length > 0 && queries.lockSlots(tx, toKeys(accountId, timeslotIds)),
    baskets: basketIds.length > 0 && queries.lockBaskets(tx, toKeys(accountId, basketIds)),
    bookings: bookingIds.length > 0 && queries.lockBookings(tx, toKeys(accountId, bookingIds)),
  })
  return { slots: byId(slots || []), baskets: byId(baskets || []), bookings: byId(bookings || []) }
}

export type MoreToLock = {
  timeslotIds?: readonly number[] | undefined
  promotionIds?: readonly number[] | undefined
}

export type LockedBasket = {
  basket: queries.Basket
  lines: queries.Booking[]
  slots: Map<number, queries.LockedTimeslot>
}

/**
 * Locks a basket with its timeslots, some more timeslots, and its bookings, and reads them once they are
 * locked. Null if the account has no such basket.
 * @param promotionIds (in the last parameter) more promotions to lock, together with the promotion of the
 * basket. If left out, no promotion is locked.
 * @throws a retryable error if, before all rows were locked, a line was moved to a timeslot that is not
 * locked, a line was added on such a timeslot, or the basket got another promotion.
 */
export async function lockBasket(
  tx: Transaction,
  accountId: number,
  id: number,
  { timeslotIds: more = [], promotionIds }: MoreToLock = {},
): Promise<LockedBasket | null> {
  const known = await queries.listBookingsOfBaskets(tx, accountId, [id])
  const timeslotIds = [...known.map(({ timeslotId }) => timeslotId), ...more]
  const locked = await inOrder({
    slots: timeslotIds.length > 0 && queries.lockSlots(tx, toKeys(accountId, timeslotIds)),
    promotions: promotionIds !== undefined && queries.lockPromotions(tx, { accountId, id }, promotionIds),
    baskets: queries.lockBaskets(tx, [{ accountId, id }]),
    lines: queries.lockBookingsOfBasket(tx, accountId, id),
  })
  const basket = locked.baskets[0] ?? partnerBasket(id, locked.lines)
  if (!basket) return null
  const slots = byId(locked.slots || [])
  if (locked.lines.some(({ timeslotId }) => !slots.has(timeslotId))) throw changedMeanwhile('a basket')
  const { promotionId } = basket
  if (locked.promotions && promotionId !== null && !byId(locked.promotions).has(promotionId))
    throw changedMeanwhile('the promotion of a basket')
  return { basket, lines: locked.lines, slots }
}

/**
 * The basket of a partner's booking that has no row in `baskets`. Null if the lines are not a partner's. A
 * basket that is only read, and not locked, comes from partnerBasketColumns().
 */
function partnerBasket(id: number, lines: readonly queries.LockedLine[]): queries.Basket | null {
  const [line] = lines
  if (line?.channel !== 'partner') return null
  return {
    id,
    status: line.partnerBasketStatus,
    channel: 'partner',
    expiresAt: null,
    holdLimitAt: null,
    isOver: false,
    promotionId: null,
  }
}

/** Whether a reseller holds the places of the basket and has not confirmed them. */
export function isHeldByReseller({ channel, status }: Pick<queries.Basket, 'channel' | 'status'>): boolean {
  return channel === 'partner' && status === 'open'
}

/** Keys for ids of one account. */
export function toKeys(accountId: number, ids: readonly number[]): queries.RowKey[] {
  return ids.map((id) => ({ accountId, id }))
}

export function byId<T extends { id: number }>(rows: readonly T[]): Map<number, T> {
  return new Map(rows.map((row) => [row.id, row]))
}
