/** The pages that mark one refund as paid back, and that undo this. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { withoutUndone } from '../../sales/ledger/model.ts'
import { type LedgerPayment, type PaymentMethod, paymentMethods } from '../../sales/ledger/queries.ts'
import type { RefundView } from '../../sales/ledger/refund-schemas.ts'
import type { ShownMark } from '../../sales/ledger/undoing.ts'
import type { TillView } from '../../sales/till/schemas.ts'
import { fieldOf, inputField, type ShownForm, selectField } from '../frame/form-fields.ts'
import { faultSummary, faultsOf, postForm } from '../frame/forms.ts'
import type { Session } from '../frame/session.ts'
import { amountField } from '../parts/amounts.ts'
import { customerName } from '../parts/booking-words.ts'
import { money } from '../parts/party-words.ts'
import { reasonText } from '../parts/refund-words.ts'
import { bookingLink } from '../parts/subject.ts'
import { noTillNotice, shortTillNotice } from '../parts/till-notice.ts'
import { partsPart, type RefundParts } from './part-views.ts'
import { refundPath, refundsPath } from './paths.ts'
import { alsoDuePart } from './tick-views.ts'
import { amountCell } from './views.ts'

/** `payments` are the payments and refunds of the sale. */
type MarkPage = {
  refund: RefundView
  tills: readonly TillView[]
  payments: readonly LedgerPayment[]
  parts: RefundParts
  /** The other due refunds of the same sale. */
  alsoDue: readonly RefundView[]
}

/** The page that asks how a refund was paid back, before it is marked. */
export function markView(
  session: Session,
  t: Texts,
  { refund, tills, payments, parts, alsoDue }: MarkPage,
  again: ShownForm | null,
): Markup {
  const { Refund, Status, Source } = refund
  const facts = html`${refundFacts(session, t, refund, { payments, parts })}
${partsPart(session, t, refund, parts)}`
  if (Status !== 'due') return html`${faultSummary(again?.faults ?? null)}${facts}${backLink(t)}`
  const methods = methodsOf(refund)
  const first = { Method: methods[0], Part: Refund.Amount }
  const shown = { values: again?.values ?? first, faults: again?.faults ?? null }
  const currencies = tills.map(({ Float }) => Float.Currency)
  const isCash = methods.includes('cash')
  // A provider's payment that bought nothing is paid back as a whole.
  const byParts = Source === 'decision'
  const part = byParts
    ? amountField(
        t,
        fieldOf(shown, `${t.say('refunds.part')} (${Refund.Currency})`, 'Part', t.say('refunds.several')),
        { required: true },
      )
    : ''
  const yes = byParts ? t.say('refunds.yes-this') : t.say('refunds.yes', { amount: money(t, Refund) })
  const fields = html`<input type="hidden" name="Amount" value="${Refund.Amount}">
${part}
${selectField(
  fieldOf(shown, t.say('refunds.paid-back-by'), 'Method'),
  methods.map((value) => ({ value, label: t.say(`method-name.${value}`) })),
)}
${isCash ? html`${noTillNotice(t, currencies, Refund.Currency, t.say('refunds.outside'))}${shortTillNotice(t, tills, Refund)}` : ''}
${inputField(fieldOf(shown, t.say('word.reference'), 'Reference', t.say('payments.reference.hint')), { maxlength: 255, autocomplete: 'off' })}
<p class="actions"><button>${yes}</button> <a class="button secondary" href="${refundsPath}">${t.say('page.back')}</a></p>`
  return html`${faultSummary(shown.faults)}${facts}
${alsoDuePart(t, refund, alsoDue)}
<p>${t.say('refunds.no-money')}</p>
${postForm(session, `${refundPath(refund)}/${byParts ? 'parts' : 'done'}`, fields)}`
}

