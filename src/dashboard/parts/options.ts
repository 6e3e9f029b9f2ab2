/**
 * The options of the pages of bookings and of the calendar. Some of these pages preview e-mails: `renders` limits the
 * time that the templates may take.
 */
import type { RenderBudget } from '../../messaging/emails/render-budget.ts'
import type { DashboardOptions } from '../frame/session.ts'

export type EmailPreviewOptions = DashboardOptions & {
  renders: RenderBudget
}
