/**
 * Pure rules of deliveries: when a delivery is tried again, how many an endpoint may have, and how long
 * deliveries are stored.
 */
import type { TraceContext } from '../../../platform/tracing/tracing.ts'
import type { BodyKind } from '../endpoints/model.ts'

/**
 * The maximum number of unfinished deliveries that events can cause for an endpoint. If the deliveries of one
 * more event could exceed this number, the events wait in the log.
 */
export const maxUnfinished = 1000
/** At this number of unfinished deliveries, an endpoint gets no tests, and no finished delivery is sent again. */
export const maxUnfinishedInAll = 2 * maxUnfinished
/** After this many tries without a success, an endpoint is failing: each process sends it one delivery at a time. */
export const failingAfter = 5
/**
 * If an endpoint accepts a delivery after it has been failing for this many minutes, its waiting deliveries are due at
 * once. After a shorter time, they are not: the endpoint may accept some deliveries and refuse others, and the refused
 * ones would be tried again without a pause.
 */
export const outageMinutes = 5
/** How many days a delivery is tried, and after how many days of failures without a success an endpoint is paused. */
export const retryDays = 3
/** How many days finished deliveries can be listed. */
export const deliveryRetentionDays = 30
/** For this many days, events that a paused endpoint needs do not expire. After that, they can be deleted. */
export const pausedDays = 30
/**
 * How long a change of availability waits for further changes of the same product and day, so that one
 * delivery reports them all.
 */
export const gatherSeconds = 1

const minute = 60
const pauses = [5, 15, minute, 5 * minute, 15 * minute, 30 * minute, 60 * minute, 120 * minute, 240 * minute]
const longestPause = 360 * minute
const longestAsked = 60 * minute

/**
 * Seconds until the next try after try number `tries` failed: five seconds at first, then longer each time,
 * up to six hours. Each pause is up to a fifth shorter or longer, so that not all deliveries are retried at
 * the same time.
 * @param retryAfterSeconds the seconds of the receiver's Retry-After, which is honoured up to an hour.
 */
export function secondsUntilNextTry(
  tries: number,
  retryAfterSeconds: number | null,
  random = Math.random(),
): number {
  const pause = (pauses[tries - 1] ?? longestPause) * (0.8 + random * 0.4)
  return Math.max(pause, Math.min(retryAfterSeconds ?? 0, longestAsked))
}

/** A delivery that this process is trying, with the data of its endpoint. */
export type ClaimedDelivery = {
  accountId: number
  id: number
  endpointId: number
  /** The `webhook-id` that the receiver gets, the same in every try. */
  messageId: string
  type: string
  /** Null for a test and for a change of availability. */
  eventNumber: number | null
  occurredAt: Date
  /** The product and day of a change of availability; `date` is null if all days of the product changed. */
  productId: number | null
  date: string | null
  /** How many times it was tried before. */
  tries: number
  /** The token of its lease. */
  lease: string
  url: string
  body: BodyKind
  /** The partner that the endpoint belongs to; null for the account itself. */
  partnerId: number | null
  /** The trace of its event, or of the request for a test or a redelivery. Null without one. */
  traceContext: TraceContext | null
}

/** The outcome of a try. */
export type TryOutcome = {
  delivery: ClaimedDelivery
  isDelivered: boolean
  /** Whether the response was 410. */
  isGone: boolean
  /** Whether nothing was sent because the event has been deleted from the log. Such a delivery is set aside at once. */
  isExpired: boolean
  retrySeconds: number
  /** Null without a response. */
  httpStatus: number | null
  durationMs: number
  answer: string | null
  /** Why there was no response, or why nothing was sent, in words for the operator. */
  fault: string | null
}