/** The page that asks why a mark is undone, or says why it cannot be undone. `mark` is null for a due refund. */
export function undoView(
  session: Session,
  t: Texts,
  { refund, mark }: { refund: RefundView; mark: ShownMark | null },
  again: ShownForm | null,
): Markup {
  const { Method } = refund
  const facts = refundFacts(session, t, refund, { payments: [], parts: { made: [], stillDue: null } })
  if (!mark || mark.refusal) {
    const faults = again?.faults ?? (mark?.refusal ? faultsOf(mark.refusal).faults : null)
    return html`${faultSummary(faults)}${facts}${backLink(t)}`
  }
  const shown = { values: again?.values ?? {}, faults: again?.faults ?? null }
  const cash = Method === 'cash' ? html`<p>${t.say('refunds.undo.cash')}</p>` : ''
  const fields = html`${inputField(fieldOf(shown, t.say('word.reason'), 'Reason', t.say('refunds.reason.hint')), { required: true, maxlength: 500, autocomplete: 'off' })}
<p class="actions"><button class="danger">${t.say('refunds.was-not', { amount: money(t, refund.Refund) })}</button> <a class="button secondary" href="${refundsPath}?Status=done">${t.say('word.keep')}</a></p>`
  return html`${faultSummary(shown.faults)}${facts}
<p>${t.say('refunds.undo.about')}</p>${cash}
${postForm(session, `${refundPath(refund)}/undo`, fields)}`
}

export function backLink(t: Texts): Markup {
  return html`<p class="links no-print"><a href="${refundsPath}">${t.say('refunds.title')}</a></p>`
}

function refundFacts(
  session: Session,
  t: Texts,
  refund: RefundView,
  { payments, parts }: Pick<MarkPage, 'payments' | 'parts'>,
): Markup {
  const { Customer, BookingReference, BasketID, Reason, Status, Source, PaidBy, PaymentReference } = refund
  const { DoneAt, Method, Reference } = refund
  const done = [
    DoneAt && t.moment(DoneAt, session.user.timeZone),
    Method && t.say(`method-name.${Method}`),
    Reference,
  ]
  // A payment that bought nothing is not among the payments of the sale.
  const paid = Source === 'payment' ? [] : payments
  // The parts of this refund have their own table.
  const ofOthers = payments.filter((payment) => !parts.made.includes(payment))
  const back = paymentMethods.flatMap((method) => sumText(t, method, ofOthers, 'refund') ?? [])
  const sale = BookingReference
    ? bookingLink(BookingReference)
    : html`<a href="/dashboard/sell/${BasketID}">${t.say('refunds.sale-number', { id: String(BasketID) })}</a>`
  const rows: [string, Markup | string][] = [
    [t.say('word.amount'), amountCell(t, refund)],
    [t.say('word.customer'), customerName(Customer) || '–'],
    [t.say('refunds.sale'), sale],
    [t.say('word.why'), reasonText(t, Reason)],
    [t.say('refunds.paid-by'), PaidBy.map((method) => paidText(t, method, paid)).join(', ') || '–'],
    ...(Status === 'due' && back.length > 0
      ? [[t.say('refunds.paid-back-before'), back.join(', ')] as [string, string]]
      : []),
    ...(PaymentReference
      ? [[t.say('refunds.provider-reference'), PaymentReference] as [string, string]]
      : []),
    ...(DoneAt && parts.made.length === 0
      ? [[t.say('refunds.paid-back'), done.filter(Boolean).join(', ')] as [string, string]]
      : []),
  ]
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

/** The name of a payment method, with the amount paid by it if there is a payment. */
function paidText(t: Texts, method: PaymentMethod, payments: readonly LedgerPayment[]): string {
  return sumText(t, method, payments, 'payment') ?? t.say(`method-name.${method}`)
}

/** A method, with the sum of its payments or refunds; null if there are none. Undone refunds are left out. */
function sumText(
  t: Texts,
  method: PaymentMethod,
  payments: readonly LedgerPayment[],
  kind: LedgerPayment['kind'],
): string | null {
  const found = withoutUndone(payments).filter((one) => one.kind === kind && one.method === method)
  if (found.length === 0) return null
  const minor = found.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  return `${t.say(`method-name.${method}`)} ${t.amount(Number(minor), found[0]!.currency)}`
}

/**
 * The possible methods of a refund. The method of the payment comes first, because most refunds use it.
 * `online` is possible only if the customer paid online. A payment that bought nothing was made at a
 * provider, so it is not paid back in cash.
 */
export function methodsOf({ PaidBy, Source }: RefundView) {
  const possible = paymentMethods.filter((method) =>
    Source === 'payment' ? method !== 'cash' : method !== 'online' || PaidBy.includes(method),
  )
  const first = PaidBy[0] ?? 'cash'
  return [...possible.filter((method) => method === first), ...possible.filter((method) => method !== first)]
}
