/** What the pages of bookings work with. */
import type { RenderBudget } from '../../messaging/emails/render-budget.ts'
import type { DashboardOptions } from '../frame/session.ts'

export type BookingOptions = DashboardOptions & {
  /** For the e-mails that are shown before they are sent. */
  renders: RenderBudget
}
