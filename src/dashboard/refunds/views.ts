/** The refunds that are due or done. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { methodNames } from '../../sales/ledger/method-names.ts'
import { paymentMethods } from '../../sales/ledger/queries.ts'
import type { RefundsQuery, RefundView } from '../../sales/ledger/refund-schemas.ts'
import type { TillView } from '../../sales/till/schemas.ts'
import type { Formats } from '../frame/formats.ts'
import { attributes, type FormFaults, faultSummary, postForm } from '../frame/forms.ts'
import { badge, emptyState, nextLink, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { customerName } from '../parts/booking-words.ts'
import { money } from '../parts/party-words.ts'
import { phoneLink } from '../parts/phone-fields.ts'
import { reasonText } from '../parts/refund-words.ts'
import { bookingLink } from '../parts/subject.ts'
import { noTillNotice, shortTillNotice } from '../parts/till-notice.ts'

type RefundList = {
  refunds: readonly RefundView[]
  /** How many are due, counted up to `mostCounted`. */
  due: number
  /** Those that the user has open. */
  tills: readonly TillView[]
  query: RefundsQuery
  url: string
  next: string | null
  faults: FormFaults
}

export const refundsPath = '/dashboard/refunds'
/** Due refunds are counted up to here. */
export const mostCounted = 1000

export function refundsView(session: Session, formats: Formats, shown: RefundList): Markup {
  const { refunds, due, query, url, next, faults } = shown
  const isDone = query.Status === 'done'
  const count = `${formats.number(due)}${due === mostCounted ? ' or more' : ''}`
  const tab = (status: string, label: string, isHere: boolean) =>
    html`<li><a${attributes({ href: `${refundsPath}?Status=${status}`, 'aria-current': isHere ? 'page' : undefined })}>${label}</a></li>`
  return html`${faultSummary(faults)}
<nav aria-label="Which refunds" class="no-print"><ul class="choices">${tab('due', `Due (${count})`, !isDone)}${tab('done', 'Done', isDone)}</ul></nav>
${isDone ? '' : html`${howTo}\n${lackingTill(shown)}`}
<div data-live id="refunds">
${refunds.length === 0 ? emptyState(isDone ? 'Nothing was paid back yet.' : 'Nothing is to be paid back.') : refundTable(session, formats, shown)}
${nextLink(url, next)}
</div>`
}

const howTo = html`<p class="hint">Pay the money back in cash, at the card terminal or by transfer. Then press “Paid back”. What was paid online you pay back at your payment provider: the refund is then marked here by itself.</p>`

/** One notice, for the first currency on the page without an open till. */
function lackingTill({ refunds, tills }: RefundList): Markup {
  const currencies = tills.map(({ Float }) => Float.Currency)
  const lacking = refunds.find(
    ({ RefundID, Refund }) => RefundID !== null && !currencies.includes(Refund.Currency),
  )
  const words = 'Cash that you pay back now is listed under cash outside of tills.'
  return lacking ? noTillNotice(currencies, lacking.Refund.Currency, words) : html``
}

function refundTable(session: Session, formats: Formats, { refunds, tills, query }: RefundList): Markup {
  const { timeZone } = session.user
  const isDone = query.Status === 'done'
  return table<RefundView>(
    isDone ? 'Refunds that are done' : 'Refunds that are due',
    [
      { head: 'Customer', cell: ({ Customer }) => customerCell(session, Customer) },
      { head: 'Sale', cell: saleCell },
      { head: 'Why', cell: ({ Reason }) => reasonText(Reason) },
      {
        head: 'Amount',
        numeric: true,
        cell: (refund) => amountCell(formats, refund),
      },
      {
        head: 'Kept',
        numeric: true,
        cell: ({ Kept }) => (Number(Kept.Amount) > 0 ? money(formats, Kept) : '–'),
      },
      {
        head: 'Paid by',
        cell: ({ PaidBy }) => PaidBy.map((method) => methodNames[method]).join(', ') || '–',
      },
      { head: 'Since', cell: ({ DecidedAt }) => formats.instant(DecidedAt, timeZone) },
      isDone
        ? { head: 'Paid back', cell: (refund) => doneText(formats, refund, timeZone) }
        : { head: 'Pay back', cell: (refund) => doneForm(session, formats, refund, tills) },
    ],
    refunds,
  )
}

