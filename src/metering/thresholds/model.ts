/** Thresholds on usage: an amount that the total of a meter reaches in a period. Pure. */
import { theService } from '../../events/actor.ts'
import type { CommittedEvent } from '../../events/append.ts'

export const thresholdPeriods = ['day', 'month', 'total'] as const
export type ThresholdPeriod = (typeof thresholdPeriods)[number]

/** The most thresholds of an account. They are limited because each is compared whenever usage of its meter is stored. */
export const maxThresholds = 100

/**
 * The notes for the events that a statement wrote for crossings: one note for each account, even for several
 * events.
 */
export function crossingEvents(accountIds: readonly number[]): CommittedEvent[] {
  return accountIds.map((accountId) => ({ accountId, type: 'usage.threshold-crossed', actor: theService }))
}
