/**
 * The use case of booking places: checks what the schema cannot, adds the request to the next batch, and makes its
 * result from the outcome. Independent of HTTP.
 */
import { isTestAccount } from '../../accounts/model.ts'
import { activityUuid } from '../../catalogue/model.ts'
import { type Alternative, type Problem, problems } from '../../http/problems.ts'
import {
  listAlternatives,
  type Refusal,
  type RefusedRequest,
  refusalProblem,
} from '../../inventory/alternatives.ts'
import { createBatcher, type ObserveBatches } from '../../platform/async/batcher.ts'
import { createLanes } from '../../platform/async/lanes.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { createIdSource } from '../../platform/postgres/id-blocks.ts'
import type { FieldError } from '../../platform/schema/validation.ts'
import { traceContext } from '../../platform/tracing/tracing.ts'
import { checkAnswers } from './answers.ts'
import { type Attempt, type BookingOutcome, slotName } from './decision.ts'
import { isKeyLane } from './keys.ts'
import {
  type BookingOrder,
  type HoldOrder,
  newAttempt,
  type PendingOrder,
  type PlacesOrder,
  type RefusedOrder,
  requestedSlotName,
} from './order.ts'
import { estimatePlaces, type PlacesWanted, toParty } from './pricing.ts'
import { drawIdBlocks, idBlockSize, listQuestionIds } from './queries.ts'
import { reserve } from './reservation.ts'
import type { BookingView } from './schemas.ts'

/** `replayed`: an earlier request with this idempotency key made the booking. */
export type BookedPlaces = { booking: BookingView; replayed: boolean }

export type BookingService = {
  /**
   * Books all requested places, or none. When it resolves, the booking is committed. If an earlier request with the
   * same idempotency key and body made a booking, book() returns that booking, even if the product, its questions or
   * its units have changed since.
   * @throws Problem insufficient-capacity or timeslot-unavailable, with alternatives; validation for an
   *   unknown ActivityID, QuestionID or UnitID and for every broken rule of the product;
   *   idempotency-key-reused; unavailable if too many bookings wait, if the timeslot stays locked, or if
   *   PostgreSQL does not answer. In the last case the booking may exist; a retry with the same idempotency
   *   key returns it.
   */
  book(order: BookingOrder): Promise<BookedPlaces>
  /**
   * Holds all requested places, or none. When it resolves, the hold is committed.
   * @throws as book(), without alternatives, and with timeslot-unavailable for an unknown ActivityID of an
   *   order without answers; an error that isReservationTaken() recognises, if the reseller has a reservation
   *   with this uuid.
   */
  hold(order: HoldOrder): Promise<void>
  /**
   * Makes the problem for an order that cannot have its places: with alternatives, or validation for an
   * unknown ActivityID.
   * @param wanted the places that the order needs, if they are known. Without it, they are estimated from the
   *   request.
   */
  refusalOf(order: RefusedOrder, refusal: Refusal, wanted?: PlacesWanted | null): Promise<Problem>
  /** Resolves when all pending bookings are decided. */
  drain(): Promise<void>
}

const batching = {
  maxSize: 250,
  maxWaiting: 10_000,
  refusal: () => problems.unavailable('Too many bookings are waiting; please try again.'),
}
// One batch runs while the result of the other is read. More batches would only be smaller.
export const maxBatches = 2
// The share of the pool's connections that may wait for locked timeslots or idempotency keys.
const lanePart = 0.4
// The same as the lock timeout of a statement.
const maxLockedMs = 2000

export type BookingServiceOptions = {
  /** Connections that only sell, one for each batch. Without them, each batch is a transaction on the pool. */
  selling?: Sql | null
  observe?: ObserveBatches
  /**
   * The longest time that a request waits for its turn in the lane of a locked timeslot or idempotency key.
   */
  lockedMs?: number
}

