/** The forms of the business details and of the logo. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { defaultLocale, type Locale, languageOf, languages, locales } from '../../languages/locales.ts'
import type { Texts } from '../../languages/texts.ts'
import { maxLogoBytes } from '../../sales/business-details/logo-model.ts'
import { maxAddressLines } from '../../sales/business-details/schemas.ts'
import { fieldOf, inputField, type ShownForm, selectField, textField } from '../frame/form-fields.ts'
import { type FormFaults, faultBeside, faultSummary, postForm } from '../frame/forms.ts'
import type { Session } from '../frame/session.ts'

const names = [
  'LegalName',
  'AddressLines',
  'TaxNumber',
  'Phone',
  'Email',
  'Locale',
  'Colour',
  'Image',
] as const

export function businessLabels(t: Texts): ReadonlyMap<string, string> {
  return new Map(names.map((name) => [name, t.say(`business.${name}`)]))
}

export function detailsForm(session: Session, t: Texts, shown: ShownForm): Markup {
  const labels = businessLabels(t)
  const field = (name: string, hint?: string) => fieldOf(shown, labels.get(name)!, name, hint)
  const { accountName } = session.user
  const common = { autocomplete: 'off' }
  return html`<p>${t.say('business.about')}</p>
${session.mode === 'test' ? html`<p>${t.say('business.test')}</p>` : ''}
${postForm(
  session,
  '/dashboard/business-details',
  html`${faultSummary(shown.faults)}
${inputField(field('LegalName', t.say('business.name.hint', { account: accountName })), { ...common, maxlength: 200 })}
${textField(field('AddressLines', t.say('business.address.hint', { count: maxAddressLines })), { ...common, rows: 4, maxlength: 1300 })}
${inputField(field('TaxNumber', t.say('business.tax.hint')), { ...common, maxlength: 50 })}
${inputField(field('Phone', t.say('business.phone.hint')), { ...common, type: 'tel', maxlength: 50 })}
${inputField(field('Email', t.say('business.email.hint')), { ...common, type: 'email', maxlength: 254 })}
${selectField(field('Locale', t.say('business.locale.hint')), localeChoices(t))}
${inputField(field('Colour', t.say('business.colour.hint')), { ...common, maxlength: 7 })}
<button>${t.say('save')}</button>`,
)}`
}

function localeChoices(t: Texts) {
  const usual = {
    value: '',
    label: t.say('business.locale.default', { language: localeText(defaultLocale) }),
  }
  return [usual, ...locales.map((locale) => ({ value: locale, label: localeText(locale) }))]
}

/** A language with its country: `Português (Portugal)`. */
function localeText(locale: Locale): string {
  const language = languageOf(locale)
  const country = new Intl.DisplayNames(language, { type: 'region' }).of(locale.slice(3)) ?? locale
  return `${languages[language].name} (${country})`
}

/** @param path the path of the present logo; null if there is none. */
export function logoForm(session: Session, t: Texts, path: string | null, faults: FormFaults): Markup {
  const fault = faults?.fields.get('Image')
  const about = fault ? faultBeside('Image', t.say('business.Image'), fault) : html``
  const action = '/dashboard/business-details/logo'
  const remove = html`<button class="secondary">${t.say('business.logo.remove')}</button>`
  return html`<section aria-labelledby="logo"><h2 id="logo">${t.say('business.logo')}</h2>
<p>${t.say('business.logo.about')}</p>
${path ? html`<p><img class="logo" src="${path}" alt="${t.say('business.logo.of', { account: session.user.accountName })}"></p>\n` : ''}
${postForm(
  session,
  `${action}#logo`,
  html`${faultSummary(faults)}
<p class="field"><label for="field-Image">${t.say('business.Image')}</label>
<input id="field-Image" name="Image" type="file" accept="image/png, image/jpeg, image/webp" required${fault ? html` aria-invalid="true"` : ''} aria-describedby="field-Image-hint">
<span class="hint" id="field-Image-hint">${t.say('business.logo.hint', { count: maxLogoBytes / 1024 })}</span>${about}</p>
<button>${t.say('business.logo.upload')}</button>`,
  { isUpload: true },
)}
${path ? postForm(session, `${action}/remove`, remove, { class: 'inline' }) : ''}</section>`
}
