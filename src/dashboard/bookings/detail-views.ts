/** The page of a booking: its data, actions and history. Pure. */
import { testBookingDays } from '../../accounts/model.ts'
import type { Product, ProductQuestion } from '../../catalogue/products/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { ShownPriceList } from '../../inventory/price-list.ts'
import type { Texts } from '../../languages/texts.ts'
import type { ChangeNotice } from '../../messaging/emails/previewing.ts'
import type { RefundPreview } from '../../sales/booking/changes/refund-preview.ts'
import type { BookingDetail } from '../../sales/booking/desk/schemas.ts'
import type { LedgerRefund } from '../../sales/ledger/queries.ts'
import type { RefundView } from '../../sales/ledger/refund-schemas.ts'
import type { NoteRow } from '../../sales/note/service.ts'
import type { TicketView } from '../../sales/ticket/schemas.ts'
import type { WaitlistEntryRow } from '../../sales/waitlist/service.ts'
import {
  checkboxField,
  type FormFaults,
  faultSummary,
  postForm,
  type ShownForm,
  textField,
  valueAt,
} from '../frame/forms.ts'
import { badge } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { answersPart } from '../parts/answers.ts'
import { attendanceBadge, attendanceButtons } from '../parts/attendance.ts'
import { channelBadge, customerName, partyName, statusBadge, whenOf } from '../parts/booking-words.ts'
import { heldSale } from '../parts/held-actions.ts'
import type { HistoryNames } from '../parts/history-words.ts'
import { entryActions, entryStatus, isUnpaid } from '../parts/offer.ts'
import { money, partyText, reductionRows, totalText, unitPrices } from '../parts/party-words.ts'
import { phoneLink } from '../parts/phone-fields.ts'
import { cancelRefundFields } from '../parts/refund-fields.ts'
import { bookingPath } from '../parts/subject.ts'
import { tellFields } from '../parts/tell-fields.ts'
import { unusedPaymentsPart } from '../parts/unused-payments.ts'
import { amendForm } from './amend-form.ts'
import { historyPart } from './history-views.ts'
import { notesPart } from './note-views.ts'
import { paymentsPart } from './payment-views.ts'
import { refundsPart } from './refund-views.ts'
import { ticketsPart } from './ticket-views.ts'

export type Detail = {
  booking: BookingDetail
  product: Product
  /** The code of the promotion that reduced its sale. */
  code: string | null
  questions: readonly ProductQuestion[]
  /** The price list of its timeslot. */
  list: ShownPriceList | null
  /** The names that its history needs. */
  names: HistoryNames
  /** The possible refunds if it were cancelled now. */
  refund: RefundPreview
  /** The ledger of its sale. */
  refunds: readonly LedgerRefund[]
  /** The provider's payments for its sale that bought nothing. */
  unused: readonly RefundView[]
  /** Its waitlist entry, if it has one. */
  entry: WaitlistEntryRow | null
  /** The e-mail that its customer would get if it were cancelled now; null if there is none. */
  notice: ChangeNotice | null
  /** The internal notes on it. */
  note: NoteRow | null
  /** Empty until they are made. */
  tickets: readonly TicketView[]
  /** The currencies of the user's open tills. */
  tills: readonly string[]
  /** The form to show again, named by the last part of its address. */
  again: (ShownForm & { form: string; slug: string; available?: number | null }) | null
  now: number
}

