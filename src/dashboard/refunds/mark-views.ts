/** The pages that mark one refund as paid back, and that undo this. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { methodNames } from '../../sales/ledger/method-names.ts'
import { paymentMethods } from '../../sales/ledger/queries.ts'
import type { RefundView } from '../../sales/ledger/refund-schemas.ts'
import type { TillView } from '../../sales/till/schemas.ts'
import { faultSummary, fieldOf, inputField, postForm, type ShownForm, selectField } from '../frame/forms.ts'
import type { Session } from '../frame/session.ts'
import { customerName } from '../parts/booking-words.ts'
import { money } from '../parts/party-words.ts'
import { reasonText } from '../parts/refund-words.ts'
import { bookingLink } from '../parts/subject.ts'
import { noTillNotice, shortTillNotice } from '../parts/till-notice.ts'
import { refundPath, refundsPath } from './views.ts'

type MarkPage = { refund: RefundView; tills: readonly TillView[] }

/** The page that asks how a refund was paid back, before it is marked. */
export function markView(
  session: Session,
  t: Texts,
  { refund, tills }: MarkPage,
  again: ShownForm | null,
): Markup {
  const { Refund, Status } = refund
  const facts = refundFacts(session, t, refund)
  if (Status !== 'due') return html`${faultSummary(again?.faults ?? null)}${facts}${backLink}`
  const methods = methodsOf(refund)
  const shown = { values: again?.values ?? { Method: methods[0] }, faults: again?.faults ?? null }
  const currencies = tills.map(({ Float }) => Float.Currency)
  const isCash = methods.includes('cash')
  const fields = html`<input type="hidden" name="Amount" value="${Refund.Amount}">
${selectField(
  fieldOf(shown, 'Paid back by', 'Method'),
  methods.map((value) => ({ value, label: methodNames[value] })),
)}
${isCash ? html`${noTillNotice(t, currencies, Refund.Currency, 'Cash that you pay back now is listed under cash outside of tills.')}${shortTillNotice(t, tills, Refund)}` : ''}
${inputField(fieldOf(shown, 'Reference', 'Reference', 'The terminal’s receipt, or what the transfer says'), { maxlength: 255, autocomplete: 'off' })}
<p class="actions"><button>Yes, ${money(t, Refund)} is paid back</button> <a class="button secondary" href="${refundsPath}">Not yet</a></p>`
  return html`${faultSummary(shown.faults)}${facts}
<p>The service moves no money: mark it only when you have paid it back.</p>
${postForm(session, `${refundPath(refund)}/done`, fields)}`
}

/** The page that asks why a mark is undone. */
export function undoView(session: Session, t: Texts, refund: RefundView, again: ShownForm | null): Markup {
  const { Refund, Status, Method } = refund
  const facts = refundFacts(session, t, refund)
  if (Status !== 'done') return html`${faultSummary(again?.faults ?? null)}${facts}${backLink}`
  const shown = { values: again?.values ?? {}, faults: again?.faults ?? null }
  const cash =
    Method === 'cash'
      ? html`<p>The cash counts as back in the till that it came out of; if that till is closed, it is listed under cash outside of tills.</p>`
      : ''
  const fields = html`${inputField(fieldOf(shown, 'Reason', 'Reason', 'The history of the booking shows it'), { required: true, maxlength: 500, autocomplete: 'off' })}
<p class="actions"><button class="danger">${money(t, Refund)} was not paid back</button> <a class="button secondary" href="${refundsPath}?Status=done">Keep it</a></p>`
  return html`${faultSummary(shown.faults)}${facts}
<p>Undo the mark only if the money was not paid back. The refund is due again then.</p>${cash}
${postForm(session, `${refundPath(refund)}/undo`, fields)}`
}

const backLink = html`<p class="no-print"><a href="${refundsPath}">Refunds</a></p>`

function refundFacts(session: Session, t: Texts, refund: RefundView): Markup {
  const { Customer, BookingReference, BasketID, Reason, Refund, PaidBy, PaymentReference } = refund
  const { DoneAt, Method, Reference } = refund
  const done = [DoneAt && t.moment(DoneAt, session.user.timeZone), Method && methodNames[Method], Reference]
  const sale = BookingReference
    ? bookingLink(BookingReference)
    : html`<a href="/dashboard/sell/${BasketID}">Sale ${BasketID}</a>`
  const rows: [string, Markup | string][] = [
    ['Amount', html`<strong>${money(t, Refund)}</strong>`],
    ['Customer', customerName(Customer) || '–'],
    ['Sale', sale],
    ['Why', reasonText(t, Reason)],
    ['Paid by', PaidBy.map((method) => methodNames[method]).join(', ') || '–'],
    ...(PaymentReference ? [['Provider’s reference', PaymentReference] as [string, string]] : []),
    ...(DoneAt ? [['Paid back', done.filter(Boolean).join(', ')] as [string, string]] : []),
  ]
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

/**
 * The method of the payment first, because most refunds use it. Online needs an online payment. A payment that bought nothing is
 * in no till, so it is not paid back in cash.
 */
function methodsOf({ PaidBy, Source }: RefundView) {
  const possible = paymentMethods.filter((method) =>
    Source === 'payment' ? method !== 'cash' : method !== 'online' || PaidBy.includes(method),
  )
  const first = PaidBy[0] ?? 'cash'
  return [...possible.filter((method) => method === first), ...possible.filter((method) => method !== first)]
}
