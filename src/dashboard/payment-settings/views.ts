/** The form of the payment settings. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { faultSummary, fieldOf, inputField, postForm, type ShownForm } from '../frame/forms.ts'
import type { Session } from '../frame/session.ts'

export const labels = new Map([
  ['PaymentPage', 'Payment page'],
  ['Contact', 'Contact'],
])

export function settingsForm(session: Session, shown: ShownForm): Markup {
  const example =
    'https://pay.example/you?order={BasketID}&amount={Amount}&currency={Currency}&back={ReturnURL}'
  const page = fieldOf(
    shown,
    'Payment page',
    'PaymentPage',
    `Where your payment provider takes the money, for example ${example}. {BasketID} is required: your provider names it in its event.`,
  )
  const contact = fieldOf(
    shown,
    'Contact',
    'Contact',
    'The phone number or e-mail address that customers read who cannot pay there.',
  )
  return html`<p>A customer who takes an offer of the waitlist has a button that leads to your payment page. The places are booked when your provider’s event says that they are paid. Without a payment page, the customer reads to pay at your desk, and sees the contact.</p>
${session.mode === 'test' ? html`<p>These are the settings of test mode, for a page that takes no money.</p>` : ''}
${postForm(
  session,
  '/dashboard/payment-settings',
  html`${faultSummary(shown.faults)}
${inputField(page, { inputmode: 'url', maxlength: 2000, autocomplete: 'off' })}
${inputField(contact, { maxlength: 200, autocomplete: 'off' })}
<button>Save</button>`,
)}`
}
