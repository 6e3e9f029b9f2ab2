/** The fields of a form that describe the customer. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { fieldOf, inputField, type ShownForm } from '../frame/form-fields.ts'
import type { FormFaults } from '../frame/forms.ts'
import { namesStoredValue } from '../frame/meanwhile.ts'
import type { Session } from '../frame/session.ts'
import { phoneFault, phoneHint, shownPhone } from './phone-fields.ts'

type Settings = { namesRequired?: boolean; emailHint?: string }

const labelsOf = (t: Texts): [name: string, label: string][] => [
  ['FirstName', t.say('customer.first-name')],
  ['LastName', t.say('customer.last-name')],
  ['Email', t.say('word.email')],
  ['Phone', t.say('word.phone')],
]

/**
 * Adds the labels of these fields and of `others` to the faults. The fault of the phone number says what to
 * type, unless it names the value that another user saved.
 */
export function customerFaults(
  session: Session,
  t: Texts,
  faults: NonNullable<FormFaults>,
  others: Iterable<readonly [field: string, label: string]> = [],
): NonNullable<FormFaults> {
  const own = labelsOf(t).map(([name, label]) => [`Customer.${name}`, label] as const)
  const fields = new Map(faults.fields)
  const phone = fields.get('Customer.Phone')
  if (phone !== undefined && !namesStoredValue(phone)) fields.set('Customer.Phone', phoneFault(session, t))
  return { ...faults, fields, labels: new Map([...(faults.labels ?? []), ...own, ...others]) }
}

export function customerFields(
  session: Session,
  t: Texts,
  shown: ShownForm,
  { namesRequired = false, emailHint }: Settings = {},
): Markup {
  const labels = new Map(labelsOf(t))
  const field = (name: string, hint?: string) => fieldOf(shown, labels.get(name)!, `Customer.${name}`, hint)
  const phone = field('Phone', phoneHint(session, t))
  const common = { maxlength: 255, autocomplete: 'off' }
  const name = { ...common, required: namesRequired }
  return html`${inputField(field('FirstName'), name)}
${inputField(field('LastName'), name)}
${inputField(field('Email', emailHint), { ...common, type: 'email', maxlength: 254 })}
${inputField({ ...phone, value: shownPhone(session, String(phone.value)) }, { ...common, type: 'tel', maxlength: 64 })}`
}
