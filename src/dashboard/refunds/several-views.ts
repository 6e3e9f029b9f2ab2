/** The page that asks once how several refunds were paid back. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { type Price, toExactMinorUnits, toMoney } from '../../platform/text/money.ts'
import { sumOf } from '../../sales/ledger/model.ts'
import { maxTogether } from '../../sales/ledger/paying-back-several.ts'
import type { RefundView } from '../../sales/ledger/refund-schemas.ts'
import type { TillView } from '../../sales/till/schemas.ts'
import { fieldOf, inputField, type ShownForm, selectField } from '../frame/form-fields.ts'
import { faultSummary, postForm } from '../frame/forms.ts'
import { emptyState, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { customerName } from '../parts/booking-words.ts'
import { money } from '../parts/party-words.ts'
import { reasonText } from '../parts/refund-words.ts'
import { noTillNotice, shortTillNotice } from '../parts/till-notice.ts'
import { backLink, methodsOf } from './mark-views.ts'
import { refundsPath, severalPath } from './paths.ts'
import { saleCell } from './views.ts'

type SeveralPage = { refunds: readonly RefundView[]; tills: readonly TillView[] }

/** The page. It leaves out refunds that are no longer due, and says how many. */
export function severalView(
  session: Session,
  t: Texts,
  { refunds, tills }: SeveralPage,
  again: ShownForm | null,
): Markup {
  const due = refunds.filter(({ Status }) => Status === 'due')
  const leftOut = refunds.length - due.length
  const why = whyNot(t, due)
  const summary = again ? faultSummary(again.faults) : ''
  const gone = leftOut > 0 ? html`<p>${t.say('refunds.together.gone', { count: leftOut })}</p>` : ''
  if (due.length === 0) return html`${summary}${gone || emptyState(why ?? '')}${backLink(t)}`
  const fields = why === null ? formFields(t, { refunds: due, tills }, again) : null
  return html`${summary}${gone}
${table<RefundView>(
  t.say('refunds.list.due'),
  [
    { head: t.say('word.customer'), onCard: 'line', cell: ({ Customer }) => customerName(Customer) || '–' },
    { head: t.say('refunds.sale'), onCard: 'title', cell: (refund) => saleCell(t, refund) },
    { head: t.say('word.why'), onCard: 'headed', cell: ({ Reason }) => reasonText(t, Reason) },
    {
      head: t.say('word.amount'),
      onCard: 'side',
      numeric: true,
      cell: ({ Refund }) => html`<strong>${money(t, Refund)}</strong>`,
    },
  ],
  due,
)}
${fields ? html`<p>${t.say('refunds.no-money')}</p>${postForm(session, severalPath, fields)}` : html`<p role="alert">${why ?? ''}</p>${backLink(t)}`}`
}

function formFields(t: Texts, { refunds, tills }: SeveralPage, again: ShownForm | null): Markup {
  const methods = methodsOfAll(refunds)
  const sum = sumOfRefunds(refunds)
  const shown = { values: again?.values ?? { Method: methods[0] }, faults: again?.faults ?? null }
  const currencies = tills.map(({ Float }) => Float.Currency)
  const hidden = refunds.map(
    ({ RefundID, Refund }, index) =>
      html`<input type="hidden" name="Refunds[${index}].RefundID" value="${RefundID!}"><input type="hidden" name="Refunds[${index}].Amount" value="${Refund.Amount}">\n`,
  )
  return html`${hidden}<p>${t.say('refunds.together.sum', { count: refunds.length, amount: money(t, sum) })}</p>
${selectField(
  fieldOf(shown, t.say('refunds.paid-back-by'), 'Method'),
  methods.map((value) => ({ value, label: t.say(`method-name.${value}`) })),
)}
${noTillNotice(t, currencies, sum.Currency, t.say('refunds.outside'))}${shortTillNotice(t, tills, sum)}
${inputField(fieldOf(shown, t.say('word.reference'), 'Reference', t.say('payments.reference.hint')), { maxlength: 255, autocomplete: 'off' })}
<p class="actions"><button>${t.say('refunds.yes', { amount: money(t, sum) })}</button> <a class="button secondary" href="${refundsPath}">${t.say('page.back')}</a></p>`
}

/** Why refunds cannot be marked together; null if they can. */
function whyNot(t: Texts, refunds: readonly RefundView[]): string | null {
  if (refunds.length === 0) return t.say('refunds.together.none')
  if (refunds.length > maxTogether) return t.say('refunds.together.most', { most: maxTogether })
  const currencies = new Set(refunds.map(({ Refund }) => Refund.Currency))
  return currencies.size > 1 ? t.say('refunds.together.currencies') : null
}

/** The methods by which every one of the refunds can be paid back. */
function methodsOfAll(refunds: readonly RefundView[]) {
  const [first, ...others] = refunds.map(methodsOf)
  return first!.filter((method) => others.every((methods) => methods.includes(method)))
}

function sumOfRefunds(refunds: readonly RefundView[]): Price {
  const { Currency } = refunds[0]!.Refund
  const minor = sumOf(refunds, ({ Refund }) => toExactMinorUnits(Refund.Amount, Currency) ?? 0n)
  return toMoney(minor, Currency)
}
