/**
 * The till in three steps: a timeslot, whose places are held from then on; who travels; the payment. Each step is a
 * page and a form, and can be gone back to; nothing of a sale is kept but in its basket. Held sales are found in a list.
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
