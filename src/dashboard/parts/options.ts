/** The options of pages that preview e-mails. */
import type { RenderBudget } from '../../messaging/emails/render-budget.ts'
import type { DashboardOptions } from '../frame/session.ts'

export type EmailPreviewOptions = DashboardOptions & {
  renders: RenderBudget
}
