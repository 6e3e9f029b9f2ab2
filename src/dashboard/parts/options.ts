/** What pages work with that show e-mails before they are sent. */
import type { RenderBudget } from '../../messaging/emails/render-budget.ts'
import type { DashboardOptions } from '../frame/session.ts'

export type WritingOptions = DashboardOptions & {
  renders: RenderBudget
}
