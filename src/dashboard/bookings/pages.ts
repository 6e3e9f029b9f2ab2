/** The pages of bookings: the list, one booking, and those on which it is moved or described anew. */
import type { Routes } from '../../http/routes.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { bookingCustomerPages } from './customer-pages.ts'
import { bookingDetailPages } from './detail-pages.ts'
import { bookingListPages } from './list-pages.ts'
import { bookingMovePages } from './move-pages.ts'
import { bookingPaymentPages } from './payment-pages.ts'
import { bookingRefundPages } from './refund-pages.ts'
import { ticketPages } from './ticket-pages.ts'

export const bookingPages: Routes<DashboardOptions> = (app, options) => {
  bookingListPages(app, options)
  bookingDetailPages(app, options)
  bookingCustomerPages(app, options)
  bookingMovePages(app, options)
  bookingPaymentPages(app, options)
  bookingRefundPages(app, options)
  ticketPages(app, options)
}
