/**
 * Confirms reservations. Concurrent confirmations share a transaction, because hundreds of resellers may
 * confirm bookings of one timeslot: one lock serves all of them. If another transaction has locked a
 * timeslot, the confirmations for that timeslot wait in its lane, so that they do not delay other timeslots.
 */
import { type Actor, theService } from '../../events/actor.ts'
import { problems } from '../../http/problems.ts'
import { deleteHoldingBaskets } from '../../inventory/hold-queries.ts'
import {
  type Basket,
  type Booking,
  lockBaskets,
  lockBookings,
  lockSlots,
  type RowKey,
} from '../../inventory/lock-queries.ts'
import { byId } from '../../inventory/locking.ts'
import { timeslotKey } from '../../inventory/model.ts'
import { type BookingChange, changeBookings } from '../../inventory/service.ts'
import type { ObserveBatches } from '../../platform/async/batcher.ts'
import { createLanes, type Lanes, SetAside } from '../../platform/async/lanes.ts'
import { inOrder, type Sql, setLockTimeout, type Transaction } from '../../platform/postgres/database.ts'
import { isDataError, isLockTimeout } from '../../platform/postgres/errors.ts'
import type { TraceContext } from '../../platform/tracing/tracing.ts'
import { type ResellerDetails, type Reserved, updateDetails } from './queries.ts'

export type Confirmation = {
  reserved: Reserved
  actor: Actor
  given: ResellerDetails
  traceContext: TraceContext | null
  /** Whether the client still waits for the response; checked right before the booking is confirmed. */
  isAwaited: () => boolean
}

/**
 * `again`: the caller must find the reservation and try again, because the booking was moved or its timeslot
 * deleted meanwhile, the client is gone, or another item of the batch confirms the booking.
 */
export type ConfirmationOutcome = 'done' | 'again'

type Outcome = ConfirmationOutcome | SetAside | Error

export type ConfirmationOptions = {
  observe?: ObserveBatches
  /** The longest time that a confirmation waits for its turn in the lane of a locked timeslot. */
  lockedMs?: number
  /**
   * The maximum number of concurrent batches, and of concurrent transactions that wait for a locked timeslot.
   * If left out, the limits for live accounts apply.
   */
  maxAtOnce?: { maxBatches: number; maxAlone: number }
}

/**
 * How long a transaction waits for locked timeslots, in milliseconds. A batch waits `moment`, which is long
 * enough for another batch to end. After that, it runs again with `nothing`, without the timeslots that are
 * still locked. A lane waits `lane`. All batches lock in the order of the ids, so that there is no deadlock.
 */
const lockMs = { nothing: 0, moment: 100, lane: 2000 }
type Waits = keyof typeof lockMs

// The share of the pool's connections that may wait for locked timeslots.
const lanePart = 0.2

export function createConfirmations(
  sql: Sql,
  { observe, lockedMs = lockMs.lane, maxAtOnce }: ConfirmationOptions,
): Lanes<Confirmation, ConfirmationOutcome> {
  return createLanes<Confirmation, ConfirmationOutcome>({
    maxSize: 250,
    maxWaiting: 10_000,
    ...(maxAtOnce ?? { maxBatches: 2, maxAlone: Math.max(1, Math.floor(sql.options.max * lanePart)) }),
    maxAsideMs: lockedMs,
    laneOf,
    ownerOf: ({ reserved }) => reserved.accountId,
    run: (batch) => confirmAll(sql, batch, 'moment'),
    runAlone: (batch) => confirmAll(sql, batch, 'lane'),
    refusal: () => problems.unavailable('Too many bookings are waiting; please try again.'),
    tooLate: () => problems.unavailable('The timeslot is being changed; please try again.'),
    observe: observe?.('confirmations'),
    observeAlone: observe?.('confirmation-lanes'),
  })
}

/**
 * The lane of a timeslot. It includes the account, because a test account has timeslots with the ids of its live
 * account.
 */
function laneOf({ reserved: { accountId, timeslotId } }: Confirmation): string {
  return timeslotKey(accountId, timeslotId)
}

/**
 * Runs a batch in a transaction. If the database refuses the data of an item, both halves of the batch run
 * again, and so on, until only the wrong item fails.
 */
