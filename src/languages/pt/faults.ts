/**
 * What is wrong with a request, in Portuguese, by the English message. A message about a field continues the field's label, so
 * it begins with a verb and agrees with no gender. faults.ts above says what the places in braces carry over.
 */
import { catalogue } from './faults/catalogue.ts'
import { emails } from './faults/emails.ts'
import { problems } from './faults/problems.ts'
import { sales } from './faults/sales.ts'
import { settings } from './faults/settings.ts'
import { titles } from './faults/titles.ts'
import { values } from './faults/values.ts'

export const faults: Readonly<Record<string, string>> = {
  ...values,
  ...catalogue,
  ...sales,
  ...settings,
  ...emails,
  ...problems,
  ...titles,
}
