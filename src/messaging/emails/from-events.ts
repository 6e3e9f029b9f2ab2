/**
 * Queues the e-mails that follow events: offers to the waitlist, unpaid offers, closures, confirmations sent again,
 * workflows for moves and amendments, and workflows without a delay for confirmations and cancellations.
 */
import type { EventConsumer, NumberedEvent } from '../../events/pump/pump.ts'
import type { EventDetails } from '../../events/types.ts'
import { type AtOnceChange, insertAtOnceEmails } from './at-once-queries.ts'
import { type EmailedChange, insertChangeEmails } from './change-queries.ts'
import { insertEmails, insertOfferEmails, type NewEmails } from './queries.ts'
import { noteQueued } from './queued.ts'
import { insertUnpaidEmails, type UnpaidOffer } from './unpaid-queries.ts'

/** Queues the e-mails in the transaction that numbers the events, so that each is queued once. */
export const queueEventEmails: EventConsumer = async (tx, events) => {
  const offers = events.filter(({ type }) => type === 'waitlist.offered')
  let queuedCount = 0
  if (offers.length > 0) {
    const entries = offers.map(({ accountId, waitlistEntryId, traceContext }) => {
      return { accountId, id: waitlistEntryId!, traceContext }
    })
    queuedCount += await insertOfferEmails(tx, entries)
  }
  // Each event gets its own statement, because a single closure may affect all bookings of a timeslot.
  for (const emails of events.flatMap(emailsAfter)) queuedCount += await insertEmails(tx, emails)
  const unpaid = events.flatMap(unpaidOffers)
  if (unpaid.length > 0) queuedCount += await insertUnpaidEmails(tx, unpaid)
  const atOnce = events.flatMap(atOnceChanges)
  if (atOnce.length > 0) queuedCount += await insertAtOnceEmails(tx, atOnce)
  const changes = changesToEmail(events)
  if (changes.length > 0) queuedCount += await insertChangeEmails(tx, changes)
  if (queuedCount > 0) noteQueued(tx)
}

/**
 * The sale whose payment was declined, or the booking whose hold expired. The SQL ignores it unless it comes
 * from a waitlist offer.
 */
function unpaidOffers({
  accountId,
  type,
  basketId,
  bookingId,
  details,
  traceContext,
}: NumberedEvent): UnpaidOffer[] {
  if (type === 'payment.received' && (details as EventDetails<'payment.received'>).Type === 'failed')
    return [{ accountId, basketId, bookingId: null, cause: 'declined', traceContext }]
  return type === 'booking.expired'
    ? [{ accountId, basketId: null, bookingId, cause: 'expired', traceContext }]
    : []
}

/** A confirmation, or a cancellation that the customer is notified of. */
function atOnceChanges({ accountId, type, bookingId, details, traceContext }: NumberedEvent): AtOnceChange[] {
  const change = { accountId, bookingId: bookingId!, traceContext }
  if (type === 'booking.confirmed') return [{ ...change, trigger: 'booking-confirmed' }]
  if (type !== 'booking.cancelled') return []
  const { TellCustomer } = details as Partial<EventDetails<'booking.cancelled'>>
  return TellCustomer === false ? [] : [{ ...change, trigger: 'booking-cancelled' }]
}

/** The first change of each type for each booking, among the changes that the customer is notified of. */
function changesToEmail(events: readonly NumberedEvent[]): EmailedChange[] {
  const changes = new Map<string, EmailedChange>()
  for (const event of events) {
    const { accountId, type, bookingId, number, traceContext } = event
    const change = changeOf(event)
    const key = `${accountId} ${bookingId} ${type}`
    if (!change || changes.has(key)) continue
    changes.set(key, { accountId, bookingId: bookingId!, number, traceContext, ...change })
  }
  return [...changes.values()]
}

/**
 * The trigger of a change, and the booking's state before it. Null for other events, and if the customer is not
 * notified.
 */
function changeOf({
  type,
  number,
  details,
}: NumberedEvent): Pick<EmailedChange, 'trigger' | 'before'> | null {
  if (type === 'booking.moved') {
    const { Reason, TellCustomer, From } = details as Partial<EventDetails<'booking.moved'>>
    // The event `closure.made` queues the e-mails of a closure.
    if (Reason === 'closure' || TellCustomer === false) return null
    const MovedFrom = From
      ? { Date: From.Date, Time: From.Time, TimeslotID: From.TimeslotID, Number: number }
      : null
    return { trigger: 'booking-moved', before: { MovedFrom } }
  }
  if (type !== 'booking.amended') return null
  const { TellCustomer, From, FromUnits } = details as EventDetails<'booking.amended'>
  if (TellCustomer === false) return null
  const PartyBefore = { Participants: From, ...(FromUnits && { Units: FromUnits }), Number: number }
  return { trigger: 'booking-amended', before: { PartyBefore } }
}

/** The e-mails that follow an event of a booking or of a timeslot's bookings. */
function emailsAfter({ accountId, type, bookingId, details, traceContext }: NumberedEvent): NewEmails[] {
  if (type === 'booking.confirmation-resent')
    return [{ accountId, kind: 'confirmation', bookingIds: [bookingId!], details: {}, traceContext }]
  if (type !== 'closure.made') return []
  const { BookingIDs, ...notice } = details as EventDetails<'closure.made'>
  return [{ accountId, kind: 'closure', bookingIds: BookingIDs, details: notice, traceContext }]
}
