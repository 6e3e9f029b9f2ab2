/**
 * Everything that takes, moves or frees places after the partner's booking: inside a transaction of the caller's,
 * with timeslots locked first. Whatever is freed is offered to those who wait before anybody can buy it.
 */
import { changedMeanwhile, inOrder, type Transaction } from '../platform/database.ts'
import type { Actor } from './actor.ts'
import { theService } from './actor.ts'
import { type BookingStatus, type Change, chooseOffers, sumDeltas, sumTaken } from './model.ts'
import * as queries from './queries.ts'

export type { Actor } from './actor.ts'
export type { BookingStatus } from './model.ts'
export type { Basket, BasketStatus, Booking, BookingInsert, Customer, Slot } from './queries.ts'
export { insertBasket, listBookingsOfBaskets } from './queries.ts'

export type Locked = {
  slots: Map<number, queries.Slot>
  baskets: Map<number, queries.Basket>
  bookings: Map<number, queries.Booking>
}

/**
 * Locks timeslots, baskets and bookings of an account, each in the order of their ids, and reads them as they are
 * then. What was read before, to know what to lock, is to be checked again in the result; ids that are unknown
 * are missing from it.
 */
export async function lockPlaces(
  tx: Transaction,
  accountId: number,
  ids: { timeslotIds: readonly number[]; basketIds?: readonly number[]; bookingIds?: readonly number[] },
): Promise<Locked> {
  const { timeslotIds, basketIds = [], bookingIds = [] } = ids
  const { slots, baskets, bookings } = await inOrder({
    slots: timeslotIds.length > 0 && queries.lockSlots(tx, accountId, timeslotIds),
    baskets: basketIds.length > 0 && queries.lockBaskets(tx, accountId, basketIds),
    bookings: bookingIds.length > 0 && queries.lockBookings(tx, accountId, bookingIds),
  })
  return { slots: byId(slots || []), baskets: byId(baskets || []), bookings: byId(bookings || []) }
}

export type LockedBasket = {
  basket: queries.Basket
  lines: queries.Booking[]
  slots: Map<number, queries.Slot>
}

/**
 * Locks a basket with its timeslots, some more timeslots, and its bookings, and reads them as they are then; null
 * when the account has no such basket.
 * @throws a retryable error when a line came to it, or moved, before its timeslot was locked.
 */
export async function lockBasket(
  tx: Transaction,
  accountId: number,
  id: number,
  moreTimeslotIds: readonly number[] = [],
): Promise<LockedBasket | null> {
  const known = await queries.listBookingsOfBaskets(tx, accountId, [id])
  const timeslotIds = [...known.map(({ timeslotId }) => timeslotId), ...moreTimeslotIds]
  const locked = await inOrder({
    slots: timeslotIds.length > 0 && queries.lockSlots(tx, accountId, timeslotIds),
    baskets: queries.lockBaskets(tx, accountId, [id]),
    lines: queries.lockBookingsOfBasket(tx, accountId, id),
  })
  const [basket] = locked.baskets
  if (!basket) return null
  const slots = byId(locked.slots || [])
  if (locked.lines.some(({ timeslotId }) => !slots.has(timeslotId))) throw changedMeanwhile('a basket')
  return { basket, lines: locked.lines, slots }
}

function byId<T extends { id: number }>(rows: readonly T[]): Map<number, T> {
  return new Map(rows.map((row) => [row.id, row]))
}

/** A timeslot that cannot give what is asked of it. `available` is 0 where it is not on sale. */
export type Shortage = { timeslotId: number; onSale: boolean; available: number }

/**
 * The timeslots of which changes would take more places than are free, after the holds on them whose time has
 * run out were released, but for those of the bookings that change. The timeslots are locked; a timeslot that is
 * closed or has begun gives none.
 */
export async function findShortages(
  tx: Transaction,
  accountId: number,
  changes: readonly Change[],
): Promise<Shortage[]> {
  const taken = sumTaken(changes)
  const ids = [...taken.keys()]
  const short = (slots: queries.Slot[]) => {
    const known = byId(slots)
    return ids.flatMap((id): Shortage[] => {
      const slot = known.get(id)
      const available = slot?.onSale ? slot.capacity - slot.booked - slot.held : 0
      return available >= taken.get(id)! ? [] : [{ timeslotId: id, onSale: slot?.onSale ?? false, available }]
    })
  }
  if (ids.length === 0) return []
  const slots = await queries.lockSlots(tx, accountId, ids)
  const shortages = short(slots)
  const worth = shortages.filter(({ timeslotId }) =>
    slots.some(({ id, held }) => id === timeslotId && held > 0),
  )
  if (worth.length === 0) return shortages
  const released = await releaseExpired(
    tx,
    accountId,
    worth.map(({ timeslotId }) => timeslotId),
    changes.flatMap(({ from }) => from?.id ?? []),
  )
  return released === 0 ? shortages : short(await queries.lockSlots(tx, accountId, ids))
}

/**
 * Ends the holds on locked timeslots whose time has run out, but for those of some bookings, and offers their
 * places to those who wait. The other lines of their baskets, and the baskets themselves, are left to
 * sweepExpiredHolds(), or to a payment that comes late.
 * @returns how many it ended.
 */
export async function releaseExpired(
  tx: Transaction,
  accountId: number,
  timeslotIds: readonly number[],
  except: readonly number[] = [],
): Promise<number> {
  const expired = await queries.listExpiredHolds(tx, accountId, { timeslotIds, except })
  await changeBookings(
    tx,
    accountId,
    theService,
    expired.map((booking) => ({ booking, action: 'expired', to: { status: 'expired' } })),
  )
  return expired.length
}

