/** The form of the business details. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { mostAddressLines } from '../../sales/business-details/schemas.ts'
import { faultSummary, fieldOf, inputField, postForm, type ShownForm, textField } from '../frame/forms.ts'
import type { Session } from '../frame/session.ts'

export const labels = new Map([
  ['LegalName', 'Legal name'],
  ['AddressLines', 'Address'],
  ['TaxNumber', 'Tax number'],
  ['Phone', 'Phone'],
  ['Email', 'E-mail address'],
])

export function detailsForm(session: Session, shown: ShownForm): Markup {
  const field = (name: string, hint?: string) => fieldOf(shown, labels.get(name)!, name, hint)
  const { accountName } = session.user
  const common = { autocomplete: 'off' }
  return html`<p>Receipts have these details at their head, and customers read them at the foot of their own pages.</p>
${session.mode === 'test' ? html`<p>These are the details of test mode.</p>` : ''}
${postForm(
  session,
  '/dashboard/business-details',
  html`${faultSummary(shown.faults)}
${inputField(field('LegalName', `Only if it is not ${accountName}.`), { ...common, maxlength: 200 })}
${textField(field('AddressLines', `As on a letter, at most ${mostAddressLines} lines.`), { ...common, rows: 4, maxlength: 1300 })}
${inputField(field('TaxNumber', 'As it has to stand on receipts, for example PT 501 234 567.'), { ...common, maxlength: 50 })}
${inputField(field('Phone', 'Where customers call, for example +351 282 555 010.'), { ...common, type: 'tel', maxlength: 50 })}
${inputField(field('Email', 'Where customers write to.'), { ...common, type: 'email', maxlength: 254 })}
<button>Save</button>`,
)}`
}
