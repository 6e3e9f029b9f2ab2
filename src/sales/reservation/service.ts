/**
 * Use cases of resellers that first hold places and later confirm them. Independent of HTTP. A repeated
 * reserve() finds the earlier reservation by its uuid. The other use cases lead to the same state when they are
 * repeated, except that a hold time counts from the latest request.
 */
import { isTestAccount } from '../../accounts/model.ts'
import type { Caller } from '../../accounts/service.ts'
import { problems } from '../../http/problems.ts'
import { isReservationTaken } from '../../inventory/holds.ts'
import { createBatcher, type ObserveBatches } from '../../platform/async/batcher.ts'
import { tryAgain } from '../../platform/async/try-again.ts'
import type { Queryable, Sql } from '../../platform/postgres/database.ts'
import { isConnectionLost, isRetryable } from '../../platform/postgres/errors.ts'
import { hashBody } from '../../platform/postgres/idempotency.ts'
import { runAgain } from '../../platform/postgres/run-once.ts'
import { traceContext } from '../../platform/tracing/tracing.ts'
import { cancel } from '../booking/changes/cancelling.ts'
import { lockForChange } from '../booking/changes/locking.ts'
import type { BookingService } from '../booking/service.ts'
import { checkUnredeemed, type Rearrangement, rearrange } from './changing.ts'
import { createConfirmations, findObstacle } from './confirming.ts'
import { lengthenHold } from './extending.ts'
import { type ReserveOrder, type ReserveRequest, resellerOf, toHold } from './order.ts'
import { findReserved, listReserved, type ReservationKey, type Reserved } from './queries.ts'

export type UpdateRequest = Rearrangement
export type ConfirmRequest = Omit<Rearrangement, 'slot' | 'holdMinutes'> & { isAwaited: () => boolean }

export type Reservations = {
  /**
   * Holds places for all items, or for none. When it resolves, the hold is committed. `replayed`: the same request
   * made the reservation before.
   * @param readOrder checks the content of the request. It is not called if the reseller already has a
   *   reservation with this uuid, because the product or its questions may have changed since then.
   * @throws Problem reservation-uuid-reused if another request used this uuid; or as readOrder() and
   *   BookingService.hold().
   */
  reserve(request: ReserveRequest, readOrder: () => Promise<ReserveOrder>): Promise<{ replayed: boolean }>
  /**
   * Confirms a reservation. A booking that is already confirmed stays as it is. If the client no longer
   * waits, the reservation may stay unconfirmed.
   * @throws Problem not-found; reservation-over; booking-not-changeable if it is cancelled; with items or
   *   answers, as rearrange().
   */
  confirm(caller: Caller, uuid: string, request: ConfirmRequest): Promise<void>
  /** Changes a reservation or a booking. @throws Problem not-found, or as rearrange(). */
  update(caller: Caller, uuid: string, request: UpdateRequest): Promise<void>
  /**
   * Extends the hold to `holdMinutes` from now, at most to the hold limit. Null for the hold time of the
   * account. The hold is never shortened.
   * @throws Problem not-found; reservation-over; booking-not-changeable once it is confirmed or cancelled.
   */
  extend(caller: Caller, uuid: string, holdMinutes: number | null): Promise<void>
  /**
   * Cancels a reservation or a booking and frees its places. An expired reservation and a cancelled booking
   * stay as they are.
   * @throws Problem not-found; cutoff-passed; booking-not-changeable if it is checked in or has a redeemed ticket.
   */
  cancel(caller: Caller, uuid: string, reason: string | null): Promise<void>
  /**
   * Resolves when every confirmation without items and answers has its outcome. It does not wait for other requests.
   */
  drain(): Promise<void>
}

const maxTries = 3

