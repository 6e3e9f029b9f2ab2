/**
 * Checks whether the record of a run, and the database after it, are possible for a correct service. Pure.
 */
import {
  checkAgreement,
  checkBaskets,
  checkBookings,
  checkCapacity,
  checkPaidEvents,
  checkStatuses,
  type Violation,
} from './booking-rules.ts'
import type { FinalState } from './final-state.ts'
import type { History } from './history.ts'
import { checkEntries, checkEvents, checkSummaries } from './usage-rules.ts'
import { checkWebhooks } from './webhook-rules.ts'

export type { Violation } from './booking-rules.ts'

export type Setting = {
  capacities: Record<string, number>
  /** How many milliseconds old availability may be, because of a replica. */
  staleness: number
}

/** Every violation; empty when all rules hold. */
export function check(history: History, final: FinalState, setting: Setting): Violation[] {
  // An operation that was never sent proves nothing.
  const operations = history.operations.filter(({ attempts }) => attempts.length > 0)
  const sent = { ...history, operations }
  return [
    ...checkStatuses(sent),
    ...checkAgreement(sent),
    ...checkBookings(sent, final),
    ...checkBaskets(sent, final),
    ...checkPaidEvents(final),
    ...checkCapacity(sent, final, setting),
    ...checkEntries(sent, final),
    ...checkEvents(final),
    ...checkSummaries(sent),
    ...checkWebhooks(sent.arrivals, final),
  ]
}
