/**
 * The Portuguese translations of messages about invalid requests, by the English message. A message about a
 * field follows the field's label, so it begins with a verb and does not depend on the label's gender.
 * src/languages/faults.ts describes the placeholders in braces.
 */
import { catalogue } from './faults/catalogue.ts'
import { emails } from './faults/emails.ts'
import { problems } from './faults/problems.ts'
import { sales } from './faults/sales.ts'
import { settings } from './faults/settings.ts'
import { titles } from './faults/titles.ts'
import { values } from './faults/values.ts'
import { webhooks } from './faults/webhooks.ts'

export const faults: Readonly<Record<string, string>> = {
  ...values,
  ...catalogue,
  ...sales,
  ...settings,
  ...emails,
  ...webhooks,
  ...problems,
  ...titles,
}
