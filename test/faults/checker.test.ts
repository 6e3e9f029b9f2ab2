/** Breaks each rule of the checker in an invented run that is otherwise correct. */
import t from 'tap'
import { check } from './checker.ts'
import { answerOf, type OperationOf } from './history.ts'
import { createInventedRun, rulesBroken, setting, slots } from './story.ts'

const [nine, ten] = slots as [string, string]

/** An invented run of a correct service, with the operations that the breaches change. */
function createCompleteRun() {
  const story = createInventedRun()
  const kept = story.book(nine, 3)
  const cancelled = story.book(nine, 1)
  story.look()
  story.cancel(referenceOf(cancelled))
  const moved = story.book(nine, 1)
  story.move(referenceOf(moved), ten)
  const bought = story.buy(ten, 2, 'succeeded') as OperationOf<'pay'>
  story.buy(ten, 2, 'failed')
  const joined = story.wait(nine)
  story.send()
  story.tellReceiver()
  const alone = story.record('record', 1)
  const batch = story.record('record-batch-once', 3)
  const looked = story.look()
  const summed = story.sumUp()
  const refused = story.book(nine, 4)
  story.end()
  return { ...story, kept, cancelled, moved, bought, joined, alone, batch, looked, summed, refused }
}
type CompleteRun = ReturnType<typeof createCompleteRun>

function referenceOf(operation: { attempts: OperationOf<'book'>['attempts'] }): string {
  return answerOf(operation)!.reference
}

function bookingOf({ final }: CompleteRun, operation: OperationOf<'book'>) {
  return final.bookings.find(({ reference }) => reference === referenceOf(operation))!
}

