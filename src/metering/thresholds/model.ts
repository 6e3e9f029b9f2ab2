/** Thresholds on usage: amounts that the total of a meter may reach in a period. Pure. */
import { theService } from '../../events/actor.ts'
import type { CommittedEvent } from '../../events/append.ts'

export const thresholdPeriods = ['day', 'month', 'total'] as const
export type ThresholdPeriod = (typeof thresholdPeriods)[number]

/**
 * The most thresholds of an account. They are limited because each is compared whenever usage of its meter is stored.
 */
export const maxThresholds = 100

/**
 * The events to report or to note after a statement has written events of crossings: one for each account,
 * even if the statement has written several for an account.
 */
export function crossingEvents(accountIds: readonly number[]): CommittedEvent[] {
  return accountIds.map((accountId) => ({ accountId, type: 'usage.threshold-crossed', actor: theService }))
}
