/** Thresholds on usage: an amount that the total of a meter reaches in a period. Pure. */
import { theService } from '../../events/actor.ts'
import type { CommittedEvent } from '../../events/append.ts'

export const thresholdPeriods = ['day', 'month', 'total'] as const
export type ThresholdPeriod = (typeof thresholdPeriods)[number]

/** The most thresholds of an account: each is compared whenever usage of the account is stored. */
export const maxThresholds = 100

/** The committed events of crossings that one of this process's statements wrote, one for each account. */
export function crossingEvents(accountIds: readonly number[]): CommittedEvent[] {
  return accountIds.map((accountId) => ({ accountId, type: 'usage.threshold-crossed', actor: theService }))
}
