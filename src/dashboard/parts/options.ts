/** The options of the pages of bookings and of the calendar. Some of these pages preview e-mails, with `renders`. */
import type { RenderBudget } from '../../messaging/emails/render-budget.ts'
import type { DashboardOptions } from '../frame/session.ts'

export type EmailPreviewOptions = DashboardOptions & {
  renders: RenderBudget
}
