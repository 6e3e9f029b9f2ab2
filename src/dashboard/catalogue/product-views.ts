/** The content of the pages of products. Pure. */
import type { Product } from '../../catalogue/products/service.ts'
import type { ScheduleRow } from '../../catalogue/schedules/editing/applying.ts'
import type { TranslatedProduct } from '../../catalogue/translations/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import type { TextKey } from '../../languages/keys.ts'
import type { Texts } from '../../languages/texts.ts'
import { currencies } from '../../platform/text/currencies.ts'
import {
  checkboxField,
  fieldOf,
  inputField,
  type ShownForm,
  selectField,
  textField,
} from '../frame/form-fields.ts'
import { faultSummary, postForm } from '../frame/forms.ts'
import { badge, emptyState, nextLink, searchOf, table } from '../frame/layout.ts'
import { versionField } from '../frame/meanwhile.ts'
import type { Session } from '../frame/session.ts'
import { amountField } from '../parts/amounts.ts'
import { durationField } from '../parts/duration-fields.ts'
import { type LabelKeys, labelsIn } from '../parts/labels.ts'
import { productTabs } from './product-tabs.ts'
import { type QuestionLine, questionsPart } from './question-views.ts'
import { refundPart } from './refund-views.ts'
import { schedulesPart } from './schedule-views.ts'
import { languagesPart } from './translation-views.ts'
import { unitsPart } from './unit-views.ts'

type ProductListQuery = { Name?: string; InShopfront?: string }

export function listPage(
  session: Session,
  t: Texts,
  shown: { products: Product[]; query: ProductListQuery; url: string; next: string | null },
): Markup {
  const { products, query, url, next } = shown
  const search = searchOf(url)
  return html`<p class="actions"><a class="button" href="/dashboard/catalogue/new">${t.say('catalogue.new')}</a></p>
<form method="get" action="/dashboard/catalogue" class="filters">
${inputField({ label: t.say('catalogue.filter.name'), name: 'Name', value: query.Name }, { type: 'search', maxlength: 255 })}
${selectField({ label: t.say('catalogue.shopfront'), name: 'InShopfront', value: query.InShopfront }, [
  { value: '', label: t.say('catalogue.filter.either') },
  { value: 'true', label: t.say('catalogue.filter.inside') },
  { value: 'false', label: t.say('catalogue.filter.outside') },
])}
<button class="secondary">${t.say('word.show')}</button>
</form>
${
  products.length === 0
    ? emptyState(t.say('catalogue.empty'))
    : table(
        t.say('catalogue.list'),
        [
          {
            head: t.say('word.product'),
            onCard: 'title',
            cell: ({ id, name }) => html`<a href="/dashboard/catalogue/${id}">${name}</a>`,
          },
          {
            head: t.say('word.price'),
            onCard: 'headed',
            cell: ({ priceMinor, currency }) => t.amount(priceMinor, currency),
            numeric: true,
          },
          {
            head: t.say('catalogue.shopfront'),
            onCard: 'line',
            cell: (product) => shopfrontCell(session, t, product, search),
          },
        ],
        products,
      )
}
${nextLink(t, url, next)}`
}

/**
 * Says whether a product is in the shopfront, with a button that changes this and returns to the same list.
 */
function shopfrontCell(
  session: Session,
  t: Texts,
  { id, name, inShopfront }: Product,
  search: string,
): Markup {
  const words = t.say(inShopfront ? 'catalogue.take-out' : 'catalogue.put-in')
  return html`${inShopfront ? badge(t.say('catalogue.inside'), 'good') : badge(t.say('catalogue.outside'))}
${postForm(
  session,
  `/dashboard/catalogue/${id}/shopfront${search}`,
  html`<input type="hidden" name="InShopfront" value="${String(!inShopfront)}">
<button class="secondary" aria-label="${words}: ${name}">${words}</button>`,
  { class: 'inline' },
)}`
}

export function newProductPage(session: Session, t: Texts, shown: ShownForm): Markup {
  return html`${faultSummary(shown.faults)}
${postForm(
  session,
  '/dashboard/catalogue',
  html`${productInputs(t, shown)}
<p class="actions"><button>${t.say('product.save')}</button> <a href="/dashboard/catalogue">${t.say('product.back-to-list')}</a></p>`,
  { class: 'stacked parts' },
)}`
}

type ProductPage = {
  product: Product
  questions: QuestionLine[]
  schedules: ScheduleRow[]
  translated: TranslatedProduct
  /** The languages that some product of the account is translated to. */
  languages: readonly string[]
  form: ShownForm & { version: string }
}

