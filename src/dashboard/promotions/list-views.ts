/**
 * The list of promotions, with reduction, validity and uses of each promotion, and the summary above the
 * form. Pure.
 */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { PromotionsQuery, PromotionView } from '../../sales/promotion/schemas.ts'
import { inputField, selectField } from '../frame/form-fields.ts'
import { postForm } from '../frame/forms.ts'
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
  /** Today's date in the time zone of the account. */
  today: string
}

export function promotionList(session: Session, t: Texts, shown: PromotionList): Markup {
  const { promotions, products, query, url, next, today } = shown
  const names = new Map(products.map(({ id, name }) => [id, name]))
  const isFiltered = Boolean(query.Code || query.Active)
  return html`<p class="actions"><a class="button" href="/dashboard/promotions/new">${t.say('promotion.new')}</a></p>
<form method="get" action="/dashboard/promotions" class="filters">
${inputField({ label: t.say('promotion.filter.code'), name: 'Code', value: query.Code }, { type: 'search', maxlength: 40 })}
${selectField({ label: t.say('promotion.filter.which'), name: 'Active', value: query.Active }, [
  { value: '', label: t.say('promotion.filter.all') },
  { value: 'true', label: t.say('promotion.filter.active') },
  { value: 'false', label: t.say('promotion.filter.ended') },
])}
<button class="secondary">${t.say('word.show')}</button>
</form>
${
  promotions.length === 0
    ? emptyState(t.say(isFiltered ? 'promotion.none-like-that' : 'promotion.empty'))
    : table<PromotionView>(
        t.say('promotion.list'),
        [
          {
            head: t.say('promotion.code'),
            cell: ({ PromotionID, Code }) =>
              html`<a class="code" href="/dashboard/promotions/${PromotionID}">${Code}</a>`,
          },
          { head: t.say('promotion.reduction'), cell: (promotion) => reductionWords(t, promotion) },
          { head: t.say('promotion.products'), cell: ({ ProductIDs }) => productWords(t, ProductIDs, names) },
          {
            head: t.say('promotion.sale-days'),
            cell: ({ SaleFrom, SaleTo }) => daysText(t, SaleFrom, SaleTo),
          },
          {
            head: t.say('promotion.travel-days'),
            cell: ({ TravelFrom, TravelTo }) => daysText(t, TravelFrom, TravelTo),
          },
          { head: t.say('promotion.used'), cell: (promotion) => usesText(t, promotion) },
          {
            head: t.say('promotion.now'),
            cell: (promotion) =>
              html`${statusBadge(t, promotion, today)} ${activeForm(session, t, promotion)}`,
          },
        ],
        promotions,
      )
}
${nextLink(t, url, next)}`
}

/** The state and the uses of a promotion, and the button that ends or restarts it. Shown above the form. */
export function promotionSummary(
  session: Session,
  t: Texts,
  { promotion, today }: { promotion: PromotionView; today: string },
): Markup {
  return html`<p>${statusBadge(t, promotion, today)} ${t.say('promotion.used.summary', { uses: usesText(t, promotion) })}</p>
<div class="actions">${activeForm(session, t, promotion)}</div>`
}

function reductionWords(t: Texts, { Percent, Amount, Currency }: PromotionView): string {
  if (Percent !== null) return percentText(t, Percent)
  return money(t, { Amount: Amount ?? '', Currency: Currency ?? '' })
}

const maxNamed = 3

function productWords(t: Texts, ids: readonly number[] | null, names: ReadonlyMap<number, string>): string {
  if (ids === null) return t.say('promotion.products.all')
  const named = ids.slice(0, maxNamed).map((id) => names.get(id) ?? '')
  const products = named.join(', ')
  const count = ids.length - named.length
  return count > 0 ? t.say('promotion.products.more', { products, count }) : products
}

function daysText(t: Texts, from: string | null, to: string | null): string {
  if (from !== null && to !== null) return from === to ? t.day(from) : `${t.day(from)} – ${t.day(to)}`
  if (from !== null) return t.say('promotion.days.from', { day: t.day(from) })
  return to === null ? t.say('promotion.days.any') : t.say('promotion.days.to', { day: t.day(to) })
}

function usesText(t: Texts, { Uses: uses, MaxUses: most, MaxUsesPerCustomer: each }: PromotionView): string {
  if (most === null)
    return each === null ? t.say('promotion.uses', { uses }) : t.say('promotion.uses.limited', { uses, each })
  return each === null
    ? t.say('promotion.uses.of', { uses, most })
    : t.say('promotion.uses.of-limited', { uses, most, each })
}

function statusBadge(
  t: Texts,
  { Active, SaleFrom, SaleTo, Uses, MaxUses }: PromotionView,
  today: string,
): Markup {
  if (!Active) return badge(t.say('promotion.state.ended'))
  if (SaleTo !== null && SaleTo < today) return badge(t.say('promotion.state.over'))
  if (MaxUses !== null && Uses >= MaxUses) return badge(t.say('promotion.state.used-up'), 'warn')
  return SaleFrom !== null && SaleFrom > today
    ? badge(t.say('promotion.state.to-come'), 'accent')
    : badge(t.say('promotion.state.on'), 'good')
}

function activeForm(session: Session, t: Texts, { PromotionID, Code, Active }: PromotionView): Markup {
  const words = t.say(Active ? 'promotion.end' : 'promotion.begin-again')
  const question = t.say('promotion.end.ask', { code: Code })
  return postForm(
    session,
    `/dashboard/promotions/${PromotionID}/active`,
    html`<input type="hidden" name="Active" value="${String(!Active)}">
<button class="secondary" aria-label="${words}: ${Code}">${words}</button>`,
    { class: 'inline', ...(Active && { question }) },
  )
}
