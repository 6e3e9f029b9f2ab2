/** The fields of a form that says who travels. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { fieldOf, inputField, type ShownForm } from '../frame/forms.ts'
import type { Session } from '../frame/session.ts'
import { phoneHint, shownPhone } from './phone-fields.ts'

type Settings = { required?: boolean; emailHint?: string }

/** A phone number may always be left out. */
export function customerFields(
  session: Session,
  shown: ShownForm,
  { required = false, emailHint }: Settings = {},
): Markup {
  const field = (label: string, name: string, hint?: string) =>
    fieldOf(shown, label, `Customer.${name}`, hint)
  const phone = field('Phone', 'Phone', phoneHint(session))
  const common = { maxlength: 255, autocomplete: 'off', required }
  return html`${inputField(field('First name', 'FirstName'), common)}
${inputField(field('Last name', 'LastName'), common)}
${inputField(field('E-mail address', 'Email', emailHint), { ...common, type: 'email', maxlength: 254 })}
${inputField({ ...phone, value: shownPhone(session, String(phone.value)) }, { ...common, type: 'tel', maxlength: 64, required: false })}`
}
