/** The page of a booking: its data, actions and history. Pure. */
import { testBookingDays } from '../../accounts/model.ts'
import type { ProductQuestion } from '../../catalogue/products/service.ts'
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
import { faultSummary, postForm, type ShownForm } from '../frame/forms.ts'
import { badge } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { answersPart } from '../parts/answers.ts'
import { attendanceBadge, attendanceButtons } from '../parts/attendance.ts'
import { channelBadge, customerName, partyName, statusBadge, whenOf } from '../parts/booking-words.ts'
import { heldSale } from '../parts/held-actions.ts'
import type { HistoryNames } from '../parts/history-words.ts'
import { entryActions, entryStatus, isUnpaid } from '../parts/offer.ts'
import { money, partyText, reductionRows, totalText, unitPrices } from '../parts/party-words.ts'
import { balanceText, isOwed } from '../parts/payment-words.ts'
import { phoneLink } from '../parts/phone-fields.ts'
import { bookingPath } from '../parts/subject.ts'
import { unusedPaymentsPart } from '../parts/unused-payments.ts'
import { amendForm } from './amend-form.ts'
import { historyPart } from './history-views.ts'
import { notesPart } from './note-views.ts'
import { paymentsPart } from './payment-views.ts'
import { refundsPart } from './refund-views.ts'
import { ticketsPart } from './ticket-views.ts'

export type Detail = {
  booking: BookingDetail
  /** The code of the promotion that reduced its sale. */
  code: string | null
  questions: readonly ProductQuestion[]
  /** The price list of its timeslot. */
  list: ShownPriceList | null
  /** The names that its history needs. */
  names: HistoryNames
  /** The ledger of its sale. */
  refunds: readonly LedgerRefund[]
  /** The provider's payments for its sale that bought nothing. */
  unused: readonly RefundView[]
  /** Its waitlist entry, if it has one. */
  entry: WaitlistEntryRow | null
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
<h2 id="booking-title">${t.say('booking.booking')}</h2>
${session.mode === 'test' ? testNote(t, booking, timeZone) : ''}${facts(session, t, detail)}
${session.user.role === 'owner' ? html`<p class="no-print"><a href="/dashboard/customers/${booking.BookingReference}">${t.say('booking.customer-data')}</a></p>` : ''}
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
  return html`<p>${badge(t.say('booking.test'), 'warn')} ${t.say('booking.test.about', { at: t.moment(deletedAt, timeZone) })}</p>`
}

/** What is still to be paid, which is asked before anything else, and the way to the form that takes it. */
function owedLink(t: Texts, { Ledger, Status }: BookingDetail): Markup {
  if (Status !== 'confirmed' || !isOwed(Ledger)) return html``
  return html`${badge(balanceText(t, Ledger!.Balance), 'warn')} <a class="no-print" href="#take-payment">${t.say('payments.take-one')}</a>`
}

/** A partner's sale is paid to the partner, and has no receipt here. */
function basketCell(t: Texts, { BasketID, Channel }: BookingDetail): Markup {
  const receipt = html` · <a href="/dashboard/sell/${BasketID}/receipt">${t.say('booking.receipt')}</a>`
  return Channel === 'partner'
    ? html`${BasketID}`
    : html`<a href="/dashboard/sell/${BasketID}">${BasketID}</a>${receipt}`
}

