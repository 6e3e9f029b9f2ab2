/** From events to the e-mails that follow them: offers to those who wait, closures, confirmations sent again. */
import type { EventConsumer, NumberedEvent } from '../../events/pump/pump.ts'
import type { EventDetails } from '../../events/types.ts'
import { noteEmails } from './left.ts'
import { insertEmails, insertOfferEmails, type NewEmail } from './queries.ts'

/** Leaves the e-mails in the transaction that numbers the events, so that each is left once. */
export const leaveEmails: EventConsumer = async (tx, events) => {
  const offers = events.filter(({ type }) => type === 'waitlist.offered')
  const emails = events.flatMap(emailsAfter)
  let left = 0
  if (offers.length > 0) {
    const entries = offers.map(({ accountId, waitlistEntryId }) => ({ accountId, id: waitlistEntryId! }))
    left += await insertOfferEmails(tx, entries)
  }
  if (emails.length > 0) left += await insertEmails(tx, emails)
  if (left > 0) noteEmails(tx)
}

/** The e-mails that follow an event of a booking or of a timeslot's bookings. */
function emailsAfter({ accountId, type, bookingId, details }: NumberedEvent): NewEmail[] {
  if (type === 'booking.confirmation-resent')
    return [{ accountId, kind: 'confirmation', bookingId: bookingId!, details: {} }]
  if (type !== 'closure.made') return []
  const { BookingIDs, ...notice } = details as EventDetails<'closure.made'>
  return BookingIDs.map((bookingId) => ({ accountId, kind: 'closure', bookingId, details: notice }))
}
