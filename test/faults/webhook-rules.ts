/** The rules of webhooks: every event of a booking arrives, with one id and in the order of the booking. */
import type { Violation } from './booking-rules.ts'
import type { FinalState } from './final-state.ts'
import { group } from './history.ts'
import type { Arrival } from './receiver.ts'

/** An event may arrive several times, but its first arrival is before that of later events of its booking. */
export function* checkWebhooks(arrivals: readonly Arrival[], final: FinalState): Generator<Violation> {
  const bookings = new Map<number, number>()
  for (const { accountId, number, bookingId } of final.events)
    if (accountId === final.webhookAccountId && number !== null && bookingId !== null)
      bookings.set(number, bookingId)
  const taken = new Set(arrivals.filter(({ isTaken }) => isTaken).map(({ number }) => number))
  for (const number of bookings.keys())
    if (!taken.has(number)) yield { rule: 'webhook-missing', detail: `event ${number}` }
  for (const [number, same] of group(arrivals, (arrival) => arrival.number)) {
    const ids = new Set(same.map(({ id }) => id))
    if (ids.size > 1) yield { rule: 'webhook-of-two-ids', detail: `event ${number}: ${[...ids].join(', ')}` }
  }
  const latest = new Map<number, number>()
  const seen = new Set<number>()
  for (const { number } of arrivals) {
    const booking = bookings.get(number)
    if (booking === undefined || seen.has(number)) continue
    seen.add(number)
    const before = latest.get(booking) ?? 0
    if (number < before)
      yield { rule: 'webhook-out-of-order', detail: `booking ${booking}: event ${number} after ${before}` }
    latest.set(booking, Math.max(before, number))
  }
}