export function detailView(session: Session, t: Texts, detail: Detail): Markup {
  const { booking, questions, again, names, tickets, note } = detail
  const { timeZone } = session.user
  return html`${faultSummary(again?.faults ?? null)}
<div class="columns">
<section data-live id="booking" aria-labelledby="booking-title">
<h2 id="booking-title">Booking</h2>
${session.mode === 'test' ? testNote(t, booking, timeZone) : ''}${facts(session, t, detail)}
${session.user.role === 'owner' ? html`<p class="no-print"><a href="/dashboard/customers/${booking.BookingReference}">Customer’s data</a></p>` : ''}
</section>
${offerPart(session, t, detail)}
${actions(session, t, detail)}
</div>
${answersPart(t, questions, booking)}
${notesPart(session, t, { booking, note, again })}
${paymentsPart(session, t, detail, again?.form === 'payments' ? again : null)}
${refundsPart(session, t, detail, again?.form === 'overpaid' ? again : null)}
${unusedPaymentsPart(t, timeZone, detail.unused)}
${ticketsPart(session, t, booking, tickets)}
${historyPart(t, booking, names, timeZone)}`
}

/** A day counts as 24 hours, like in the job that deletes them. */
function testNote(t: Texts, { CreatedAt }: BookingDetail, timeZone: string): Markup {
  const deletedAt = new Date(Date.parse(CreatedAt) + testBookingDays * 24 * 3600 * 1000)
  return html`<p>${badge('test booking', 'warn')} It is deleted on ${t.moment(deletedAt, timeZone)}.</p>`
}

/** A partner's sale is paid to the partner, and has no receipt here. */
function basketCell({ BasketID, Channel }: BookingDetail): Markup {
  const receipt = html` · <a href="/dashboard/sell/${BasketID}/receipt">Receipt</a>`
  return Channel === 'partner'
    ? html`${BasketID}`
    : html`<a href="/dashboard/sell/${BasketID}">${BasketID}</a>${receipt}`
}

