/** Partners' orders to book or to hold places, and the attempts that are made from them. */
import type { Caller } from '../../accounts/service.ts'
import { activityUuid } from '../../catalogue/model.ts'
import type { NewHold } from '../../inventory/hold-model.ts'
import type { SlotName } from '../../inventory/lock-queries.ts'
import { hashBody } from '../../platform/postgres/idempotency.ts'
import type { FieldError } from '../../platform/schema/validation.ts'
import type { TraceContext } from '../../platform/tracing/tracing.ts'
import { toStoredAnswers } from './answers.ts'
import { type CustomerFields, toCustomer } from './customer.ts'
import type { Attempt } from './decision.ts'
import { makeReference } from './model.ts'
import type { BookingRequest } from './schemas.ts'

export type BookingOrder = {
  caller: Caller
  request: BookingRequest
  idempotencyKey: string | undefined
  /** Whether the client still waits for the response; checked right before places are taken. */
  isAwaited: () => boolean
}
/** An order to hold places until the reseller confirms them. The customer may still be unknown. */
export type HoldOrder = Omit<BookingOrder, 'request' | 'idempotencyKey'> & {
  request: PlacesRequest
  hold: NewHold
}
/** The fields of a request to book or to hold places. */
type PlacesRequest = Omit<BookingRequest, 'Customer'> & { Customer?: CustomerFields }
/** An order to book or to hold places. */
export type PlacesOrder = Omit<BookingOrder, 'request' | 'idempotencyKey'> & {
  request: PlacesRequest
  idempotencyKey?: string | undefined
  hold?: NewHold
}
export type RefusedOrder = Pick<PlacesOrder, 'caller' | 'request'>

/** An order with its attempt. */
export type PendingOrder = {
  order: PlacesOrder
  /** The name of its timeslot. */
  lane: string
  /** Null until the first try. */
  attempt: Attempt | null
  /** The errors of its answers. A new booking is refused because of them; a repeated request is not. */
  answerErrors: readonly FieldError[]
  /** Whether the caller has its outcome or error, so that no further try may sell places. */
  isOver: boolean
  /** The trace of its request. */
  traceContext: TraceContext | null
}

/** The name of the requested timeslot. */
export function requestedSlotName({ caller, request }: RefusedOrder): SlotName {
  return {
    accountId: caller.accountId,
    activity: activityUuid(request.ActivityID),
    date: request.Date,
    time: request.Time,
  }
}

/** Makes an attempt. It sets all fields at once, because copying the object or adding a field later would be slower. */
export function newAttempt(bid: PendingOrder, id: number, basketId: number): Attempt {
  const { caller, request, idempotencyKey, hold = null } = bid.order
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
    participants: request.Participants ?? null,
    units: request.Units ?? null,
    reference: makeReference(),
    paymentReference: request.PaymentReference ?? null,
    firstName,
    lastName,
    email,
    phone,
    answers: JSON.stringify(toStoredAnswers(request.Answers)),
    answerErrors: bid.answerErrors,
    channel: 'partner',
    status: hold ? 'held' : 'confirmed',
    hasTickets: hold !== null,
    hold,
    actor: { kind: 'partner', id: partnerId },
    traceContext: bid.traceContext,
    claim,
    mayBeMade: false,
    isAwaited: () => !bid.isOver && bid.order.isAwaited(),
  }
}