/** Each rule, with a change that breaks it in a correct run. */
const breaches: [rule: string, breach: string, spoil: (run: CompleteRun) => void][] = [
  [
    'booking-lost',
    'an acknowledged booking that is not stored',
    ({ final, kept }) => {
      final.bookings = final.bookings.filter(({ reference }) => reference !== referenceOf(kept))
    },
  ],
  [
    'booking-lost',
    'an acknowledged booking of another size',
    (run) => (bookingOf(run, run.kept).participants = 2),
  ],
  [
    'booked-twice',
    'one request that made two bookings',
    (run) => run.final.bookings.push({ ...bookingOf(run, run.kept), reference: 'R0' }),
  ],
  [
    'refused-but-booked',
    'a booking that was refused, and made',
    (run) =>
      run.final.bookings.push({
        ...bookingOf(run, run.kept),
        reference: 'R0',
        payment: run.refused.request.payment,
      }),
  ],
  [
    'cancellation-undone',
    'an acknowledged cancellation of a booking that is still confirmed',
    (run) => (bookingOf(run, run.cancelled).status = 'confirmed'),
  ],
  [
    'booking-ended-by-nobody',
    'a booking that is cancelled although nobody cancelled it',
    (run) => (bookingOf(run, run.kept).status = 'cancelled'),
  ],
  [
    'booking-misplaced',
    'a booking that is not where it was moved to',
    (run) => (bookingOf(run, run.moved).slot = nine),
  ],
  [
    'basket-not-once',
    'a basket whose line was made twice',
    ({ final, bought }) => {
      const line = final.bookings.find(({ basketId }) => basketId === bought.request.basketId)!
      final.bookings.push({ ...line, reference: 'R0' })
    },
  ],
  [
    'joined-not-once',
    'a waiting party that is not stored',
    ({ final }) => {
      final.bookings = final.bookings.filter(
        ({ participants, email }) => participants !== 1 || email === null,
      )
    },
  ],
  [
    'payment-not-acted-on',
    'a payment that arrived in time and completed nothing',
    ({ bought }) => (answerOf(bought)!.outcome = 'refund-due'),
  ],
  [
    'payment-not-acted-on',
    'a completed basket that has expired',
    ({ final, bought }) => {
      final.baskets.find(({ id }) => id === bought.request.basketId)!.status = 'expired'
    },
  ],
  ['payment-not-once', 'a payment that was lost', ({ final }) => final.paidEvents.pop()],
  [
    'payment-not-once',
    'a payment that was recorded twice',
    ({ final }) => final.paidEvents.push(final.paidEvents[0]!),
  ],
  [
    'timeslot-unsound',
    'a timeslot that was seen above its capacity',
    ({ history }) => (history.samples[0]!.slots[0]!.held = 9),
  ],
  [
    'timeslot-unsound',
    'a counter that differs from the sum of its bookings',
    ({ final }) => final.slots[0]!.booked--,
  ],
  [
    'oversold',
    'more acknowledged places than the timeslot has',
    (run) => {
      const booking = { ...bookingOf(run, run.kept), reference: 'R0', payment: 'more' }
      run.final.bookings.push(booking)
      const request = { slot: nine, participants: 3, payment: 'more' }
      run.tell('book', request, { answer: { reference: 'R0' } })
    },
  ],
  ['sold-places-shown', 'places shown that were sold', ({ looked }) => (answerOf(looked)!.free[nine] = 3)],
  ['free-places-hidden', 'free places that were not shown', ({ looked }) => (answerOf(looked)!.free = {})],
  [
    'refused-though-free',
    'a refusal although places were free',
    ({ refused }) => (refused.request.participants = 1),
  ],
  [
    'retries-disagree',
    'two responses to one idempotency key',
    ({ batch }) => batch.attempts.push({ ...batch.attempts[0]!, answer: { ids: [1, 2, 3] } }),
  ],
  ['unexpected-answer', 'an internal error', ({ alone }) => (alone.attempts[0]!.status = 500)],
  ['entry-lost', 'an acknowledged entry that is not stored', ({ final }) => dropEntry(final, 'meter 1')],
  [
    'entry-counted-twice',
    'an entry that is stored twice',
    ({ final }) => final.entries.push(final.entries.find(({ meter }) => meter === 'meter 1')!),
  ],
  [
    'entry-of-another-id',
    'an entry whose id differs from the one in the response',
    ({ alone }) => (answerOf(alone)!.ids[0] = 0),
  ],
  [
    'entries-rejected',
    'an accepted entry that was rejected when it was stored',
    ({ final }) => final.rejects++,
  ],
  ['total-differs', 'a total that counts more than is stored', ({ final }) => final.totals[0]!.events++],
  ['event-not-metered-once', 'an event without an entry', ({ final }) => dropEntry(final, 'order-completed')],
  [
    'event-not-metered-once',
    'an e-mail of a workflow without an entry',
    ({ final }) => dropEntry(final, 'workflow-email-sent'),
  ],
  [
    'event-not-metered-once',
    'an offer that was sent and has no entry',
    ({ final }) => dropEntry(final, 'waitlist-notified'),
  ],
  [
    'event-not-numbered',
    'an event that never gets a number',
    ({ final }) => (final.events[0]!.number = null),
  ],
  ['log-has-gaps', 'a number that no event has', ({ final }) => (final.events.at(-1)!.number! += 1)],
  ['log-has-gaps', 'a number that two events have', ({ final }) => (final.events[1]!.number = 1)],
  ['order-not-metered-once', 'an order without an event', ({ final }) => void final.events.shift()],
  [
    'order-not-metered-once',
    'an order with two events',
    ({ final }) => void final.events.push({ ...final.events[0]!, number: final.events.length + 1 }),
  ],
  [
    'order-not-metered-once',
    'an event of an order that was not completed',
    ({ final }) => (final.baskets.find(({ status }) => status === 'completed')!.status = 'cancelled'),
  ],
  [
    'summary-misses',
    'a summary that misses an entry',
    ({ summed }) => answerOf(summed)!.events['meter 1']!--,
  ],
  [
    'summary-exceeds',
    'a summary that counts more than was recorded',
    ({ summed }) => answerOf(summed)!.events['meter 1']!++,
  ],
  [
    'summary-fell',
    'a summary that counts less than one before',
    ({ sumUp }) => {
      const later = sumUp()
      answerOf(later)!.pending = '3'
      answerOf(later)!.events['meter 1'] = 1
    },
  ],
  [
    'webhook-missing',
    'an event that never arrived',
    ({ history, final }) => {
      history.arrivals = history.arrivals.filter(({ number }) => number !== numbersOfBooking(final)[1])
    },
  ],
  [
    'webhook-missing',
    'an event that the receiver did not accept',
    ({ history, final }) => {
      arrivalOf(history, numbersOfBooking(final)[2]!).isTaken = false
    },
  ],
  [
    'webhook-out-of-order',
    'an event that first arrived after a later one of its booking',
    ({ history, final }) => {
      const [, second, third] = numbersOfBooking(final)
      const [one, other] = [arrivalOf(history, second!), arrivalOf(history, third!)]
      ;[one.number, other.number] = [other.number, one.number]
      ;[one.id, other.id] = [other.id, one.id]
    },
  ],
  [
    'webhook-of-two-ids',
    'an event that came again under another id',
    ({ history }) => history.arrivals.push({ ...history.arrivals[0]!, id: 'evt_2_1' }),
  ],
]

function numbersOfBooking({ events }: CompleteRun['final']): number[] {
  return events.flatMap(({ number, bookingId }) => (bookingId === null ? [] : (number ?? [])))
}

function arrivalOf({ arrivals }: CompleteRun['history'], wanted: number) {
  return arrivals.find(({ number }) => number === wanted)!
}

function dropEntry(final: CompleteRun['final'], name: string): void {
  final.entries.splice(
    final.entries.findIndex(({ meter }) => meter === name),
    1,
  )
}

t.test('an invented run of a correct service breaks no rule', async (t) => {
  const { history, final } = createCompleteRun()
  t.same(check(history, final, setting), [])
})

for (const [rule, breach, spoil] of breaches) {
  t.test(`the checker finds ${breach}`, async (t) => {
    const run = createCompleteRun()
    spoil(run)
    t.ok(rulesBroken(run).includes(rule), `${rule}, of ${rulesBroken(run)}`)
  })
}