export function createBookingService(
  sql: Sql,
  { selling = null, observe, lockedMs = maxLockedMs }: BookingServiceOptions = {},
): BookingService {
  const bookingIds = createIdSource(
    (blocks) => drawIdBlocks(sql, 'booking_ids', blocks),
    idBlockSize,
    idBlockSize,
  )
  const basketIds = createIdSource(
    (blocks) => drawIdBlocks(sql, 'basket_ids', blocks),
    idBlockSize,
    idBlockSize,
  )
  const makeLanes = (limits: { maxBatches: number; maxAlone: number }, selling: Sql | null) =>
    createLanes<PendingOrder, BookingOutcome>({
      ...batching,
      ...limits,
      maxAsideMs: lockedMs,
      laneOf: ({ lane }) => lane,
      ownerOf: ({ order }) => order.caller.accountId,
      run: async (bids) => reserve(sql, await attemptsFor(bids), { selling }),
      runAlone: async (bids, lane) => {
        const waitsFor = isKeyLane(lane) ? 'key-and-timeslot' : 'timeslot'
        return reserve(sql, await attemptsFor(bids), { waitsFor })
      },
      tooLate: () => problems.unavailable('The timeslot is being changed; please try again.'),
      observe: observe?.('bookings'),
      observeAlone: observe?.('booking-lanes'),
    })
  const maxAlone = Math.max(1, Math.floor(sql.options.max * lanePart))
  const live = makeLanes({ maxBatches, maxAlone }, selling)
  // A test account has timeslots with the ids of its live account, so live and test bookings never share a
  // batch. Test bookings do not use the selling connections.
  const test = makeLanes({ maxBatches: 1, maxAlone: 1 }, null)
  const refusals = createBatcher<RefusedRequest, { alternatives: Alternative[] | null }>({
    ...batching,
    // A search reads up to 500 timeslots. A batch of searches must take tens of milliseconds at most.
    maxSize: 25,
    concurrency: 2,
    ownerOf: ({ accountId }) => accountId,
    observe: observe?.('booking-alternatives'),
    run: (batch) => listAlternatives(sql, batch, true),
  })

  const questions = createBatcher<{ accountId: number; activity: string }, { ids: number[] | null }>({
    ...batching,
    concurrency: 2,
    ownerOf: ({ accountId }) => accountId,
    observe: observe?.('booking-questions'),
    run: (batch) => listQuestionIds(sql, batch),
  })

  /**
   * An error for each answer to a question that the product does not ask. Null if the product is not in the
   * shopfront.
   */
  async function findAnswerErrors({ caller, request }: PlacesOrder): Promise<FieldError[] | null> {
    const activity = activityUuid(request.ActivityID)
    const { ids } = await questions.add({ accountId: caller.accountId, activity })
    return ids && checkAnswers(request.Answers, ids)
  }

  async function decide(
    order: PlacesOrder,
    answerErrors: readonly FieldError[],
  ): Promise<Exclude<BookingOutcome, { kind: 'again' }>> {
    const reservations = isTestAccount(order.caller.accountId) ? test : live
    const lane = slotName(requestedSlotName(order))
    const bid = { order, lane, attempt: null, answerErrors, isOver: false, traceContext: traceContext() }
    try {
      let outcome = await reservations.add(bid)
      while (outcome.kind === 'again') outcome = await reservations.add(bid)
      return outcome
    } finally {
      // A run that took too long may still continue; `isOver` prevents it from selling places.
      bid.isOver = true
    }
  }

  async function refusalOf(
    order: RefusedOrder,
    refusal: Refusal,
    wanted: PlacesWanted | null = null,
  ): Promise<Problem> {
    const places = wanted ?? estimatePlaces(toParty(order.request))
    const { alternatives } = await refusals.add({ ...requestedSlotName(order), ...places })
    return alternatives ? refusalProblem(refusal, alternatives) : problems.unknownActivity()
  }

  /** The attempts of the orders. Their ids are drawn once, and every try keeps them. */
  async function attemptsFor(bids: PendingOrder[]): Promise<Attempt[]> {
    const fresh = bids.filter(({ attempt }) => !attempt)
    const [ids, ofBaskets] = await Promise.all([bookingIds(fresh.length), basketIds(fresh.length)])
    for (const [index, bid] of fresh.entries()) bid.attempt = newAttempt(bid, ids[index]!, ofBaskets[index]!)
    return bids.map(({ attempt }) => attempt!)
  }

  return {
    async book(order) {
      const answerErrors = hasAnswers(order) ? await findAnswerErrors(order) : []
      // Without an idempotency key, no earlier request can have made this booking.
      if (order.idempotencyKey === undefined) refuseWrongAnswers(answerErrors)
      // A product that has left the shopfront has no timeslot on sale, so a new booking of it is refused below.
      const outcome = await decide(order, answerErrors ?? [])
      if (outcome.kind === 'made') return outcome
      if (outcome.kind === 'reused') throw problems.idempotencyKeyReused()
      if (outcome.kind === 'invalid') throw problems.validation(outcome.errors)
      throw await refusalOf(order, outcome, outcome.wanted)
    },
    async hold(order) {
      const answerErrors = hasAnswers(order) ? await findAnswerErrors(order) : []
      refuseWrongAnswers(answerErrors)
      const outcome = await decide(order, [])
      if (outcome.kind === 'refused') throw refusalProblem(outcome, [])
      if (outcome.kind === 'invalid') throw problems.validation(outcome.errors)
    },
    refusalOf,
    async drain() {
      await live.drain()
      await test.drain()
      await refusals.drain()
      await questions.drain()
    },
  }
}

/** @throws Problem validation for errors of answers, and for null, which is an unknown product. */
function refuseWrongAnswers(errors: readonly FieldError[] | null): void {
  if (!errors) throw problems.unknownActivity()
  if (errors.length > 0) throw problems.validation([...errors])
}

/** Known without a query, so that a booking without answers joins the next batch at once. */
function hasAnswers({ request }: PlacesOrder): boolean {
  return Boolean(request.Answers?.length)
}
