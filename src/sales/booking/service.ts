/**
 * The use case of booking places: checks what the schema cannot, hands the request to the next batch, and
 * turns its outcome into an answer. Knows nothing of HTTP.
 */
import type { Caller } from '../../accounts/service.ts'
import { activityUuid } from '../../catalogue/model.ts'
import { type Alternative, problems } from '../../http/problems.ts'
import { listAlternatives, type RefusedRequest, refusalProblem } from '../../inventory/alternatives.ts'
import { createBatcher, type ObserveBatches } from '../../platform/async/batcher.ts'
import { createLanes } from '../../platform/async/lanes.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { createIdSource } from '../../platform/postgres/id-blocks.ts'
import { hashBody } from '../../platform/postgres/idempotency.ts'
import { checkAnswers, toStoredAnswers } from './answers.ts'
import { toCustomer } from './customer.ts'
import { type Attempt, type BookingOutcome, slotName } from './decision.ts'
import { isKeyLane } from './keys.ts'
import { makeReference } from './model.ts'
import { drawIdBlocks, findQuestionIds, idBlockSize } from './queries.ts'
import { reserve } from './reservation.ts'
import type { BookingRequest, BookingView } from './schemas.ts'

export type BookingOrder = {
  caller: Caller
  request: BookingRequest
  idempotencyKey: string | undefined
  /** Whether somebody still waits for the answer; asked right before places are taken. */
  isAwaited: () => boolean
}
/** `replayed`: this idempotency key had been answered with this booking before. */
export type BookedPlaces = { booking: BookingView; replayed: boolean }

export type BookingService = {
  /**
   * Books all the places asked for, or none. When it resolves, the booking is committed.
   * @throws Problem insufficient-capacity or timeslot-unavailable (with alternatives), validation for an
   *   unknown ActivityID or QuestionID, idempotency-key-reused; unavailable when PostgreSQL is out of reach:
   *   the booking may then have been made, which a retry with the same idempotency key tells.
   */
  book(order: BookingOrder): Promise<BookedPlaces>
  /** Resolves when every booking under way has been decided. */
  drain(): Promise<void>
}

const batching = {
  maxSize: 250,
  maxWaiting: 10_000,
  refusal: () => problems.unavailable('Too many bookings are waiting; please try again.'),
}
// One works while the other's answer is read; more would only make the batches smaller.
const maxBatches = 2
// The part of the pool's connections that may wait for locked timeslots.
const lanePart = 0.4
// Any other use case gives up on a lock after as long.
const maxLockedMs = 2000

/** An order while it is tried. */
type Bid = { order: BookingOrder; slot: string; attempt: Attempt | null }

/** @param lockedMs how long a request waits for a timeslot or a key that another transaction has locked. */
export function createBookingService(
  sql: Sql,
  observe?: ObserveBatches,
  lockedMs = maxLockedMs,
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
  const reservations = createLanes<Bid, BookingOutcome>({
    ...batching,
    maxBatches,
    maxAlone: Math.max(1, Math.floor(sql.options.max * lanePart)),
    maxAsideMs: lockedMs,
    laneOf: ({ slot }) => slot,
    ownerOf: ({ order }) => order.caller.accountId,
    run: async (bids) => reserve(sql, await describeAll(bids), 'nothing'),
    runAlone: async (bids, lane) =>
      reserve(sql, await describeAll(bids), isKeyLane(lane) ? 'key-and-timeslot' : 'timeslot'),
    tooLate: () => problems.unavailable('The timeslot is being changed; please try again.'),
    observe: observe?.('bookings'),
    observeAlone: observe?.('booking-lanes'),
  })
  const refusals = createBatcher<RefusedRequest, { alternatives: Alternative[] | null }>({
    ...batching,
    // A search reads up to 500 timeslots: a batch of them is to take tens of milliseconds at most.
    maxSize: 25,
    concurrency: 2,
    ownerOf: ({ accountId }) => accountId,
    observe: observe?.('booking-alternatives'),
    run: (batch) => listAlternatives(sql, batch, true),
  })

  /** What the bids are tried with: their ids are drawn once, and kept through every try. */
  async function describeAll(bids: Bid[]): Promise<Attempt[]> {
    const fresh = bids.filter(({ attempt }) => !attempt)
    const [ids, ofBaskets] = await Promise.all([bookingIds(fresh.length), basketIds(fresh.length)])
    for (const [index, bid] of fresh.entries())
      bid.attempt = describe(bid.order, ids[index]!, ofBaskets[index]!)
    return bids.map(({ attempt }) => attempt!)
  }

  return {
    async book(order) {
      if (order.request.Answers?.length) await requireKnownQuestions(sql, order)
      const bid = { order, slot: slotName(slotAsked(order)), attempt: null }
      let outcome = await reservations.add(bid)
      while (outcome.kind === 'again') outcome = await reservations.add(bid)
      if (outcome.kind === 'made') return outcome
      if (outcome.kind === 'reused') throw problems.idempotencyKeyReused()
      const { alternatives } = await refusals.add(slotAsked(order))
      if (!alternatives) throw problems.validation([unknownActivity])
      throw refusalProblem(outcome, alternatives)
    },
    async drain() {
      await reservations.drain()
      await refusals.drain()
    },
  }
}

const unknownActivity = {
  field: 'ActivityID',
  message: 'is not the ActivityID of a product in the shopfront',
}

async function requireKnownQuestions(sql: Sql, { caller, request }: BookingOrder): Promise<void> {
  const known = await findQuestionIds(sql, caller.accountId, activityUuid(request.ActivityID))
  if (!known) throw problems.validation([unknownActivity])
  const unknown = checkAnswers(request.Answers, known)
  if (unknown.length > 0) throw problems.validation(unknown)
}

function slotAsked({ caller, request }: BookingOrder): RefusedRequest {
  return {
    accountId: caller.accountId,
    activity: activityUuid(request.ActivityID),
    date: request.Date,
    time: request.Time,
    participants: request.Participants,
  }
}

/** Whatever copies an attempt or adds a field to one costs more than all the rest of making it: it is made once. */
function describe(order: BookingOrder, id: number, basketId: number): Attempt {
  const { caller, request, idempotencyKey, isAwaited } = order
  const { accountId, keyId: apiKeyId, partnerId } = caller
  const { firstName, lastName, email, phone } = toCustomer(request.Customer)
  const claim =
    idempotencyKey === undefined
      ? null
      : { accountId, apiKeyId, key: idempotencyKey, bodyHash: hashBody(request) }
  return {
    accountId,
    id,
    basketId,
    partnerId,
    activity: activityUuid(request.ActivityID),
    activityId: request.ActivityID,
    date: request.Date,
    time: request.Time,
    participants: request.Participants,
    reference: makeReference(),
    paymentReference: request.PaymentReference ?? null,
    firstName,
    lastName,
    email,
    phone,
    answers: JSON.stringify(toStoredAnswers(request.Answers)),
    channel: 'partner',
    status: 'confirmed',
    actor: { kind: 'partner', id: partnerId },
    claim,
    mayBeMade: false,
    isAwaited,
  }
}
