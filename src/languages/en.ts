/**
 * The texts in English, as ICU messages: `{name}` is replaced by a value, and `{count, plural, …}` chooses a form by a
 * number. `<strong>` marks important words on a page. The texts of plain-text e-mails have no markup.
 */

import { bookings } from './en/bookings.ts'
import { business } from './en/business.ts'
import { calendar } from './en/calendar.ts'
import { catalogue } from './en/catalogue.ts'
import { closures } from './en/closures.ts'
import { customers } from './en/customers.ts'
import { frame } from './en/frame.ts'
import { health } from './en/health.ts'
import { history } from './en/history.ts'
import { messages } from './en/messages.ts'
import { partners } from './en/partners.ts'
import { parts } from './en/parts.ts'
import { promotions } from './en/promotions.ts'
import { refunds } from './en/refunds.ts'
import { reports } from './en/reports.ts'
import { schedules } from './en/schedules.ts'
import { sell } from './en/sell.ts'
import { settings } from './en/settings.ts'
import { till } from './en/till.ts'
import { today } from './en/today.ts'
import { usage } from './en/usage.ts'
import { webhooks } from './en/webhooks.ts'

export const en = {
  ...customers,
  ...frame,
  ...parts,
  ...history,
  ...today,
  ...bookings,
  ...sell,
  ...till,
  ...refunds,
  ...calendar,
  ...closures,
  ...catalogue,
  ...schedules,
  ...promotions,
  ...messages,
  ...webhooks,
  ...settings,
  ...business,
  ...partners,
  ...reports,
  ...usage,
  ...health,
} as const
