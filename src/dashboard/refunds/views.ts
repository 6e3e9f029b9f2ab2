/**
 * The list of refunds that are due or done. mark-views.ts has the pages of one refund, several-views.ts the
 * page for several refunds. Pure.
 */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { RefundsQuery, RefundView } from '../../sales/ledger/refund-schemas.ts'
import type { ShownMark } from '../../sales/ledger/undoing.ts'
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
import { refundPath, refundsPath } from './paths.ts'
import { canTick, tickBox, togetherForm } from './tick-views.ts'

type RefundList = {
  refunds: readonly RefundView[]
  /** For each done refund, whether the user can undo its mark as paid back. */
  marks: ReadonlyMap<RefundView, ShownMark>
  /** The number of due refunds, counted up to `maxCounted`. */
  due: number
  /** The user's open tills. */
  tills: readonly TillView[]
  query: RefundsQuery
  url: string
  next: string | null
}

/** The count of due refunds stops at this number. The page then says “or more”. */
export const maxCounted = 1000

export function refundsView(session: Session, t: Texts, shown: RefundList): Markup {
  const { refunds, due, query, url, next } = shown
  const isDone = query.Status === 'done'
  const count = { count: t.number(due) }
  const dueLabel = t.say(due === maxCounted ? 'refunds.due.more' : 'refunds.due', count)
  const tab = (status: string, label: string, isHere: boolean) =>
    html`<li><a${attributes({ href: `${refundsPath}?Status=${status}`, 'aria-current': isHere ? 'page' : undefined })}>${label}</a></li>`
  return html`<nav aria-label="${t.say('refunds.which')}" class="no-print"><ul class="choices">${tab('due', dueLabel, !isDone)}${tab('done', t.say('refunds.done'), isDone)}</ul></nav>
${isDone ? '' : html`<p class="hint">${t.say('refunds.how-to')}</p>\n${lackingTill(t, shown)}`}
<div data-live id="refunds">
${refunds.length === 0 ? emptyState(t.say(isDone ? 'refunds.none-done' : 'refunds.none-due')) : refundTable(session, t, shown)}
${canTick(shown) ? togetherForm(t) : ''}
${nextLink(t, url, next)}
</div>`
}

/**
 * A notice that the user has no open till in a currency of these refunds; it names the first such currency.
 * Payments that bought nothing are ignored, because they are not paid back in cash.
 */
function lackingTill(t: Texts, { refunds, tills }: RefundList): Markup {
  const currencies = tills.map(({ Float }) => Float.Currency)
  const lacking = refunds.find(
    ({ RefundID, Refund }) => RefundID !== null && !currencies.includes(Refund.Currency),
  )
  const words = t.say('refunds.outside')
  return lacking ? noTillNotice(t, currencies, lacking.Refund.Currency, words) : html``
}

function refundTable(session: Session, t: Texts, shown: RefundList): Markup {
  const { refunds, marks, query } = shown
  const { timeZone } = session.user
  const isTickable = canTick(shown)
  const isDone = query.Status === 'done'
  return table<RefundView>(
    t.say(isDone ? 'refunds.list.done' : 'refunds.list.due'),
    [
      {
        head: t.say('word.customer'),
        onCard: 'line',
        cell: ({ Customer }) => customerCell(session, Customer),
      },
      { head: t.say('refunds.sale'), onCard: 'title', cell: (refund) => saleCell(t, refund) },
      { head: t.say('word.why'), onCard: 'headed', cell: ({ Reason }) => reasonText(t, Reason) },
      {
        head: t.say('word.amount'),
        numeric: true,
        onCard: 'side',
        cell: (refund) => amountCell(t, refund),
      },
      {
        head: t.say('refunds.kept'),
        numeric: true,
        onCard: 'headed',
        cell: ({ Kept }) => (Number(Kept.Amount) > 0 ? money(t, Kept) : '–'),
      },
      { head: t.say('refunds.paid-by'), onCard: 'headed', cell: (refund) => paidByCell(t, refund) },
      {
        head: t.say('refunds.since'),
        onCard: 'headed',
        cell: ({ DecidedAt }) => t.moment(DecidedAt, timeZone),
      },
      isDone
        ? {
            head: t.say('refunds.paid-back'),
            onCard: 'headed',
            cell: (refund) =>
              html`${doneText(t, refund, timeZone)} ${undoLink(t, refund, marks.get(refund))}`,
          }
        : {
            head: t.say('refunds.pay-back'),
            onCard: 'line',
            cell: (refund) => html`${payBackLink(t, refund)}${isTickable ? tickBox(t, refund) : ''}`,
          },
    ],
    refunds,
  )
}

/** The customer with phone number and e-mail address. */
function customerCell(session: Session, customer: RefundView['Customer']): Markup {
  const { Phone, Email } = customer
  const phone = Phone ? html`<br>${phoneLink(session, Phone)}` : ''
  const email = Email ? html`<br><a href="mailto:${Email}">${Email}</a>` : ''
  return html`${customerName(customer) || '–'}<span class="links">${phone}${email}</span>`
}

/** The amount. For the rest of a payment, with the part that was paid back before. */
export function amountCell(t: Texts, { Refund, PaidBack }: RefundView): Markup {
  const before = PaidBack
    ? html`<br><span class="hint">${t.say('refunds.rest', { amount: money(t, PaidBack) })}</span>`
    : ''
  return html`<strong>${money(t, Refund)}</strong>${before}`
}

export function saleCell(t: Texts, { BookingReference, BasketID, Source }: RefundView): Markup {
  if (BookingReference !== null) return bookingLink(BookingReference)
  const provided = Source === 'payment' ? html` ${badge(t.say('refunds.provided'), 'accent')}` : ''
  return html`<a href="/dashboard/sell/${BasketID}">${t.say('refunds.sale-number', { id: String(BasketID) })}</a>${provided}`
}

function doneText(t: Texts, { DoneAt, Method, Reference }: RefundView, timeZone: string): string {
  const parts = [DoneAt && t.moment(DoneAt, timeZone), Method && t.say(`method-name.${Method}`), Reference]
  return parts.filter(Boolean).join(', ')
}

/** The methods of the payment; for a provider's payment that bought nothing, with the provider's reference. */
function paidByCell(t: Texts, { PaidBy, PaymentReference }: RefundView): Markup {
  const methods = PaidBy.map((method) => t.say(`method-name.${method}`)).join(', ') || '–'
  return html`${methods}${PaymentReference ? html`<br>${PaymentReference}` : ''}`
}

function payBackLink(t: Texts, refund: RefundView): Markup {
  const unseen = html`<span class="unseen">: ${money(t, refund.Refund)}</span>`
  const link = html`<a class="button" href="${refundPath(refund)}">${t.say('refunds.mark')}${unseen}</a>`
  const isOnline = refund.PaidBy.length === 1 && refund.PaidBy[0] === 'online' && refund.Source === 'decision'
  if (!isOnline) return link
  return html`<p>${t.say('refunds.at-provider')}</p>
<a href="${refundPath(refund)}">${t.say('refunds.mark-by-hand')}${unseen}</a>`
}

/** Empty if the mark cannot be undone, for example because the provider has made it. */
function undoLink(t: Texts, refund: RefundView, mark: ShownMark | undefined): Markup {
  if (!mark || mark.refusal) return html``
  return html`<a class="button secondary no-print" href="${refundPath(refund)}/undo">${t.say('refunds.undo')}<span class="unseen">: ${money(t, refund.Refund)}</span></a>`
}
