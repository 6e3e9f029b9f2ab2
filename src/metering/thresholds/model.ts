/** What thresholds on usage are: an amount that the total of a meter reaches in a period. Pure. */
import { theService } from '../../events/actor.ts'
import type { CommittedEvent } from '../../events/append.ts'

export const thresholdPeriods = ['day', 'month', 'total'] as const
export type ThresholdPeriod = (typeof thresholdPeriods)[number]

/** An account has at most so many: each is compared whenever usage of the account is stored. */
export const maxThresholds = 100

/** What a process learns of crossings that one of its statements has committed, one account for each. */
export function crossingEvents(accountIds: readonly number[]): CommittedEvent[] {
  return accountIds.map((accountId) => ({ accountId, type: 'usage.threshold-crossed', actor: theService }))
}
