/** Registers all pages of bookings: the list, a booking, and its actions. */
import type { Routes } from '../../http/routes.ts'
import type { EmailPreviewOptions } from '../parts/options.ts'
import { amendPages } from './amend-pages.ts'
import { cancelPages } from './cancel-pages.ts'
import { bookingCustomerPages } from './customer-pages.ts'
import { bookingDetailPages } from './detail-pages.ts'
import { bookingListPages } from './list-pages.ts'
import { moveConfirmPages } from './move-confirm-pages.ts'
import { bookingMovePages } from './move-pages.ts'
import { notePages } from './note-pages.ts'
import { bookingPaymentPages } from './payment-pages.ts'
import { bookingRefundPages } from './refund-pages.ts'
import { ticketPages } from './ticket-pages.ts'

export const bookingPages: Routes<EmailPreviewOptions> = (app, options) => {
  bookingListPages(app, options)
  bookingDetailPages(app, options)
  amendPages(app, options)
  bookingCustomerPages(app, options)
  bookingMovePages(app, options)
  cancelPages(app, options)
  moveConfirmPages(app, options)
  notePages(app, options)
  bookingPaymentPages(app, options)
  bookingRefundPages(app, options)
  ticketPages(app, options)
}
