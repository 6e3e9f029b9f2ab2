/** The options of the pages that preview e-mails. `renders` limits how much time the previews may take. */
import type { RenderBudget } from '../../messaging/emails/render-budget.ts'
import type { DashboardOptions } from '../frame/session.ts'

export type EmailPreviewOptions = DashboardOptions & {
  renders: RenderBudget
}