/** Makes bookings, whose places the caller has found free, and begins their history. Gives their ids, in order. */
export async function makeBookings(
  tx: Transaction,
  accountId: number,
  actor: Actor,
  rows: queries.BookingInsert[],
): Promise<number[]> {
  const ids = await queries.insertBookings(tx, accountId, rows)
  const deltas = sumDeltas(rows.map((to) => ({ from: null, to })))
  if (deltas.length > 0) await queries.updateCounters(tx, accountId, deltas)
  await queries.insertChanges(
    tx,
    accountId,
    actor,
    rows.map(({ status, participants }, index) => {
      return { bookingId: ids[index]!, action: status, details: { Participants: participants } }
    }),
  )
  return ids
}

export type BookingChange = {
  /** As it is, locked. */
  booking: queries.Booking
  to: { status?: BookingStatus; timeslotId?: number; participants?: number }
  /** Only with the status `cancelled`. */
  cancelReason?: queries.BookingUpdate['cancelReason']
  /** A word for the history: `cancelled`, `moved`, … */
  action: string
  details?: object
}

/**
 * Changes bookings whose timeslots (old and new), baskets and rows are locked: the rows, the counters, the
 * history, the waitlist entries of those that end, and then offers what was freed to those who wait. That the
 * places it takes are free is the caller's to have found; the database refuses what would sell one twice.
 */
export async function changeBookings(
  tx: Transaction,
  accountId: number,
  actor: Actor,
  changes: BookingChange[],
): Promise<void> {
  if (changes.length === 0) return
  const moves = changes.map(({ booking, to }) => ({ from: booking, to: { ...booking, ...to } }))
  const deltas = sumDeltas(moves)
  await queries.updateBookings(
    tx,
    accountId,
    changes.map(({ cancelReason = null }, index) => ({ ...moves[index]!.to, cancelReason })),
  )
  if (deltas.length > 0) await queries.updateCounters(tx, accountId, deltas)
  await queries.insertChanges(
    tx,
    accountId,
    actor,
    changes.map(({ booking, action, details = {} }) => ({ bookingId: booking.id, action, details })),
  )
  for (const [status, entry] of ends) {
    const ended = moves.filter(({ from, to }) => to.status === status && from.status !== status)
    const ids = ended.map(({ to }) => to.id)
    if (ids.length > 0) await queries.endEntries(tx, accountId, ids, entry)
  }
  const freed = deltas.filter(({ booked, held }) => booked + held < 0)
  await offerPlaces(
    tx,
    accountId,
    freed.map(({ timeslotId }) => timeslotId),
  )
}

/** Writes who travels on locked bookings; the history tells that it changed, not who it is. */
export async function changeCustomer(
  tx: Transaction,
  accountId: number,
  actor: Actor,
  bookings: queries.Booking[],
  customer: queries.Customer,
): Promise<void> {
  const ids = bookings.map(({ id }) => id)
  await queries.updateCustomers(tx, accountId, ids, customer)
  const rows = ids.map((bookingId) => ({ bookingId, action: 'customer-changed', details: {} }))
  await queries.insertChanges(tx, accountId, actor, rows)
}

/** What a booking's new status means to the waitlist entry it came from. */
const ends = [
  ['confirmed', 'taken'],
  ['cancelled', 'left'],
  ['expired', 'expired'],
] as const

/**
 * Offers what is free on locked timeslots to those who wait for it, in the order of joining: their places are held
 * for as long as the account says, and an e-mail is left to be sent. To be called by whatever frees places in
 * another way than changeBookings(): a capacity raised, a timeslot opened again.
 */
export async function offerPlaces(
  tx: Transaction,
  accountId: number,
  timeslotIds: readonly number[],
): Promise<void> {
  if (timeslotIds.length === 0) return
  for (const slot of await queries.lockSlots(tx, accountId, timeslotIds)) {
    const free = slot.capacity - slot.booked - slot.held
    if (!slot.onSale || free <= 0) continue
    const offered = chooseOffers(free, await queries.listWaiting(tx, accountId, slot.id))
    if (offered.length === 0) continue
    const { bookings } = await lockPlaces(tx, accountId, {
      timeslotIds: [],
      basketIds: offered.map(({ basketId }) => basketId),
      bookingIds: offered.map(({ bookingId }) => bookingId),
    })
    await queries.insertOffers(tx, accountId, slot, offered)
    await changeBookings(
      tx,
      accountId,
      theService,
      [...bookings.values()].map((booking) => ({ booking, action: 'offered', to: { status: 'held' } })),
    )
  }
}

export type BasketEnd = {
  id: number
  status: 'cancelled' | 'expired'
  /** Only with `cancelled`. */
  cancelReason?: 'operator' | 'customer' | 'closure'
}

/** Ends a locked basket that was not paid, and frees what its locked bookings still hold. */
export async function endBasket(
  tx: Transaction,
  accountId: number,
  actor: Actor,
  { id, status, cancelReason }: BasketEnd,
  bookings: queries.Booking[],
): Promise<void> {
  await queries.updateBasketStatus(tx, accountId, id, status)
  await changeBookings(
    tx,
    accountId,
    actor,
    bookings
      .filter((booking) => booking.status === 'held' || booking.status === 'waitlisted')
      .map((booking) => ({
        booking,
        action: status,
        to: { status },
        ...(cancelReason && { cancelReason }),
      })),
  )
}
