/** Invented runs for the checker's tests: a tiny correct service that gets one request after another. */
import { check } from './checker.ts'
import type { FinalBooking, FinalEvent, FinalState } from './final-state.ts'
import type { Answers, Attempt, History, Kind, OperationOf, Requests, SlotState } from './history.ts'

const capacities: Record<string, number> = { '2030-06-15 09:00': 4, '2030-06-15 10:00': 6 }
export const slots = Object.keys(capacities)
export const setting = { capacities, staleness: 0 }

export function rulesBroken({ history, final }: { history: History; final: FinalState }): string[] {
  return [...new Set(check(history, final, setting).map(({ rule }) => rule))]
}

export function createInventedRun() {
  const history: History = { operations: [], samples: [], arrivals: [] }
  const final: FinalState = {
    slots: [],
    bookings: [],
    baskets: [],
    payments: [],
    paidEvents: [],
    events: [],
    entries: [],
    totals: [],
    rejects: 0,
    webhookAccountId: 1,
  }
  let [now, drawn] = [0, 0]

  function tell<K extends Kind>(kind: K, request: Requests[K], changes: Partial<Attempt<K>>): OperationOf<K> {
    const attempt = { outcome: 'ok', status: 200, problem: null, answer: null, ...changes } as const
    const operation = { kind, request, attempts: [{ invoked: now, completed: now + 5, ...attempt }] }
    history.operations.push(operation as unknown as History['operations'][number])
    now += 10
    return operation as OperationOf<K>
  }
  const acknowledge = <K extends Kind>(kind: K, request: Requests[K], answer: Answers[K]) =>
    tell(kind, request, { answer })
  const refuse = <K extends Kind>(kind: K, request: Requests[K], problem: string) =>
    tell(kind, request, { outcome: 'fail', status: 409, problem })

  const placesIn = (slot: string, ...statuses: string[]) =>
    final.bookings
      .filter((booking) => booking.slot === slot && statuses.includes(booking.status))
      .reduce((sum, { participants }) => sum + participants, 0)
  const freeIn = (slot: string) => capacities[slot]! - placesIn(slot, 'confirmed', 'held')
  const stateOf = (slot: string): SlotState => {
    const [booked, held] = [placesIn(slot, 'confirmed'), placesIn(slot, 'held')]
    return { slot, capacity: capacities[slot]!, booked, held, confirmedPlaces: booked, heldPlaces: held }
  }
  const store = (meter: string, extraInfo: string) => {
    const id = ++drawn
    final.entries.push({ id, meter, extraInfo })
    return id
  }
  const append = (event: Pick<FinalEvent, 'type'> & Partial<FinalEvent>) => {
    const number = final.events.length + 1
    const nothing = { actor: 'service', basketId: null, bookingId: null, waitlistEntryId: null, details: {} }
    final.events.push({ accountId: 1, number, ...nothing, ...event })
    history.arrivals.push({ id: `evt_1_${number}`, number, type: event.type, isTaken: true })
  }
  const order = (event: Pick<FinalEvent, 'type' | 'actor' | 'basketId'>) => {
    append(event)
    store('order-completed', `{"BasketID":${event.basketId}}`)
  }
  const open = (booking: Omit<FinalBooking, 'reference' | 'basketId'>, basketId = ++drawn) => {
    const made = { reference: `R${++drawn}`, basketId, ...booking }
    final.bookings.push(made)
    if (booking.channel !== 'partner') final.baskets.push({ id: basketId, status: 'open' })
    return made
  }

  return {
    history,
    final,
    tell,
    book(slot: string, participants: number) {
      const payment = `payment ${++drawn}`
      const request = { slot, participants, payment }
      if (freeIn(slot) < participants) return refuse('book', request, 'insufficient-capacity')
      const sold = { status: 'confirmed', channel: 'partner' }
      const made = open({ slot, participants, payment, email: null, ...sold })
      order({ type: 'booking.confirmed', actor: 'partner', basketId: made.basketId })
      return acknowledge('book', request, { reference: made.reference })
    },
    cancel(reference: string) {
      final.bookings.find((booking) => booking.reference === reference)!.status = 'cancelled'
      return acknowledge('cancel', { reference }, { status: 'cancelled' })
    },
    move(reference: string, slot: string) {
      const booking = final.bookings.find((booking) => booking.reference === reference)!
      if (freeIn(slot) < booking.participants)
        return refuse('move', { reference, slot }, 'insufficient-capacity')
      booking.slot = slot
      return acknowledge('move', { reference, slot }, { slot })
    },
    buy(slot: string, participants: number, type: 'succeeded' | 'failed') {
      const email = `${++drawn}@example.com`
      const request = { lines: [{ slot, participants }], email }
      if (freeIn(slot) < participants) return refuse('hold', request, 'insufficient-capacity')
      const made = open({ slot, participants, payment: null, email, status: 'held', channel: 'online' })
      const { basketId, reference } = made
      acknowledge('hold', request, { basketId, total: '1.00', references: [reference] })
      const paid = type === 'succeeded'
      made.status = paid ? 'confirmed' : 'cancelled'
      final.baskets.at(-1)!.status = paid ? 'completed' : 'cancelled'
      if (paid) order({ type: 'basket.completed', actor: 'payment', basketId })
      const outcome = paid ? 'completed' : 'released'
      final.payments.push({ event: email, outcome })
      if (paid) final.paidEvents.push(email)
      const basketStatus = paid ? 'completed' : 'cancelled'
      return acknowledge('pay', { event: email, basketId, type, amount: '1.00' }, { outcome, basketStatus })
    },
    wait(slot: string) {
      const email = `${++drawn}@example.com`
      const { reference, basketId } = open({
        slot,
        participants: 1,
        payment: null,
        email,
        status: 'waitlisted',
        channel: 'online',
      })
      acknowledge('join', { slot, participants: 1, email }, { waitlistId: basketId, reference })
      Object.assign(final.bookings.at(-1)!, { status: 'cancelled' })
      Object.assign(final.baskets.at(-1)!, { status: 'cancelled' })
      return acknowledge('leave', { waitlistId: basketId }, { status: 'left' })
    },
    /** Appends three events of one booking, which arrive at the receiver of webhooks. */
    tellReceiver() {
      const bookingId = ++drawn
      for (const type of ['booking.checked-in', 'booking.attendance-cleared', 'booking.no-show'])
        append({ type, bookingId })
    },
    /** Sends three e-mails: an offer, one of a workflow, and one that is not metered. */
    send() {
      const details = { Kind: 'waitlist-offer', BookingID: ++drawn }
      append({ type: 'email.sent', waitlistEntryId: ++drawn, details })
      store('waitlist-notified', `{"WaitlistID":${drawn},"MultiBookingID":${details.BookingID}}`)
      append({ type: 'email.sent', details: { Kind: 'workflow' } })
      store('workflow-email-sent', '{}')
      append({ type: 'email.sent', details: { Kind: 'confirmation' } })
    },
    record(kind: 'record' | 'record-batch-once', count: number) {
      const entries = Array.from({ length: count }, () => `entry ${++drawn}`)
      const ids = entries.map((name) => store('meter 1', name))
      return acknowledge(kind, { meter: 'meter 1', entries }, { ids })
    },
    look() {
      const free = Object.fromEntries(
        slots.map((slot) => [slot, freeIn(slot)]).filter(([, places]) => places),
      )
      history.samples.push({ at: now, slots: slots.map(stateOf) })
      return acknowledge('availability', { date: '2030-06-15' }, { free })
    },
    sumUp() {
      const events: Record<string, number> = {}
      for (const { meter } of final.entries) events[meter] = (events[meter] ?? 0) + 1
      return acknowledge('summarize', {}, { pending: '0', events })
    },
    /** Sets the final state of the timeslots and the totals. */
    end() {
      final.slots = slots.map(stateOf)
      const meters = [...new Set(final.entries.map(({ meter }) => meter))]
      final.totals = meters.map((meter) => {
        return { meter, events: final.entries.filter((entry) => entry.meter === meter).length }
      })
    },
  }
}
