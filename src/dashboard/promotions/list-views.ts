/** The content of the pages of promotions: reduction, validity and uses of each. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { PromotionsQuery, PromotionView } from '../../sales/promotion/schemas.ts'
import { inputField, postForm, selectField } from '../frame/forms.ts'
import { badge, emptyState, nextLink, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { percentText } from '../parts/amounts.ts'
import { money } from '../parts/party-words.ts'

type ProductNames = readonly { id: number; name: string }[]
type PromotionList = {
  promotions: PromotionView[]
  products: ProductNames
  query: PromotionsQuery
  url: string
  next: string | null
  /** In the account's time zone. */
  today: string
}

export function promotionList(session: Session, t: Texts, shown: PromotionList): Markup {
  const { promotions, products, query, url, next, today } = shown
  const names = new Map(products.map(({ id, name }) => [id, name]))
  const isFiltered = Boolean(query.Code || query.Active)
  return html`<p class="actions"><a class="button" href="/dashboard/promotions/new">New promotion</a></p>
<form method="get" action="/dashboard/promotions" class="filters">
${inputField({ label: 'Code contains', name: 'Code', value: query.Code }, { type: 'search', maxlength: 40 })}
${selectField({ label: 'Which', name: 'Active', value: query.Active }, [
  { value: '', label: 'All' },
  { value: 'true', label: 'Not ended' },
  { value: 'false', label: 'Ended' },
])}
<button class="secondary">Show</button>
</form>
${
  promotions.length === 0
    ? emptyState(
        isFiltered
          ? 'No promotion is like that.'
          : 'There is no promotion yet. Customers type the code of one, at the till or online, and pay less.',
      )
    : table<PromotionView>(
        'Promotions',
        [
          {
            head: 'Code',
            cell: ({ PromotionID, Code }) =>
              html`<a class="code" href="/dashboard/promotions/${PromotionID}">${Code}</a>`,
          },
          { head: 'Takes off', cell: (promotion) => reductionWords(t, promotion) },
          { head: 'Products', cell: ({ ProductIDs }) => productWords(ProductIDs, names) },
          { head: 'Can be used', cell: ({ SaleFrom, SaleTo }) => daysText(t, SaleFrom, SaleTo) },
          {
            head: 'For timeslots',
            cell: ({ TravelFrom, TravelTo }) => daysText(t, TravelFrom, TravelTo),
          },
          { head: 'Used', cell: (promotion) => usesText(t, promotion) },
          {
            head: 'Now',
            cell: (promotion) => html`${standing(promotion, today)} ${activeForm(session, promotion)}`,
          },
        ],
        promotions,
      )
}
${nextLink(t, url, next)}`
}

/** The state of a promotion and the button that ends it, above its form. */
export function promotionSummary(
  session: Session,
  t: Texts,
  { promotion, today }: { promotion: PromotionView; today: string },
): Markup {
  return html`<p>${standing(promotion, today)} Used ${usesText(t, promotion)}.</p>
<div class="actions">${activeForm(session, promotion)}</div>`
}

function reductionWords(t: Texts, { Percent, Amount, Currency }: PromotionView): string {
  if (Percent !== null) return percentText(t, Percent)
  return money(t, { Amount: Amount ?? '', Currency: Currency ?? '' })
}

const mostNamed = 3

function productWords(ids: readonly number[] | null, names: ReadonlyMap<number, string>): string {
  if (ids === null) return 'All'
  const named = ids.slice(0, mostNamed).map((id) => names.get(id) ?? '')
  const others = ids.length - named.length
  return `${named.join(', ')}${others > 0 ? ` and ${others} more` : ''}`
}

function daysText(t: Texts, from: string | null, to: string | null): string {
  if (from !== null && to !== null) return from === to ? t.day(from) : `${t.day(from)} – ${t.day(to)}`
  if (from !== null) return `From ${t.day(from)}`
  return to === null ? 'Any day' : `Until ${t.day(to)}`
}

function usesText({ number }: Texts, { Uses, MaxUses, MaxUsesPerCustomer }: PromotionView): string {
  const uses = MaxUses === null ? number(Uses) : `${number(Uses)} of ${number(MaxUses)}`
  const limit = MaxUsesPerCustomer === null ? '' : `, ${number(MaxUsesPerCustomer)} for each customer`
  return `${uses}${MaxUses === null ? ` ${Uses === 1 ? 'time' : 'times'}` : ''}${limit}`
}

function standing({ Active, SaleFrom, SaleTo, Uses, MaxUses }: PromotionView, today: string): Markup {
  if (!Active) return badge('ended')
  if (SaleTo !== null && SaleTo < today) return badge('over')
  if (MaxUses !== null && Uses >= MaxUses) return badge('used up', 'warn')
  return SaleFrom !== null && SaleFrom > today ? badge('to come', 'accent') : badge('on', 'good')
}

function activeForm(session: Session, { PromotionID, Code, Active }: PromotionView): Markup {
  const words = Active ? 'End' : 'Begin again'
  const question = `End the promotion ${Code}? Sales that have it keep it.`
  return postForm(
    session,
    `/dashboard/promotions/${PromotionID}/active`,
    html`<input type="hidden" name="Active" value="${String(!Active)}">
<button class="secondary" aria-label="${words}: ${Code}">${words}</button>`,
    { class: 'inline', ...(Active && { question }) },
  )
}
