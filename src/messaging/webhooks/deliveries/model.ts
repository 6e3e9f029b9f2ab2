/** Pure rules of deliveries: when one is tried again, how many an endpoint may have, and how long they are kept. */
import type { BodyKind } from '../endpoints/model.ts'

/** While an endpoint has so many deliveries that are unfinished, its position waits. */
export const mostUnfinished = 1000
/** After so many tries without a success an endpoint is failing: it is tried with one delivery at a time. */
export const failingAfter = 5
/** A delivery is tried for so long, and an endpoint without any success is paused after so long. */
export const retryDays = 3
/** How long deliveries that are finished can be listed. */
export const keptDays = 30
/** How long an endpoint may be paused before events that it did not get are deleted by age, as others are. */
export const pausedDays = 30
/** A change of availability waits so long for others of the same day. */
export const gatherSeconds = 1

const minute = 60
const pauses = [5, 15, minute, 5 * minute, 15 * minute, 30 * minute, 60 * minute, 120 * minute, 240 * minute]
const longestPause = 360 * minute
const longestAsked = 60 * minute

/**
 * Seconds until a delivery is tried again after its nth try failed: five at first, then longer each time, up to six
 * hours, each up to a fifth off so that many do not come back at once.
 * @param asked what the receiver's Retry-After asked for, which is honoured up to an hour.
 */
export function secondsUntilNextTry(tries: number, asked: number | null, random = Math.random()): number {
  const pause = (pauses[tries - 1] ?? longestPause) * (0.8 + random * 0.4)
  return Math.max(pause, Math.min(asked ?? 0, longestAsked))
}

/** A delivery that this process tries now, with what it needs of its endpoint. */
export type ClaimedDelivery = {
  accountId: number
  id: number
  endpointId: number
  /** What the receiver knows it by, the same at every try. */
  messageId: string
  type: string
  /** Null of a test and of a change of availability. */
  eventNumber: number | null
  occurredAt: Date
  /** Of a change of availability; of all days of the product where `date` is null. */
  productId: number | null
  date: string | null
  /** How often it was tried before. */
  tries: number
  /** The token of its lease. */
  lease: string
  url: string
  body: BodyKind
  /** As in Endpoint. */
  partnerId: number | null
}

/** What became of a try. */
export type TryOutcome = {
  delivery: ClaimedDelivery
  isDelivered: boolean
  /** Whether the answer was 410. */
  isGone: boolean
  retrySeconds: number
  /** Null without an answer. */
  httpStatus: number | null
  durationMs: number
  answer: string | null
  /** Why there was no answer, in words for people. */
  fault: string | null
}
