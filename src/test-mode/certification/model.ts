/** What a partner has to have done in test mode before it goes live. Pure. */
import type { CallOutcome, Operation, Tally } from '../../reports/scorecards/model.ts'

type Rule = { check: string; operation: Operation; outcomes: readonly CallOutcome[]; toDo: string }

const rules: readonly Rule[] = [
  { check: 'Products', operation: 'products', outcomes: ['done'], toDo: 'List the products.' },
  {
    check: 'Availability',
    operation: 'availability',
    outcomes: ['done'],
    toDo: 'Ask for the dates, timeslots or calendar of a product.',
  },
  { check: 'Booking', operation: 'book', outcomes: ['done'], toDo: 'Make a booking.' },
  {
    check: 'Replay',
    operation: 'book',
    outcomes: ['replayed'],
    toDo: 'Send a booking again with the same Idempotency-Key; through OCTO with the same uuid.',
  },
  {
    check: 'Refusal (409)',
    operation: 'book',
    outcomes: ['insufficient-capacity', 'timeslot-unavailable'],
    toDo: 'Book for sold-out@simulated.test, and offer what Alternatives lists, or what OCTO’s availability does.',
  },
  {
    check: 'Cancellation',
    operation: 'cancel',
    outcomes: ['done', 'replayed'],
    toDo: 'Cancel a booking.',
  },
]

/** `calls`: how many were seen. `toDo` is null for what was. */
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
