/** The fields of a form that says who travels. Pure. */
import { html, type Markup } from '../../pages.ts'
import { fieldOf, inputField, type Shown } from '../forms.ts'

export function customerFields(shown: Shown): Markup {
  const field = (label: string, name: string, more: Record<string, string | number>) =>
    inputField(fieldOf(shown, label, `Customer.${name}`), { maxlength: 255, ...more })
  return html`${field('First name', 'FirstName', { autocomplete: 'off' })}
${field('Last name', 'LastName', { autocomplete: 'off' })}
${field('E-mail address', 'Email', { type: 'email', maxlength: 254, autocomplete: 'off' })}
${inputField(fieldOf(shown, 'Phone', 'Customer.Phone', 'International, with a leading +'), { type: 'tel', maxlength: 64, autocomplete: 'off' })}`
}
