/**
 * Whether what was recorded of a run, and what it left in the database, can be the work of a service that keeps its
 * promises. Pure: it asks nobody anything.
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
  /** How many milliseconds old what the availability shows may be, as a replica has it. */
  staleness: number
}

/** Everything that cannot be; nothing when all promises were kept. */
export function check(history: History, final: FinalState, setting: Setting): Violation[] {
  // What was never sent has nothing to tell.
  const operations = history.operations.filter(({ attempts }) => attempts.length > 0)
  const told = { ...history, operations }
  return [
    ...checkStatuses(told),
    ...checkAgreement(told),
    ...checkBookings(told, final),
    ...checkBaskets(told, final),
    ...checkPaidEvents(final),
    ...checkCapacity(told, final, setting),
    ...checkEntries(told, final),
    ...checkEvents(final),
    ...checkSummaries(told),
    ...checkWebhooks(told.arrivals, final),
  ]
}
