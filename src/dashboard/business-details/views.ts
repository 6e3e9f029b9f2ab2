/** The forms of the business details and of the logo. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { defaultLocale, type Locale, languageOf, languages, locales } from '../../languages/locales.ts'
import { mostLogoBytes } from '../../sales/business-details/logo-model.ts'
import { mostAddressLines } from '../../sales/business-details/schemas.ts'
import {
  type FormFaults,
  faultBeside,
  faultSummary,
  fieldOf,
  inputField,
  postForm,
  type ShownForm,
  selectField,
  textField,
} from '../frame/forms.ts'
import type { Session } from '../frame/session.ts'

export const labels = new Map([
  ['LegalName', 'Legal name'],
  ['AddressLines', 'Address'],
  ['TaxNumber', 'Tax number'],
  ['Phone', 'Phone'],
  ['Email', 'E-mail address'],
  ['Locale', 'Language of customers’ e-mails'],
  ['Colour', 'Colour'],
  ['Image', 'Picture'],
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
${selectField(field('Locale', 'E-mails write dates, numbers and money as this country does. Customers’ pages are in the language of the reader’s browser, if it is one of these.'), localeChoices())}
${inputField(field('Colour', 'Of buttons and links that customers see, for example #0a5bb0. Leave it empty for the default blue.'), { ...common, maxlength: 7 })}
<button>Save</button>`,
)}`
}

function localeChoices() {
  const usual = { value: '', label: `${localeText(defaultLocale)} (default)` }
  return [usual, ...locales.map((locale) => ({ value: locale, label: localeText(locale) }))]
}

/** A language with its country: `Português (Portugal)`. */
function localeText(locale: Locale): string {
  const language = languageOf(locale)
  const country = new Intl.DisplayNames(language, { type: 'region' }).of(locale.slice(3)) ?? locale
  return `${languages[language].name} (${country})`
}

/** @param path of the logo that is set; null for none. */
export function logoForm(session: Session, path: string | null, faults: FormFaults): Markup {
  const fault = faults?.fields.get('Image')
  const about = fault ? faultBeside('Image', labels.get('Image')!, fault) : html``
  const action = '/dashboard/business-details/logo'
  const remove = html`<button class="secondary">Remove the logo</button>`
  return html`<section aria-labelledby="logo"><h2 id="logo">Logo</h2>
<p>Customers’ pages, tickets, receipts and e-mails show it; without a logo they show the name.</p>
${path ? html`<p><img class="logo" src="${path}" alt="The logo of ${session.user.accountName}"></p>\n` : ''}
${postForm(
  session,
  `${action}#logo`,
  html`${faultSummary(faults)}
<p class="field"><label for="field-Image">Picture</label>
<input id="field-Image" name="Image" type="file" accept="image/png, image/jpeg, image/webp" required${fault ? html` aria-invalid="true"` : ''} aria-describedby="field-Image-hint">
<span class="hint" id="field-Image-hint">PNG, JPEG or WebP, at most ${mostLogoBytes / 1024} kB. About 400 pixels wide is enough.</span>${about}</p>
<button>Upload</button>`,
  { isUpload: true },
)}
${path ? postForm(session, `${action}/remove`, remove, { class: 'inline' }) : ''}</section>`
}
