/** The form of the payment settings. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { fieldOf, inputField, type ShownForm } from '../frame/form-fields.ts'
import { faultSummary, postForm } from '../frame/forms.ts'
import type { Session } from '../frame/session.ts'

export function paySettingsLabels(t: Texts): ReadonlyMap<string, string> {
  return new Map([
    ['PaymentPage', t.say('pay-settings.page')],
    ['Contact', t.say('pay-settings.contact')],
  ])
}

export function settingsForm(session: Session, t: Texts, shown: ShownForm): Markup {
  const example =
    'https://pay.example/you?order={BasketID}&amount={Amount}&currency={Currency}&back={ReturnURL}'
  const page = fieldOf(
    shown,
    t.say('pay-settings.page'),
    'PaymentPage',
    t.say('pay-settings.page.hint', { example, placeholder: '{BasketID}' }),
  )
  const contact = fieldOf(shown, t.say('pay-settings.contact'), 'Contact', t.say('pay-settings.contact.hint'))
  return html`<p>${t.say('pay-settings.about')}</p>
${session.mode === 'test' ? html`<p>${t.say('pay-settings.test')}</p>` : ''}
${postForm(
  session,
  '/dashboard/payment-settings',
  html`${faultSummary(shown.faults)}
${inputField(page, { inputmode: 'url', maxlength: 2000, autocomplete: 'off' })}
${inputField(contact, { maxlength: 200, autocomplete: 'off' })}
<button>${t.say('save')}</button>`,
)}`
}