/** A badge for the title of the page: whether the product is in the shopfront. */
export function shopfrontBadge(t: Texts, { inShopfront }: Product): Markup {
  return inShopfront ? badge(t.say('product.inside'), 'good') : badge(t.say('product.outside'))
}

/** Everything about a product. The form may show other values than the stored ones. */
export function productPage(
  session: Session,
  t: Texts,
  { product, questions, schedules, translated, languages, form }: ProductPage,
): Markup {
  const path = `/dashboard/catalogue/${product.id}`
  return html`${faultSummary(form.faults)}
${productTabs(t, product.id, 'product')}
${postForm(
  session,
  path,
  html`${versionField(form.version)}${productInputs(t, form)}
<p class="actions"><button>${t.say('save')}</button> <a href="${path}">${t.say('product.show-saved')}</a></p>`,
  { class: 'stacked parts' },
)}
${unitsPart(session, t, path, product)}
${refundPart(t, path, product.refundTerms)}
${schedulesPart(path, t, schedules)}
${questionsPart(session, t, path, questions)}
${languagesPart(t, translated, languages)}
<p class="hint">${markupOf(t, 'product.known-as', { id: `s_${product.activityId}`, code: (id) => html`<code>${id}</code>` })}</p>`
}

const labelKeys = {
  Name: 'word.name',
  Description: 'product.description',
  DurationMinutes: 'product.duration',
  'Price.Amount': 'word.price',
  'Price.Currency': 'product.currency',
  TimeZone: 'product.time-zone',
  BookingCutoffMinutes: 'product.booking-cutoff',
  CancelCutoffMinutes: 'product.cancel-cutoff',
  InShopfront: 'product.in-shopfront',
  MinPlaces: 'product.min-places',
  MaxPlaces: 'product.max-places',
  PricedPer: 'product.priced-per',
  TakesTimeslot: 'product.takes-timeslot',
} as const satisfies LabelKeys

type ProductField = keyof typeof labelKeys
export const productFieldNames = Object.keys(labelKeys) as ProductField[]

export function productLabels(t: Texts): ReadonlyMap<string, string> {
  return labelsIn(t, labelKeys)
}

/** The labels of the choices in the form, for storedWords(). */
export function productChoices(t: Texts): ReadonlyMap<string, string> {
  return new Map(pricedPer.map((value) => [`PricedPer ${value}`, t.say(`product.per.${value}`)]))
}

const pricedPer = ['person', 'booking'] as const

function productInputs(t: Texts, shown: ShownForm): Markup {
  const field = (name: ProductField, hint?: TextKey) =>
    fieldOf(shown, t.say(labelKeys[name]), name, hint && t.say(hint))
  const priceChoices = pricedPer.map((value) => ({ value, label: t.say(`product.per.${value}`) }))
  const count = { type: 'number', min: 1, max: 999, required: true, inputmode: 'numeric' }
  return html`${part(
    t.say('product.part.basics'),
    html`${inputField(field('Name', 'product.name.hint'), { required: true, maxlength: 255 })}
${textField(field('Description', 'product.description.hint'), { maxlength: 10_000, rows: 6 })}
${durationField(t, field('DurationMinutes', 'product.duration.hint'))}
${inputField(field('TimeZone', 'product.time-zone.hint'), { required: true, maxlength: 64, list: 'time-zones' })}
${choices('time-zones', Intl.supportedValuesOf('timeZone'))}`,
  )}
${part(
  t.say('product.part.rules'),
  html`${durationField(t, field('BookingCutoffMinutes', 'product.booking-cutoff.hint'))}
${durationField(t, field('CancelCutoffMinutes', 'product.cancel-cutoff.hint'))}
${inputField(field('MinPlaces', 'product.min-places.hint'), count)}
${inputField(field('MaxPlaces', 'product.max-places.hint'), count)}
${checkboxField(field('TakesTimeslot', 'product.takes-timeslot.hint'))}`,
)}
${part(
  t.say('product.part.price'),
  html`${selectField(field('PricedPer'), priceChoices)}
${amountField(t, field('Price.Amount', 'product.price.hint'), { required: true })}
${inputField(field('Price.Currency', 'product.currency.hint'), { required: true, maxlength: 3, autocapitalize: 'characters', list: 'currencies' })}
${choices('currencies', currencies)}`,
)}
${part(t.say('catalogue.shopfront'), checkboxField(field('InShopfront')))}`
}

/** A group of fields with a heading. */
function part(heading: string, fields: Markup): Markup {
  return html`<fieldset class="part"><legend>${heading}</legend>
${fields}</fieldset>`
}

/** The values that the browser suggests in a field whose attribute `list` is this id. */
function choices(id: string, values: readonly string[]): Markup {
  return html`<datalist id="${id}">${values.map((value) => html`<option value="${value}">`)}</datalist>`
}
