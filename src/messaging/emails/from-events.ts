/** From events to the e-mails that follow them: offers to those who wait, closures, confirmations sent again. */
import type { EventConsumer, NumberedEvent } from '../../events/pump/pump.ts'
import type { EventDetails } from '../../events/types.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import { noteEmails } from './left.ts'
import { insertEmails, insertOfferEmail } from './queries.ts'

/** Leaves the e-mails in the transaction that numbers the events, so that each is left once. */
export const leaveEmails: EventConsumer = async (tx, events) => {
  let left = 0
  for (const event of events) left += await leave(tx, event)
  if (left > 0) noteEmails(tx)
}

/** How many e-mails follow an event. */
async function leave(tx: Transaction, event: NumberedEvent): Promise<number> {
  const { accountId, type, bookingId, waitlistEntryId } = event
  switch (type) {
    case 'waitlist.offered':
      return insertOfferEmail(tx, accountId, waitlistEntryId!)
    case 'booking.confirmation-resent':
      return insertEmails(tx, accountId, { kind: 'confirmation', bookingIds: [bookingId!], details: {} })
    case 'closure.made': {
      const { BookingIDs, ...notice } = event.details as EventDetails<'closure.made'>
      return insertEmails(tx, accountId, { kind: 'closure', bookingIds: BookingIDs, details: notice })
    }
    default:
      return 0
  }
}