function facts(session: Session, t: Texts, { booking, code }: Detail): Markup {
  const { timeZone } = session.user
  const { Customer, Partner, Channel } = booking
  const prices = unitPrices(t, booking)
  const rows: [string, Markup | string][] = [
    [
      t.say('word.status'),
      html`${statusBadge(t, booking.Status)} ${attendanceBadge(t, booking)} ${owedLink(t, booking)}`,
    ],
    [t.say('word.product'), booking.ProductName],
    [
      t.say('bookings.takes-place'),
      html`<a href="/dashboard/calendar/timeslots/${booking.TimeslotID}">${whenOf(t, booking)}</a>`,
    ],
    [t.say('word.party'), partyText(t, booking)],
    ...(prices.length > 0 ? [[t.say('booking.prices'), prices.join(', ')] as [string, string]] : []),
    ...reductionRows(t, booking, code),
    [t.say('bookings.total'), totalText(t, booking)],
    [t.say('word.customer'), partyName(t, Customer)],
    [
      t.say('booking.email'),
      Customer.Email ? html`<a href="mailto:${Customer.Email}">${Customer.Email}</a>` : '–',
    ],
    [t.say('booking.phone'), Customer.Phone ? phoneLink(session, Customer.Phone) : '–'],
    ...(booking.Notes ? [[t.say('booking.notes'), booking.Notes] as [string, string]] : []),
    [t.say('bookings.sold'), html`${channelBadge(t, Channel)} ${Partner?.Name ?? ''}`],
    [
      t.say(Channel === 'partner' ? 'booking.partner-reference' : 'booking.payment-reference'),
      booking.PaymentReference ?? '–',
    ],
    [t.say('booking.sale'), basketCell(t, booking)],
    [t.say('bookings.made'), t.moment(booking.CreatedAt, timeZone)],
    ...(booking.HeldUntil
      ? [[t.say('booking.held-until'), t.moment(booking.HeldUntil, timeZone)] as [string, string]]
      : []),
    ...(booking.Status === 'held'
      ? []
      : [
          [
            t.say('booking.confirmed'),
            booking.ConfirmedAt ? t.moment(booking.ConfirmedAt, timeZone) : t.say('booking.never'),
          ] as [string, string],
        ]),
  ]
  if (booking.CancelledAt)
    rows.push([
      t.say('booking.cancelled'),
      t.say('booking.cancelled.at', {
        at: t.moment(booking.CancelledAt, timeZone),
        reason: String(booking.CancelReason),
      }),
    ])
  // For the operator's own sale this is a decision. The refunds below show whether it was paid back.
  const refundName = t.say(Channel === 'partner' ? 'booking.partner-pays-back' : 'booking.refund-decided')
  if (booking.Refund) rows.push([refundName, money(t, booking.Refund)])
  if (booking.Owed) rows.push([t.say('booking.owed'), money(t, booking.Owed)])
  else if (Channel === 'partner') rows.push([t.say('booking.owed'), t.say('booking.owed.unknown')])
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

function actions(session: Session, t: Texts, detail: Detail): Markup {
  const { booking, list, again } = detail
  const amending = again?.form === 'amend' ? again : null
  const path = bookingPath(booking.BookingReference)
  const isConfirmed = booking.Status === 'confirmed'
  const isErased = booking.History.some(({ Action }) => Action === 'customer-erased')
  if (!allows(booking.Status, 'cancel')) return html``
  return html`<section data-live id="actions" class="panel no-print" aria-labelledby="actions-title">
<h2 id="actions-title">${t.say('booking.change')}</h2>
${isOffer(detail) ? '' : heldSale(session, t, booking)}
${isConfirmed ? attendanceForms(session, t, detail, `${path}/attendance`) : ''}
<p class="actions">
${isConfirmed ? html`<a class="button secondary" href="${path}/move">${t.say('booking.move')}</a>` : ''}
${isErased ? '' : html`<a class="button secondary" href="${path}/customer">${t.say('booking.customer-answers')}</a>`}
</p>
${isConfirmed ? amendForm(session, t, { booking, list, again: amending }) : ''}
${isConfirmed && booking.Customer.Email ? html`<div class="actions">${postForm(session, `${path}/resend`, html`<button class="secondary">${t.say('booking.resend')}</button>`, { class: 'inline' })}</div>` : ''}
<p class="actions"><a class="button danger" href="${path}/cancel">${t.say('cancel.title')}</a></p>
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