export function createReservations(
  sql: Sql,
  { bookings, ...options }: { bookings: BookingService; observe?: ObserveBatches; lockedMs?: number },
): Reservations {
  const live = createConfirmations(sql, options)
  const test = createConfirmations(sql, { ...options, maxAtOnce: { maxBatches: 1, maxAlone: 1 } })
  // Concurrent look-ups of reservations share one statement.
  const found = createBatcher<ReservationKey, { reserved: Reserved | null }>({
    ...{ maxSize: 250, maxWaiting: 10_000, concurrency: 2 },
    ownerOf: ({ accountId }) => accountId,
    refusal: () => problems.unavailable('Too many bookings are waiting; please try again.'),
    observe: options.observe?.('reservations'),
    run: async (keys) => (await listReserved(sql, keys)).map((reserved) => ({ reserved })),
  })

  async function find(caller: Caller, uuid: string): Promise<Reserved | null> {
    return (await found.add(keyOf(caller, uuid))).reserved
  }

  async function confirmAlone(caller: Caller, uuid: string, { isAwaited, ...given }: ConfirmRequest) {
    const reserved = await find(caller, uuid)
    if (!reserved) throw problems.bookingNotFound()
    const confirmations = isTestAccount(caller.accountId) ? test : live
    const by = { actor: actorOf(caller), traceContext: traceContext() }
    return confirmations.add({ reserved, ...by, given, isAwaited })
  }

  return {
    async reserve(request, readOrder) {
      const { caller, uuid } = request
      const bodyHash = hashBody(request.body)
      const replay = (reserved: Reserved) => {
        if (!reserved.bodyHash.equals(bodyHash)) throw problems.reservationUuidReused()
        return { replayed: true }
      }
      const known = await find(caller, uuid)
      if (known) return replay(known)
      const order = await readOrder()
      try {
        await bookings.hold(toHold(request, order, bodyHash))
        return { replayed: false }
      } catch (error) {
        const reserved = isReservationTaken(error) ? await find(caller, uuid) : null
        if (!reserved) throw error
        return replay(reserved)
      }
    },

    async confirm(caller, uuid, { isAwaited, ...request }) {
      if (request.items || request.answers) {
        await runAgain(sql, async (tx) => {
          const reserved = await getReserved(tx, caller, uuid)
          await rearrange(tx, { reserved, actor: actorOf(caller) }, request, { confirm: true })
        })
        return
      }
      const attempt = () => confirmAlone(caller, uuid, { isAwaited, ...request })
      // After a lost connection, another try finds the reservation confirmed if the first one was committed.
      const tried = () =>
        tryAgain(attempt, {
          tries: maxTries,
          when: (error) => isRetryable(error) || isConnectionLost(error),
        })
      while ((await tried()) === 'again') if (!isAwaited()) return
    },

    update(caller, uuid, request) {
      return runAgain(sql, async (tx) => {
        const reserved = await getReserved(tx, caller, uuid)
        await rearrange(tx, { reserved, actor: actorOf(caller) }, request, { confirm: false })
      })
    },

    extend(caller, uuid, holdMinutes) {
      return runAgain(sql, async (tx) => {
        const reserved = await getReserved(tx, caller, uuid)
        const subject = { ...reserved, actor: actorOf(caller) }
        const { booking, basket } = await lockForChange(tx, subject, reserved)
        if (booking.status === 'confirmed') throw problems.bookingNotChangeable(booking.status)
        const obstacle = findObstacle(booking, basket)
        if (obstacle) throw obstacle
        await lengthenHold(tx, subject.actor, booking, holdMinutes)
      })
    },

    cancel(caller, uuid, reason) {
      return runAgain(sql, async (tx) => {
        const reserved = await getReserved(tx, caller, uuid)
        const subject = { ...reserved, actor: actorOf(caller) }
        const { booking, basket } = await lockForChange(tx, subject, reserved)
        const hasRunOut = booking.status === 'held' && (basket === null || basket.isOver)
        if (hasRunOut || booking.status === 'expired' || booking.status === 'cancelled') return
        await checkUnredeemed(tx, booking)
        await cancel(tx, subject, { by: 'partner', override: false, reason })
      })
    },

    async drain() {
      await live.drain()
      await test.drain()
    },
  }
}

/** @throws Problem not-found. */
async function getReserved(sql: Queryable, caller: Caller, uuid: string): Promise<Reserved> {
  const reserved = await findReserved(sql, keyOf(caller, uuid))
  if (!reserved) throw problems.bookingNotFound()
  return reserved
}

function keyOf({ accountId, partnerId }: Caller, uuid: string) {
  return { accountId, resellerId: resellerOf({ partnerId }), uuid }
}

function actorOf({ partnerId }: Caller) {
  return { kind: 'partner', id: partnerId } as const
}
