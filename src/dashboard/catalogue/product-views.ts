/** The content of the pages of products. Pure. */
import type { Product } from '../../catalogue/products/service.ts'
import type { ScheduleRow } from '../../catalogue/schedules/editing/applying.ts'
import type { TranslatedProduct } from '../../catalogue/translations/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import {
  checkboxField,
  faultSummary,
  fieldOf,
  inputField,
  postForm,
  type ShownForm,
  selectField,
  textField,
  valueAt,
} from '../frame/forms.ts'
import { badge, emptyState, nextLink, searchOf, table } from '../frame/layout.ts'
import { versionField } from '../frame/meanwhile.ts'
import type { Session } from '../frame/session.ts'
import { showAmount } from '../parts/amounts.ts'
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
  return html`<p class="actions"><a class="button" href="/dashboard/catalogue/new">New product</a></p>
<form method="get" action="/dashboard/catalogue" class="filters">
${inputField({ label: 'Name contains', name: 'Name', value: query.Name }, { type: 'search', maxlength: 255 })}
${selectField({ label: 'Shopfront', name: 'InShopfront', value: query.InShopfront }, [
  { value: '', label: 'In it or not' },
  { value: 'true', label: 'In the shopfront' },
  { value: 'false', label: 'Outside' },
])}
<button class="secondary">Show</button>
</form>
${
  products.length === 0
    ? emptyState(
        'No products here. A product that you make is sold once it has a schedule and is in the shopfront.',
      )
    : table(
        'Products',
        [
          {
            head: 'Product',
            cell: ({ id, name }) => html`<a href="/dashboard/catalogue/${id}">${name}</a>`,
          },
          {
            head: 'Price',
            cell: ({ priceMinor, currency }) => t.amount(priceMinor, currency),
            numeric: true,
          },
          { head: 'Shopfront', cell: (product) => shopfrontCell(session, product, search) },
        ],
        products,
      )
}
${nextLink(t, url, next)}`
}

/** Whether it is in the shopfront, and the button that changes that and returns to the same list. */
function shopfrontCell(session: Session, { id, name, inShopfront }: Product, search: string): Markup {
  const words = inShopfront ? 'Take out' : 'Put in'
  return html`${inShopfront ? badge('inside', 'good') : badge('outside')}
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
<p class="actions"><button>Save product</button> <a href="/dashboard/catalogue">Back to the catalogue</a></p>`,
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

/** Everything about a product. The form may show other values than the stored ones. */
export function productPage(
  session: Session,
  t: Texts,
  { product, questions, schedules, translated, languages, form }: ProductPage,
): Markup {
  const path = `/dashboard/catalogue/${product.id}`
  return html`${faultSummary(form.faults)}
<p>${product.inShopfront ? badge('in the shopfront', 'good') : badge('outside the shopfront')}
Partners know it as <code>s_${product.activityId}</code>.</p>
<p><a href="#units">Units</a> · <a href="#refund-terms">Refund terms</a> · <a href="#schedules">Schedules</a> · <a href="#questions">Questions</a> · <a href="#languages">Other languages</a></p>
${postForm(
  session,
  path,
  html`${versionField(form.version)}${productInputs(t, form)}
<p class="actions"><button>Save</button> <a href="${path}">Show the saved product</a></p>`,
)}
${unitsPart(session, t, path, product)}
${refundPart(t, path, product.refundTerms)}
${schedulesPart(path, t, schedules)}
${questionsPart(session, path, questions)}
${languagesPart(translated, languages)}`
}

export const productFieldNames = [
  'Name',
  'Description',
  'DurationMinutes',
  'Price.Amount',
  'Price.Currency',
  'TimeZone',
  'BookingCutoffMinutes',
  'CancelCutoffMinutes',
  'InShopfront',
  'MinPlaces',
  'MaxPlaces',
  'PricedPer',
  'TakesTimeslot',
] as const

/** The labels of the product form. */
export const productLabels = new Map<string, string>([
  ['Name', 'Name'],
  ['Description', 'Description'],
  ['DurationMinutes', 'Duration in minutes'],
  ['Price.Amount', 'Price'],
  ['Price.Currency', 'Currency'],
  ['TimeZone', 'Time zone'],
  ['BookingCutoffMinutes', 'Can be booked until so many minutes before the start'],
  ['CancelCutoffMinutes', 'Can be cancelled until so many minutes before the start'],
  ['InShopfront', 'In the shopfront: partners see and sell it'],
  ['MinPlaces', 'Fewest places of a booking'],
  ['MaxPlaces', 'Most places of a booking'],
  ['PricedPer', 'The price is for'],
  ['TakesTimeslot', 'A booking takes the whole timeslot'],
])
const priceChoices = [
  { value: 'person', label: 'each person' },
  { value: 'booking', label: 'the whole booking' },
]

function productInputs(t: Texts, shown: ShownForm): Markup {
  const field = (name: (typeof productFieldNames)[number], hint?: string) =>
    fieldOf(shown, productLabels.get(name)!, name, hint)
  const count = { type: 'number', min: 1, max: 999, required: true, inputmode: 'numeric' }
  const amount = showAmount(valueAt(shown.values, 'Price.Amount'), t.locale)
  const minutes = { type: 'number', min: 0, required: true, inputmode: 'numeric' }
  return html`${inputField(field('Name', 'As customers read it; no two products share one.'), { required: true, maxlength: 255 })}
${textField(field('Description', 'Plain text.'), { maxlength: 10_000, rows: 6 })}
${inputField(field('DurationMinutes', 'Of what is open all day, how long a visit takes.'), { ...minutes, min: 1 })}
${inputField({ ...field('Price.Amount', 'Zero for what is free. Of a product with units, that of its default unit.'), value: amount }, { required: true, inputmode: 'decimal' })}
${inputField(field('Price.Currency', 'Three letters, such as EUR.'), { required: true, maxlength: 3, autocapitalize: 'characters' })}
${inputField(field('TimeZone', 'In which its dates and times are meant, such as Europe/Lisbon.'), { required: true, maxlength: 64 })}
${inputField(field('BookingCutoffMinutes', 'Before the last closing, if it is open all day. A day is 1440.'), minutes)}
${inputField(field('CancelCutoffMinutes', 'Before the first opening, if it is open all day. A day is 1440.'), minutes)}
${selectField(field('PricedPer'), priceChoices)}
${inputField(field('MinPlaces', 'Where the price is for the whole booking, fewest people.'), count)}
${inputField(field('MaxPlaces', 'Where the price is for the whole booking, most people.'), count)}
${checkboxField(field('TakesTimeslot', 'Only where the price is for the whole booking.'))}
${checkboxField(field('InShopfront'))}`
}
