/** The list of a partner's terms, and their form. Pure. */
import type { Partner } from '../../accounts/service.ts'
import type { PartnerTerm } from '../../catalogue/partner-terms/schemas.ts'
import type { Product } from '../../catalogue/products/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import { versionOf } from '../../http/versions.ts'
import type { Texts } from '../../languages/texts.ts'
import { inWords } from '../frame/fault-words.ts'
import {
  type FormFaults,
  faultSummary,
  fieldOf,
  inputField,
  postForm,
  type ShownForm,
  selectField,
  valueAt,
} from '../frame/forms.ts'
import { emptyState, table } from '../frame/layout.ts'
import { versionField } from '../frame/meanwhile.ts'
import type { Session } from '../frame/session.ts'
import { percentText, showAmount } from '../parts/amounts.ts'
import { money } from '../parts/party-words.ts'
import { type GivenPrices, priceFields, priceLabels } from '../parts/price-fields.ts'

export type ShownTerms = ShownForm & { values: { UnitPrices?: GivenPrices | undefined }; version: string }

type PartnerPage = { partner: Partner; terms: readonly PartnerTerm[]; products: readonly Product[] }

const allOthers = 'All other products'

export function partnerPage(session: Session, t: Texts, { partner, terms, products }: PartnerPage): Markup {
  const path = `/dashboard/partners/${partner.id}`
  const productOf = ({ ProductID }: PartnerTerm) => products.find(({ id }) => id === ProductID)
  const nameOf = (term: PartnerTerm) =>
    productOf(term)?.name ?? (terms.length > 1 ? allOthers : 'All products')
  const choices = products.map(({ id, name }) => ({ value: id, label: name }))
  const version = versionOf(terms)
  return html`<p><a href="/dashboard/partners">All partners</a> · <a href="/dashboard/bookings?PartnerID=${partner.id}">Bookings of ${partner.name}</a> · <a href="/dashboard/reports/partners/${partner.id}">Statement</a></p>
<h2 id="terms">Terms</h2>
<p>What ${partner.name} owes you for what it sells: the price less a commission, or net prices. Each booking keeps the terms under which it was made; the page of the booking says what is owed.</p>
${
  terms.length === 0
    ? emptyState('No terms are agreed. Bookings do not say what is owed.')
    : table<PartnerTerm>(
        `Terms of ${partner.name}`,
        [
          { head: 'For', cell: nameOf },
          { head: 'Terms', cell: (term) => termWords(t, term, productOf(term)) },
          {
            head: 'Change',
            cell: (
              term,
            ) => html`<div class="actions"><a class="button secondary" href="${addressOf(path, term)}" aria-label="Change the terms for ${nameOf(term)}">Change</a>
${removeForm(session, path, { term, name: nameOf(term), version })}</div>`,
          },
        ],
        terms,
      )
}
<h3>Set terms</h3>
<form method="get" action="${path}/terms" class="filters">
${selectField({ label: 'For', name: 'ProductID' }, [{ value: '', label: 'All products without terms of their own' }, ...choices])}
<button class="secondary">Set the terms</button>
</form>`
}

function addressOf(path: string, { ProductID }: Pick<PartnerTerm, 'ProductID'>, action = ''): string {
  return `${path}/terms${action}${ProductID === null ? '' : `?ProductID=${ProductID}`}`
}

function termWords(t: Texts, { Commission, NetPrices = [] }: PartnerTerm, product?: Product): string {
  if (Commission !== undefined) return `Commission of ${percentText(t, Commission)}`
  const { units = null, currency = '', pricedPerBooking = false } = product ?? {}
  const plainName = pricedPerBooking ? 'the whole booking' : 'each person'
  const defaultName = units?.find(({ isDefault }) => isDefault)?.name ?? plainName
  const prices = NetPrices.map(({ UnitID, Amount }) => {
    const name =
      UnitID === 0 ? defaultName : (units?.find(({ id }) => id === UnitID)?.name ?? 'no longer sold')
    return `${name} ${money(t, { Amount, Currency: currency })}`
  })
  return `Net prices: ${prices.join(', ')}`
}

function removeForm(
  session: Session,
  path: string,
  { term, name, version }: { term: PartnerTerm; name: string; version: string },
): Markup {
  return postForm(
    session,
    addressOf(path, term, '/remove'),
    html`${versionField(version)}<button class="secondary" aria-label="Remove the terms for ${name}">Remove</button>`,
    {
      question: `Remove the terms for ${name}? Bookings keep the terms they were made under.`,
      class: 'inline',
    },
  )
}

const commissionLabel = 'Commission, in percent'

/** @param product null for the terms of all others. */
export function termsFaults(faults: NonNullable<FormFaults>, product: Product | null): FormFaults {
  const fields = [...faults.fields].map(([field, message]) => {
    const isMissing = field === 'Commission' && /^or NetPrices/.test(message)
    if (!isMissing) return [field, message] as const
    return [field, product ? 'or NetPrices: fill in one of them' : 'is needed'] as const
  })
  const prices = product ? priceLabels(product) : []
  const labels = new Map([['Commission', commissionLabel], ['NetPrices', 'Net prices'], ...prices] as const)
  return inWords({ ...faults, fields: new Map(fields) }, labels)
}

type TermsForm = { partner: Partner; product: Product | null }

export function termsPage(
  session: Session,
  t: Texts,
  { partner, product }: TermsForm,
  shown: ShownTerms,
): Markup {
  const path = `/dashboard/partners/${partner.id}`
  const { locale } = t
  const share = `Of the price, which ${partner.name} keeps.${product ? ' Or net prices below.' : ''}`
  const commission = {
    ...fieldOf(shown, commissionLabel, 'Commission', share),
    value: showAmount(valueAt(shown.values, 'Commission'), locale),
  }
  const hint =
    'What it owes you for each, whatever it sells it for. Of what is empty it owes the whole price.'
  const netPrices =
    product &&
    priceFields(product, {
      given: shown.values.UnitPrices,
      faults: shown.faults,
      locale,
      hint,
      legend: 'Net prices',
    })
  return html`${faultSummary(shown.faults)}
<p>For ${product ? html`<strong>${product.name}</strong>` : html`<strong>all products</strong> that have no terms of their own`}, from the next booking on.</p>
${postForm(
  session,
  addressOf(path, { ProductID: product?.id ?? null }),
  html`${versionField(shown.version)}
${inputField(commission, { inputmode: 'decimal', maxlength: 8, autocomplete: 'off' })}
${netPrices ?? ''}
<p class="actions"><button>Save</button> <a href="${path}">Back to ${partner.name}</a></p>`,
)}`
}