function facts(session: Session, t: Texts, { booking, code }: Detail): Markup {
  const { timeZone } = session.user
  const { Customer, Partner, Channel } = booking
  const prices = unitPrices(t, booking)
  const rows: [string, Markup | string][] = [
    ['Status', html`${statusBadge(t, booking.Status)} ${attendanceBadge(t, booking)}`],
    ['Product', booking.ProductName],
    ['Takes place', whenOf(t, booking)],
    ['Party', partyText(t, booking)],
    ...(prices.length > 0 ? [['Prices', prices.join(', ')] as [string, string]] : []),
    ...reductionRows(t, booking, code),
    ['Total', totalText(t, booking)],
    ['Customer', partyName(t, Customer)],
    ['E-mail', Customer.Email ? html`<a href="mailto:${Customer.Email}">${Customer.Email}</a>` : '–'],
    ['Phone', Customer.Phone ? phoneLink(session, Customer.Phone) : '–'],
    ...(booking.Notes ? [['Notes', booking.Notes] as [string, string]] : []),
    ['Sold', html`${channelBadge(t, Channel)} ${Partner?.Name ?? ''}`],
    ['Payment reference', booking.PaymentReference ?? '–'],
    ['Sale', basketCell(booking)],
    ['Made', t.moment(booking.CreatedAt, timeZone)],
    ...(booking.HeldUntil ? [['Held until', t.moment(booking.HeldUntil, timeZone)] as [string, string]] : []),
    ['Confirmed', booking.ConfirmedAt ? t.moment(booking.ConfirmedAt, timeZone) : 'Never'],
  ]
  if (booking.CancelledAt)
    rows.push(['Cancelled', `${t.moment(booking.CancelledAt, timeZone)} (${booking.CancelReason})`])
  // For the operator's own sale this is a decision. The refunds below show whether it was paid back.
  const refundName = Channel === 'partner' ? 'To be paid back' : 'Refund decided'
  if (booking.Refund) rows.push([refundName, money(t, booking.Refund)])
  if (booking.Owed) rows.push(['Owed by the partner', money(t, booking.Owed)])
  else if (Channel === 'partner') rows.push(['Owed by the partner', 'Not known: sold without partner terms'])
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

function actions(session: Session, t: Texts, detail: Detail): Markup {
  const { booking, list, again } = detail
  const amending = again?.form === 'amend' ? again : null
  const path = bookingPath(booking.BookingReference)
  const isConfirmed = booking.Status === 'confirmed'
  const isErased = booking.History.some(({ Action }) => Action === 'customer-erased')
  const canCancel = isConfirmed || booking.Status === 'held' || booking.Status === 'waitlisted'
  if (!canCancel) return html``
  return html`<section data-live id="actions" class="panel no-print" aria-labelledby="actions-title">
<h2 id="actions-title">Change it</h2>
${isOffer(detail) ? '' : heldSale(session, t, booking)}
${isConfirmed ? attendanceForms(session, t, booking, `${path}/attendance`) : ''}
<p class="actions">
${isConfirmed ? html`<a class="button secondary" href="${path}/move">Move</a>` : ''}
${isErased ? '' : html`<a class="button secondary" href="${path}/customer">Customer and answers</a>`}
</p>
${isConfirmed ? amendForm(session, t, { booking, list, again: amending }) : ''}
${isConfirmed && booking.Customer.Email ? postForm(session, `${path}/resend`, html`<button class="secondary">Send the confirmation again</button>`, { class: 'inline' }) : ''}
${cancelForm(session, t, detail, `${path}/cancel`)}
</section>`
}

/** Whether it is an unpaid offer of the waitlist. An offer that was taken in time is a normal held sale. */
function isOffer({ entry }: Detail): boolean {
  return entry !== null && isUnpaid(entry) && !(entry.status === 'taken' && entry.heldUntil)
}

/** The notice of places that are offered to a waiting party, until they are paid. */
function offerPart(session: Session, t: Texts, detail: Detail): Markup {
  const { entry } = detail
  if (!entry || !isOffer(detail)) return html``
  return html`<section data-live id="offer" class="panel no-print" aria-labelledby="offer-title">
<h2 id="offer-title">Offer of the waitlist</h2>
<p>${entryStatus(entry, t)}</p>
<div class="actions">${entryActions(session, t, entry)}</div>
</section>`
}

function attendanceForms(session: Session, t: Texts, booking: BookingDetail, action: string): Markup {
  const party = { ...booking, who: customerName(booking.Customer) }
  return html`<div class="actions">${attendanceButtons(session, t, party, { action, fields: html`` })}</div>`
}

function cancelForm(
  session: Session,
  t: Texts,
  { booking, product, refund, notice, again, now }: Detail,
  action: string,
): Markup {
  const mine = again?.form === 'cancel' ? again : null
  const faults: FormFaults = mine?.faults ?? null
  const cutoff = Date.parse(booking.StartsAt) - (product.cancelCutoffMinutes ?? 0) * 60_000
  const isLate = booking.Status === 'confirmed' && (now > cutoff || mine?.slug === 'cutoff-passed')
  const isChosen = (refund.own?.options.mostMinor ?? 0n) > 0n
  const chosen = isChosen ? { action: `${action}#cancel`, isShown: mine !== null } : undefined
  const override = { label: 'Cancel although the cutoff has passed', name: 'Override', faults }
  return html`<details id="cancel"${mine ? html` open` : ''}><summary>Cancel the booking</summary>
${postForm(
  session,
  action,
  html`${refund.byPartner ? html`<p>To be paid back if it is cancelled now: <strong>${money(t, refund.byPartner)}</strong></p>` : ''}
${refund.own ? cancelRefundFields(t, refund.own, mine) : ''}
${textField({ label: 'Reason, for the history', name: 'Reason', value: valueAt(mine?.values, 'Reason'), faults }, { maxlength: 1000 })}
${isLate ? checkboxField({ ...override, value: valueAt(mine?.values, 'Override') }) : ''}
${tellFields(session, t, { notice, trigger: 'booking-cancelled', given: valueAt(mine?.values, 'TellCustomer'), faults, chosen })}
<button class="danger">Cancel the booking</button>`,
  { question: `Cancel booking ${booking.BookingReference}? This cannot be undone.` },
)}</details>`
}
