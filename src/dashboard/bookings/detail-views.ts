/**
 * The page of a booking: main facts, waitlist offer and actions, then payments, answers, notes, refunds, unused
 * payments, tickets, further facts, history and e-mails. If the customer's data has been erased, the booking has
 * no answers and no notes, and users cannot add any. Pure.
 */
import type { ProductQuestion } from '../../catalogue/products/questions.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { ShownPriceList } from '../../inventory/price-list.ts'
import type { Texts } from '../../languages/texts.ts'
import { dateIn } from '../../platform/text/calendar.ts'
import { allows } from '../../sales/booking/changes/model.ts'
import type { BookingDetail } from '../../sales/booking/desk/schemas.ts'
import type { LedgerRefund } from '../../sales/ledger/queries.ts'
import type { RefundView } from '../../sales/ledger/refund-schemas.ts'
import type { NoteRow } from '../../sales/note/service.ts'
import type { TicketView } from '../../sales/ticket/schemas.ts'
import type { WaitlistEntryRow } from '../../sales/waitlist/service.ts'
import type { ShownForm } from '../frame/form-fields.ts'
import { faultSummary, postForm } from '../frame/forms.ts'
import type { Session } from '../frame/session.ts'
import { answersPart } from '../parts/answers.ts'
import { attendanceButtons } from '../parts/attendance.ts'
import { customerName } from '../parts/booking-words.ts'
import { heldSale } from '../parts/held-actions.ts'
import type { HistoryNames } from '../parts/history-words.ts'
import { entryActions, entryStatus, isUnpaid } from '../parts/offer.ts'
import { bookingPath } from '../parts/subject.ts'
import { unusedPaymentsPart } from '../parts/unused-payments.ts'
import { amendForm } from './amend-form.ts'
import { aboutPart, headPart } from './fact-views.ts'
import { historyPart } from './history-views.ts'
import { notesPart } from './note-views.ts'
import { paymentsPart } from './payment-views.ts'
import { refundsPart } from './refund-views.ts'
import { ticketsPart } from './ticket-views.ts'

export type Detail = {
  booking: BookingDetail
  /** The code of the promotion that reduced the price of the sale; null if there was none. */
  code: string | null
  questions: readonly ProductQuestion[]
  /** The price list of the booking's timeslot. */
  list: ShownPriceList | null
  /** The names that the history of the booking needs. */
  names: HistoryNames
  /** The refunds of the sale. */
  refunds: readonly LedgerRefund[]
  /** Payments for the sale that arrived from a provider, but paid for no booking. */
  unused: readonly RefundView[]
  /** The waitlist entry of the booking; null if there is none, or if the booking is confirmed. */
  entry: WaitlistEntryRow | null
  /** The internal notes on the booking. */
  note: NoteRow | null
  /** Empty until the tickets of the booking are made. */
  tickets: readonly TicketView[]
  /** Whether the hold of the booking's sale can be extended. False unless isHeldHere(). */
  isExtendable: boolean
  /** Whether the customer's data has been erased. It can then no longer be changed. */
  isErased: boolean
  /** The currencies of the user's open tills. */
  tills: readonly string[]
  /** The refused form, which the page shows again. `form` names it: see changeAndShow(). */
  again: (ShownForm & { form: string; slug: string; available?: number | null }) | null
  now: number
}

export function detailView(session: Session, t: Texts, detail: Detail): Markup {
  const { booking, questions, again, names, tickets, note, isErased } = detail
  const { timeZone } = session.user
  return html`${faultSummary(again?.faults ?? null)}
<div class="columns">
${headPart(session, t, booking, detail.code)}
${offerPart(session, t, detail)}
${actions(session, t, detail)}
</div>
${paymentsPart(session, t, detail, again?.form === 'payments' ? again : null)}
${answersPart(t, questions, booking, isErased)}
${notesPart(session, t, { booking, note, isErased, again })}
${refundsPart(session, t, detail, again?.form === 'overpaid' ? again : null)}
${unusedPaymentsPart(t, timeZone, detail.unused)}
${ticketsPart(session, t, booking, tickets)}
${aboutPart(session, t, booking)}
${historyPart(t, booking, names, timeZone)}`
}

function actions(session: Session, t: Texts, detail: Detail): Markup {
  const { booking, isErased, isExtendable } = detail
  const path = bookingPath(booking.BookingReference)
  const isConfirmed = booking.Status === 'confirmed'
  if (!allows(booking.Status, 'cancel')) return html``
  const link = (to: string, words: string, kind = 'secondary') =>
    html`<a class="button ${kind}" href="${path}/${to}">${words}</a>`
  const resend = html`<button class="secondary">${t.say('booking.resend')}</button>`
  return html`<section data-live id="actions" class="panel no-print" aria-labelledby="actions-title">
<h2 id="actions-title">${t.say('booking.change')}</h2>
${isOffer(detail) ? '' : heldSale(session, t, booking, isExtendable)}
${isConfirmed ? attendanceForms(session, t, detail, `${path}/attendance`) : ''}
<div class="actions">
${isConfirmed ? link('move', t.say('booking.move')) : ''}
${isErased ? '' : link('customer', t.say('booking.customer-answers'))}
${isConfirmed && booking.Customer.Email ? postForm(session, `${path}/resend`, resend, { class: 'inline' }) : ''}
${link('cancel', t.say('cancel.title'), 'danger')}
</div>
${isConfirmed ? partyPart(session, t, detail) : ''}
</section>`
}

/** The folded form that changes the party. Links lead to an element inside it, so that browsers open it. */
function partyPart(session: Session, t: Texts, { booking, list, again }: Detail): Markup {
  const amending = again?.form === 'amend' ? again : null
  return html`<details id="party-form"${amending ? html` open` : ''}><summary>${t.say('booking.change-party')}</summary>
<div id="change-party">${amendForm(session, t, { booking, list, again: amending })}</div></details>`
}

/**
 * Whether the booking is an unpaid offer of the waitlist. An accepted offer that is still held is a normal held
 * sale.
 */
function isOffer({ entry }: Detail): boolean {
  return entry !== null && isUnpaid(entry) && !(entry.status === 'taken' && entry.heldUntil)
}

/** The waitlist offer with its actions. Empty if there is no unpaid offer. */
function offerPart(session: Session, t: Texts, detail: Detail): Markup {
  const { entry } = detail
  if (!entry || !isOffer(detail)) return html``
  return html`<section data-live id="offer" class="panel no-print" aria-labelledby="offer-title">
<h2 id="offer-title">${t.say('booking.offer')}</h2>
<p>${entryStatus(entry, t)}</p>
<div class="actions">${entryActions(session, t, entry)}</div>
</section>`
}

function attendanceForms(session: Session, t: Texts, { booking, now }: Detail, action: string): Markup {
  const party = { ...booking, who: customerName(booking.Customer) }
  const today = dateIn(session.user.timeZone, new Date(now))
  return html`<div class="actions">${attendanceButtons(session, t, party, { action, fields: html``, today })}</div>`
}
