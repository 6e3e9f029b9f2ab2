/** What a partner must do in test mode before it goes live. Pure. */
import type { Operation, RequestOutcome, Tally } from '../../reports/scorecards/model.ts'

type Rule = { check: string; operation: Operation; outcomes: readonly RequestOutcome[]; toDo: string }

const rules: readonly Rule[] = [
  { check: 'Products', operation: 'products', outcomes: ['done'], toDo: 'List the products.' },
  {
    check: 'Availability',
    operation: 'availability',
    outcomes: ['done'],
    toDo: 'Request the dates, timeslots or calendar of a product.',
  },
  { check: 'Booking', operation: 'book', outcomes: ['done'], toDo: 'Make a booking.' },
  {
    check: 'Replay',
    operation: 'book',
    outcomes: ['replayed'],
    toDo: 'Retry a booking with the same Idempotency-Key; through OCTO, with the same uuid.',
  },
  {
    check: 'Refusal (409)',
    operation: 'book',
    outcomes: ['insufficient-capacity', 'timeslot-unavailable'],
    toDo: 'Book for sold-out@simulated.test, and offer the timeslots in Alternatives, or those of OCTO’s availability.',
  },
  {
    check: 'Cancellation',
    operation: 'cancel',
    outcomes: ['done', 'replayed'],
    toDo: 'Cancel a booking.',
  },
]

/** `calls` is the number of requests that pass the check. `toDo` is null if there is at least one. */
export type CertificationCheck = { check: string; calls: number; toDo: string | null }

/** Every check, in the order in which a partner meets them. */
export function certify(tallies: readonly Tally[]): CertificationCheck[] {
  return rules.map(({ check, operation, outcomes, toDo }) => {
    const calls = tallies
      .filter((tally) => tally.operation === operation && outcomes.includes(tally.outcome))
      .reduce((sum, tally) => sum + tally.calls, 0)
    return { check, calls, toDo: calls > 0 ? null : toDo }
  })
}
