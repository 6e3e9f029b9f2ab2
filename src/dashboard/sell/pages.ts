/**
 * The pages that sell in three steps: choose a timeslot, whose places are then held; describe the customer;
 * take the payment. Each step is a page with a form, and the user can go back. The state of a sale is only in its
 * basket, and not in the session. A list shows the held sales.
 */
import type { Routes } from '../../http/routes.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { basketPages } from './basket-pages.ts'
import { heldPages } from './held-pages.ts'
import { paymentPages } from './payment-pages.ts'
import { receiptPages } from './receipt-pages.ts'
import { slotPages } from './slot-pages.ts'

export const sellPages: Routes<DashboardOptions> = (app, options) => {
  slotPages(app, options)
  heldPages(app, options)
  basketPages(app, options)
  paymentPages(app, options)
  receiptPages(app, options)
}
