/** The texts in Portuguese. en.ts says how they are written. */

import type { TextsOfLanguage } from './keys.ts'
import { bookings } from './pt/bookings.ts'
import { business } from './pt/business.ts'
import { calendar } from './pt/calendar.ts'
import { catalogue } from './pt/catalogue.ts'
import { closures } from './pt/closures.ts'
import { customers } from './pt/customers.ts'
import { frame } from './pt/frame.ts'
import { health } from './pt/health.ts'
import { history } from './pt/history.ts'
import { messages } from './pt/messages.ts'
import { partners } from './pt/partners.ts'
import { parts } from './pt/parts.ts'
import { promotions } from './pt/promotions.ts'
import { refunds } from './pt/refunds.ts'
import { reports } from './pt/reports.ts'
import { schedules } from './pt/schedules.ts'
import { sell } from './pt/sell.ts'
import { settings } from './pt/settings.ts'
import { till } from './pt/till.ts'
import { today } from './pt/today.ts'
import { usage } from './pt/usage.ts'
import { webhooks } from './pt/webhooks.ts'

export const pt: TextsOfLanguage = {
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
}
