/** The list of a partner's terms, and their form. Pure. */
import type { Partner } from '../../accounts/service.ts'
import type { PartnerTerm } from '../../catalogue/partner-terms/schemas.ts'
import type { Product } from '../../catalogue/products/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import { versionOf } from '../../http/versions.ts'
import type { Texts } from '../../languages/texts.ts'
import { inWords } from '../frame/fault-words.ts'
import { fieldOf, type ShownForm, selectField } from '../frame/form-fields.ts'
import { type FormFaults, faultSummary, postForm } from '../frame/forms.ts'
import { emptyState, table } from '../frame/layout.ts'
import { versionField } from '../frame/meanwhile.ts'
import type { Session } from '../frame/session.ts'
import { amountField, percentText } from '../parts/amounts.ts'
import { money } from '../parts/party-words.ts'
import { type GivenPrices, priceFields, priceLabels } from '../parts/price-fields.ts'

export type ShownTerms = ShownForm & { values: { UnitPrices?: GivenPrices | undefined }; version: string }

type PartnerPage = { partner: Partner; terms: readonly PartnerTerm[]; products: readonly Product[] }

export function partnerPage(session: Session, t: Texts, { partner, terms, products }: PartnerPage): Markup {
  const path = `/dashboard/partners/${partner.id}`
  const productOf = ({ ProductID }: PartnerTerm) => products.find(({ id }) => id === ProductID)
  const nameOf = (term: PartnerTerm) =>
    productOf(term)?.name ?? t.say(terms.length > 1 ? 'terms.all-others' : 'terms.all')
  const choices = products.map(({ id, name }) => ({ value: id, label: name }))
  const version = versionOf(terms)
  return html`<p><a href="/dashboard/partners">${t.say('terms.partners')}</a> · <a href="/dashboard/bookings?PartnerID=${partner.id}">${t.say('terms.bookings', { partner: partner.name })}</a> · <a href="/dashboard/reports/partners/${partner.id}">${t.say('terms.statement')}</a></p>
<h2 id="terms">${t.say('terms.title')}</h2>
<p>${t.say('terms.about', { partner: partner.name })}</p>
${
  terms.length === 0
    ? emptyState(t.say('terms.none'))
    : table<PartnerTerm>(
        t.say('terms.of', { partner: partner.name }),
        [
          { head: t.say('word.for'), cell: nameOf },
          { head: t.say('terms.title'), cell: (term) => termWords(t, term, productOf(term)) },
          {
            head: t.say('word.change'),
            cell: (
              term,
            ) => html`<div class="actions"><a class="button secondary" href="${addressOf(path, term)}" aria-label="${t.say('terms.change-for', { name: nameOf(term) })}">${t.say('word.change')}</a>
${removeForm(session, t, path, { term, name: nameOf(term), version })}</div>`,
          },
        ],
        terms,
      )
}
<h3>${t.say('terms.set.title')}</h3>
<form method="get" action="${path}/terms" class="filters">
${selectField({ label: t.say('word.for'), name: 'ProductID' }, [{ value: '', label: t.say('terms.without-own') }, ...choices])}
<button class="secondary">${t.say('terms.set')}</button>
</form>`
}

function addressOf(path: string, { ProductID }: Pick<PartnerTerm, 'ProductID'>, action = ''): string {
  return `${path}/terms${action}${ProductID === null ? '' : `?ProductID=${ProductID}`}`
}

function termWords(t: Texts, { Commission, NetPrices = [] }: PartnerTerm, product?: Product): string {
  if (Commission !== undefined) return t.say('terms.commission-of', { percent: percentText(t, Commission) })
  const { units = null, currency = '', pricedPerBooking = false } = product ?? {}
  const plainName = t.say(pricedPerBooking ? 'terms.whole-booking' : 'terms.each-person')
  const defaultName = units?.find(({ isDefault }) => isDefault)?.name ?? plainName
  const prices = NetPrices.map(({ UnitID, Amount }) => {
    const name =
      UnitID === 0 ? defaultName : (units?.find(({ id }) => id === UnitID)?.name ?? t.say('amend.no-longer'))
    return `${name} ${money(t, { Amount, Currency: currency })}`
  })
  return t.say('terms.net', { prices: prices.join(', ') })
}

function removeForm(
  session: Session,
  t: Texts,
  path: string,
  { term, name, version }: { term: PartnerTerm; name: string; version: string },
): Markup {
  return postForm(
    session,
    addressOf(path, term, '/remove'),
    html`${versionField(version)}<button class="secondary" aria-label="${t.say('terms.remove-for', { name })}">${t.say('word.remove')}</button>`,
    {
      question: t.say('terms.remove.question', { name }),
      class: 'inline',
    },
  )
}

/**
 * Adds the labels of this form to the faults. If the terms have neither a commission nor prices, or have
 * both, replaces the message of the API with a message for this form.
 * @param product null for the terms that apply to all products without terms of their own.
 */
export function termsFaults(t: Texts, faults: NonNullable<FormFaults>, product: Product | null): FormFaults {
  const fields = [...faults.fields].map(([field, message]) => {
    const isMissing = field === 'Commission' && /^or NetPrices/.test(message)
    if (!isMissing) return [field, message] as const
    return [field, product ? 'or NetPrices: fill in one of them' : 'is needed'] as const
  })
  const prices = product ? priceLabels(t, product) : []
  const labels = new Map([
    ['Commission', t.say('terms.commission')],
    ['NetPrices', t.say('terms.net-prices')],
    ...prices,
  ] as const)
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
  const share = t.say(product ? 'terms.share.or-net' : 'terms.share', { partner: partner.name })
  const commission = fieldOf(shown, t.say('terms.commission'), 'Commission', share)
  const hint = t.say('terms.net.hint')
  const netPrices =
    product &&
    priceFields(t, product, {
      given: shown.values.UnitPrices,
      faults: shown.faults,
      hint,
      legend: t.say('terms.net-prices'),
    })
  return html`${faultSummary(shown.faults)}
<p>${product ? markupOf(t, 'terms.from-now', { product: product.name }) : markupOf(t, 'terms.from-now.all')}</p>
${postForm(
  session,
  addressOf(path, { ProductID: product?.id ?? null }),
  html`${versionField(shown.version)}
${amountField(t, commission, { maxlength: 8 })}
${netPrices ?? ''}
<p class="actions"><button>${t.say('save')}</button> <a href="${path}">${t.say('terms.back', { partner: partner.name })}</a></p>`,
)}`
}