/** The customer with phone number and e-mail address. */
function customerCell(session: Session, customer: RefundView['Customer']): Markup {
  const { Phone, Email } = customer
  const phone = Phone ? html`<br>${phoneLink(session, Phone)}` : ''
  const email = Email ? html`<br><a href="mailto:${Email}">${Email}</a>` : ''
  return html`${customerName(customer) || '–'}${phone}${email}`
}

function amountCell(formats: Formats, { Refund, PaidBack }: RefundView): Markup {
  const before = PaidBack
    ? html`<br><span class="hint">the rest; ${money(formats, PaidBack)} is paid back</span>`
    : ''
  return html`<strong>${money(formats, Refund)}</strong>${before}`
}

function saleCell({ BookingReference, BasketID, Source }: RefundView): Markup {
  if (BookingReference !== null) return bookingLink(BookingReference)
  const provided = Source === 'payment' ? html` ${badge('provider’s payment', 'accent')}` : ''
  return html`<a href="/dashboard/sell/${BasketID}">Sale ${BasketID}</a>${provided}`
}

function doneText(formats: Formats, { DoneAt, Method, Reference }: RefundView, timeZone: string): string {
  const parts = [DoneAt && formats.instant(DoneAt, timeZone), Method && methodNames[Method], Reference]
  return parts.filter(Boolean).join(', ')
}

/** An online refund waits for the provider’s event, unless the operator marks it. */
function doneForm(
  session: Session,
  formats: Formats,
  refund: RefundView,
  tills: readonly TillView[],
): Markup {
  const form = markForm(session, formats, refund, tills)
  const isOnline = refund.PaidBy.length === 1 && refund.PaidBy[0] === 'online'
  if (!isOnline) return form
  return html`<p>Pay it back at your payment provider. It is then marked here by itself.</p>
<details><summary>Mark it by hand</summary>${form}</details>`
}

/** Most refunds use the method of the payment, so it is preselected. “Online” needs an online payment. */
function markForm(
  session: Session,
  formats: Formats,
  refund: RefundView,
  tills: readonly TillView[],
): Markup {
  const { RefundID, BasketID, PaymentID, PaidBy, Refund } = refund
  const button = html`<button>Paid back<span class="unseen">: ${money(formats, Refund)}</span></button>`
  const amount = html`<input type="hidden" name="Amount" value="${Refund.Amount}">`
  if (RefundID === null) {
    const field = html`<input type="hidden" name="PaymentID" value="${PaymentID ?? ''}">${amount}`
    return postForm(session, `${refundsPath}/payments/${BasketID}`, html`${field}${button}`, {
      class: 'inline',
    })
  }
  const options = paymentMethods
    .filter((method) => method !== 'online' || PaidBy.includes(method))
    .map(
      (method) =>
        html`<option${attributes({ value: method, selected: method === (PaidBy[0] ?? 'cash') })}>${methodNames[method]}</option>`,
    )
  const reference = attributes({
    ...{ name: 'Reference', maxlength: 255, autocomplete: 'off', placeholder: 'Reference' },
    ...{ 'aria-label': 'Reference, such as the terminal’s receipt' },
  })
  return postForm(
    session,
    `${refundsPath}/${RefundID}/done`,
    html`${amount}
<select name="Method" aria-label="How it was paid back">${options}</select>
${shortTillNotice(formats, tills, Refund)}
<input${reference}> ${button}`,
    { class: 'filters' },
  )
}
