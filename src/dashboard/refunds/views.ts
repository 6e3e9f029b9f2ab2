/** The list of refunds that are due or done. mark-views.ts has the pages of one. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { methodNames } from '../../sales/ledger/method-names.ts'
import type { RefundsQuery, RefundView } from '../../sales/ledger/refund-schemas.ts'
import type { TillView } from '../../sales/till/schemas.ts'
import { attributes } from '../frame/forms.ts'
import { badge, emptyState, nextLink, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { customerName } from '../parts/booking-words.ts'
import { money } from '../parts/party-words.ts'
import { phoneLink } from '../parts/phone-fields.ts'
import { reasonText } from '../parts/refund-words.ts'
import { bookingLink } from '../parts/subject.ts'
import { noTillNotice } from '../parts/till-notice.ts'

type RefundList = {
  refunds: readonly RefundView[]
  /** How many are due, counted up to `mostCounted`. */
  due: number
  /** Those that the user has open. */
  tills: readonly TillView[]
  query: RefundsQuery
  url: string
  next: string | null
}

export const refundsPath = '/dashboard/refunds'
/** Due refunds are counted up to here. */
export const mostCounted = 1000

export function refundsView(session: Session, t: Texts, shown: RefundList): Markup {
  const { refunds, due, query, url, next } = shown
  const isDone = query.Status === 'done'
  const count = `${t.number(due)}${due === mostCounted ? ' or more' : ''}`
  const tab = (status: string, label: string, isHere: boolean) =>
    html`<li><a${attributes({ href: `${refundsPath}?Status=${status}`, 'aria-current': isHere ? 'page' : undefined })}>${label}</a></li>`
  return html`<nav aria-label="Which refunds" class="no-print"><ul class="choices">${tab('due', `Due (${count})`, !isDone)}${tab('done', 'Done', isDone)}</ul></nav>
${isDone ? '' : html`${howTo}\n${lackingTill(t, shown)}`}
<div data-live id="refunds">
${refunds.length === 0 ? emptyState(isDone ? 'Nothing was paid back yet.' : 'Nothing is to be paid back.') : refundTable(session, t, shown)}
${nextLink(t, url, next)}
</div>`
}

const howTo = html`<p class="hint">Pay the money back in cash, at the card terminal or by transfer. Then press “Mark as paid back”. What was paid online you pay back at your payment provider: the refund is then marked here by itself.</p>`

/** One notice, for the first currency on the page without an open till. */
function lackingTill(t: Texts, { refunds, tills }: RefundList): Markup {
  const currencies = tills.map(({ Float }) => Float.Currency)
  const lacking = refunds.find(
    ({ RefundID, Refund }) => RefundID !== null && !currencies.includes(Refund.Currency),
  )
  const words = 'Cash that you pay back now is listed under cash outside of tills.'
  return lacking ? noTillNotice(t, currencies, lacking.Refund.Currency, words) : html``
}

function refundTable(session: Session, t: Texts, { refunds, query }: RefundList): Markup {
  const { timeZone } = session.user
  const isDone = query.Status === 'done'
  return table<RefundView>(
    isDone ? 'Refunds that are done' : 'Refunds that are due',
    [
      { head: 'Customer', onCard: 'line', cell: ({ Customer }) => customerCell(session, Customer) },
      { head: 'Sale', onCard: 'title', cell: saleCell },
      { head: 'Why', onCard: 'line', cell: ({ Reason }) => reasonText(t, Reason) },
      {
        head: 'Amount',
        numeric: true,
        onCard: 'side',
        cell: (refund) => amountCell(t, refund),
      },
      {
        head: 'Kept',
        numeric: true,
        onCard: 'hidden',
        cell: ({ Kept }) => (Number(Kept.Amount) > 0 ? money(t, Kept) : '–'),
      },
      { head: 'Paid by', onCard: 'line', cell: paidByCell },
      { head: 'Since', onCard: 'line', cell: ({ DecidedAt }) => t.moment(DecidedAt, timeZone) },
      isDone
        ? {
            head: 'Paid back',
            onCard: 'line',
            cell: (refund) => html`${doneText(t, refund, timeZone)} ${undoLink(t, refund)}`,
          }
        : { head: 'Pay back', onCard: 'line', cell: (refund) => payBackLink(t, refund) },
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

function amountCell(t: Texts, { Refund, PaidBack }: RefundView): Markup {
  const before = PaidBack
    ? html`<br><span class="hint">the rest; ${money(t, PaidBack)} is paid back</span>`
    : ''
  return html`<strong>${money(t, Refund)}</strong>${before}`
}

function saleCell({ BookingReference, BasketID, Source }: RefundView): Markup {
  if (BookingReference !== null) return bookingLink(BookingReference)
  const provided = Source === 'payment' ? html` ${badge('provider’s payment', 'accent')}` : ''
  return html`<a href="/dashboard/sell/${BasketID}">Sale ${BasketID}</a>${provided}`
}

function doneText(t: Texts, { DoneAt, Method, Reference }: RefundView, timeZone: string): string {
  const parts = [DoneAt && t.moment(DoneAt, timeZone), Method && methodNames[Method], Reference]
  return parts.filter(Boolean).join(', ')
}

/** The methods of the payment; for a provider's payment that bought nothing, with the provider's reference. */
function paidByCell({ PaidBy, PaymentReference }: RefundView): Markup {
  const methods = PaidBy.map((method) => methodNames[method]).join(', ') || '–'
  return html`${methods}${PaymentReference ? html`<br>${PaymentReference}` : ''}`
}

/** The page on which a refund is marked as paid back. */
export function refundPath({ RefundID, BasketID, PaymentID }: RefundView): string {
  if (RefundID !== null) return `${refundsPath}/${RefundID}`
  return `${refundsPath}/payments/${BasketID}/${encodeURIComponent(PaymentID ?? '')}`
}

function payBackLink(t: Texts, refund: RefundView): Markup {
  const unseen = html`<span class="unseen">: ${money(t, refund.Refund)}</span>`
  const link = html`<a class="button" href="${refundPath(refund)}">Mark as paid back${unseen}</a>`
  const isOnline = refund.PaidBy.length === 1 && refund.PaidBy[0] === 'online' && refund.Source === 'decision'
  if (!isOnline) return link
  return html`<p>Pay it back at your payment provider. It is then marked here by itself.</p>
<a href="${refundPath(refund)}">Mark it by hand${unseen}</a>`
}

function undoLink(t: Texts, refund: RefundView): Markup {
  return html`<a class="button secondary no-print" href="${refundPath(refund)}/undo">Undo<span class="unseen">: ${money(t, refund.Refund)}</span></a>`
}
