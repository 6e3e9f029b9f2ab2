/** From events to marks: which days are counted again, noted in the transaction that numbers what happened on them. */
import type { EventConsumer, NumberedEvent } from '../../../events/pump/pump.ts'
import { markOfEvents } from './mark-queries.ts'

export { markOfBookings, markOfTimeslots } from './mark-queries.ts'

/** Events of bookings that no total counts: what is not sold yet, or only somebody's words. */
const uncounted = [
  ...['booking.held', 'booking.waitlisted', 'booking.offered', 'booking.expired', 'booking.tickets-made'],
  ...['booking.ticket-changed', 'booking.confirmation-resent', 'booking.customer-changed'],
  ...['booking.customer-erased', 'timeslot.prices-changed'],
]
const counted = /^(booking|timeslot|payment|refund)\./

/** Marks the days that these events change, in one statement. */
export const markDays: EventConsumer = async (tx, events) => {
  const marking = events.filter(isCounted)
  if (marking.length > 0) await markOfEvents(tx, marking)
}

/** One of a type that is newer than this process is counted too. */
function isCounted({ type }: NumberedEvent): boolean {
  return counted.test(type) && !uncounted.includes(type)
}