async function confirmAll(sql: Sql, batch: readonly Confirmation[], waits: Waits): Promise<Outcome[]> {
  try {
    let outcomes: Outcome[] = []
    await sql.begin(async (tx) => {
      outcomes = await confirm(tx, batch, waits)
    })
    return outcomes
  } catch (error) {
    if (isLockTimeout(error) && waits === 'moment') return confirmAll(sql, batch, 'nothing')
    if (isLockTimeout(error)) return batch.map((one) => new SetAside(laneOf(one)))
    if (!isDataError(error) || batch.length === 1) throw error
    const middle = Math.ceil(batch.length / 2)
    const halves = [batch.slice(0, middle), batch.slice(middle)]
    const ofHalf = (half: Confirmation[]) =>
      confirmAll(sql, half, waits).catch((error: Error) => half.map(() => error))
    return [...(await ofHalf(halves[0]!)), ...(await ofHalf(halves[1]!))]
  }
}

async function confirm(tx: Transaction, batch: readonly Confirmation[], waits: Waits): Promise<Outcome[]> {
  const wait = waits !== 'nothing'
  const { slots } = await inOrder({
    timeout: wait && setLockTimeout(tx, lockMs[waits]),
    slots: lockSlots(tx, distinct(batch, slotKey), { wait }),
  })
  const locked = new Set(slots.map(({ accountId, id }) => timeslotKey(accountId, id)))
  const open = batch.filter((one) => locked.has(laneOf(one)))
  if (open.length === 0) return batch.map((one) => unlocked(one, wait))
  const found = await inOrder({
    baskets: lockBaskets(
      tx,
      open.map(({ reserved: { accountId, basketId: id } }) => ({ accountId, id })),
    ),
    bookings: lockBookings(tx, distinct(open, bookingKey)),
  })
  const [baskets, bookings] = [byId(found.baskets), byId(found.bookings)]
  const granted = new Map<Booking, Confirmation>()
  const outcomes = batch.map((one): Outcome => {
    if (!locked.has(laneOf(one))) return unlocked(one, wait)
    const booking = bookings.get(one.reserved.id)
    if (!booking) return problems.bookingNotFound()
    if (booking.timeslotId !== one.reserved.timeslotId || granted.has(booking) || !one.isAwaited())
      return 'again'
    if (booking.status === 'confirmed') return 'done'
    const obstacle = findObstacle(booking, baskets.get(booking.basketId) ?? null)
    if (obstacle) return obstacle
    granted.set(booking, one)
    return 'done'
  })
  if (granted.size > 0) await write(tx, granted)
  return outcomes
}

/**
 * The outcome if the timeslot was not locked. With `wait`, the timeslot no longer exists. Without `wait`,
 * another transaction may have locked it.
 */
function unlocked(one: Confirmation, wait: boolean): Outcome {
  return wait ? 'again' : new SetAside(laneOf(one))
}

/** The reason why an unconfirmed booking cannot be confirmed, as an error; null if it can be confirmed. */
export function findObstacle({ status }: Booking, basket: Basket | null): Error | null {
  const isHeld = status === 'held' && basket !== null && !basket.isOver
  if (isHeld) return null
  return status === 'cancelled' ? problems.bookingNotChangeable(status) : problems.reservationOver()
}

async function write(tx: Transaction, granted: ReadonlyMap<Booking, Confirmation>): Promise<void> {
  const bookings = [...granted.keys()]
  await updateDetails(
    tx,
    [...granted].map(([{ accountId, id: bookingId }, { given }]) => ({ accountId, bookingId, ...given })),
  )
  const changes = [...granted].map(([booking, { actor, traceContext }]): BookingChange => {
    return { booking, action: 'confirmed', to: { status: 'confirmed' }, actor, traceContext }
  })
  await changeBookings(tx, theService, changes)
  await deleteHoldingBaskets(
    tx,
    bookings.map(({ accountId, basketId: id }) => ({ accountId, id })),
  )
}

function slotKey({ reserved: { accountId, timeslotId: id } }: Confirmation): RowKey {
  return { accountId, id }
}

function bookingKey({ reserved: { accountId, id } }: Confirmation): RowKey {
  return { accountId, id }
}

function distinct(batch: readonly Confirmation[], read: (one: Confirmation) => RowKey): RowKey[] {
  const keys = new Map(batch.map(read).map((key) => [`${key.accountId} ${key.id}`, key]))
  return [...keys.values()]
}
