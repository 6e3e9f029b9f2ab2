/** The translations of a product: a part of the product's page, and the form of one language. Pure. */
import { missingTexts } from '../../catalogue/translations/model.ts'
import type { TranslatedProduct } from '../../catalogue/translations/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { fieldOf, inputField, type ShownForm, textField } from '../frame/form-fields.ts'
import { faultSummary, postForm } from '../frame/forms.ts'
import { badge } from '../frame/layout.ts'
import { versionField } from '../frame/meanwhile.ts'
import type { Session } from '../frame/session.ts'
import { productPath } from './paths.ts'
import { productTabs } from './product-tabs.ts'

/**
 * The languages of most travellers, which the page offers for translation. The API accepts any language of
 * ISO 639-1.
 */
const offered = 'ar ca cs da de el en es fi fr he hu it ja ko nb nl pl pt ro ru sk sv tr uk zh'.split(' ')

/** The maximum number of lines in the form. It equals maxItems of readForm(), which ignores further items. */
const maxShown = 1000

const languageNames = new Map<string, Intl.DisplayNames>()

/** The name of a language in the reader's language. */
export function nameOfLanguage({ locale }: Texts, language: string): string {
  const names = languageNames.get(locale) ?? new Intl.DisplayNames(locale, { type: 'language' })
  languageNames.set(locale, names)
  return names.of(language) ?? language
}

export function shownWords(words: readonly string[]): readonly string[] {
  return words.slice(0, maxShown)
}

export function translationFieldNames(words: readonly string[]): string[] {
  return ['Name', 'Description', ...shownWords(words).map((_, index) => `Texts[${index}].Translation`)]
}

export function translationLabels(t: Texts, words: readonly string[]): ReadonlyMap<string, string> {
  const lines = shownWords(words).map(
    (text, index) => [`Texts[${index}].Translation`, shortened(text)] as const,
  )
  return new Map([['Name', t.say('word.name')], ['Description', t.say('product.description')], ...lines])
}

function shortened(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300).toWellFormed()}…` : text
}

/**
 * The languages that the account uses, each with the number of texts of this product that have no
 * translation. Below them are links that add a translation to another language.
 * @param inUse the languages that some product of the account is translated to.
 */
export function languagesPart(
  t: Texts,
  { product, words, translations, own }: TranslatedProduct,
  inUse: readonly string[],
): Markup {
  const path = `${productPath(product.id)}/translations`
  const shown = [...new Set([...inUse, ...translations.map(({ language }) => language)])].filter(
    (language) => language !== own,
  )
  const others = offered.filter((language) => language !== own && !shown.includes(language))
  const links = others
    .map((language) => ({ language, name: nameOfLanguage(t, language) }))
    .sort((one, other) => one.name.localeCompare(other.name, t.locale))
    .map(({ language, name }) => html`<li><a href="${path}/${language}">${name}</a></li>\n`)
  return html`<h2 id="languages">${t.say('translation.list')}</h2>
<p class="hint">${t.say('translation.own', { language: nameOfLanguage(t, own) })}</p>
${shown.length === 0 ? '' : html`<ul>${shown.map((language) => languageLine(path, language))}</ul>`}
<details><summary>${t.say('translation.add')}</summary>
<ul>${links}</ul></details>`

  function languageLine(path: string, language: string): Markup {
    const translation = translations.find((one) => one.language === language) ?? null
    const missing = missingTexts(product, words, translation).length
    const state =
      missing === 0
        ? badge(t.say('translation.complete'), 'good')
        : badge(
            translation ? t.say('translation.missing', { count: missing }) : t.say('translation.none'),
            'warn',
          )
    return html`<li><a href="${path}/${language}">${nameOfLanguage(t, language)}</a> ${state}</li>\n`
  }
}

type TranslationPage = {
  about: TranslatedProduct
  language: string
  form: ShownForm & { version: string }
}

export function translationPage(
  session: Session,
  t: Texts,
  { about: { product, words }, language, form }: TranslationPage,
): Markup {
  const path = productPath(product.id)
  const languageAttribute = { lang: language }
  return html`${productTabs(t, product.id, 'languages')}${faultSummary(form.faults)}
<p class="hint">${t.say('translation.hint')}</p>
${postForm(
  session,
  `${path}/translations/${language}`,
  html`${versionField(form.version)}
${inputField(fieldOf(form, t.say('word.name'), 'Name', product.name), { ...languageAttribute, maxlength: 255 })}
${textField(fieldOf(form, t.say('product.description'), 'Description', shortened(product.description)), { ...languageAttribute, maxlength: 10_000, rows: 6 })}
${shownWords(words).map(
  (text, index) => html`<input type="hidden" name="Texts[${String(index)}].Text" value="${text}">
${inputField(fieldOf(form, shortened(text), `Texts[${index}].Translation`), { ...languageAttribute, maxlength: 1000 })}`,
)}
<p class="actions"><button>${t.say('save')}</button> <a href="${path}#languages">${t.say('product.back')}</a></p>`,
)}`
}
