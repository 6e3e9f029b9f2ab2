/**
 * Selling in three steps: a timeslot, whose places are then held; the customer; the payment. Each step is a page with a form,
 * and the user can go back. A sale is stored only in its basket. A list shows the held sales.
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
