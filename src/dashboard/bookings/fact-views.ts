/**
 * The facts of a booking: the facts that users need at the desk, and a folded list of further facts. Pure.
 */
import { testBookingDays } from '../../accounts/model.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { toMoney } from '../../platform/text/money.ts'
import type { BookingDetail } from '../../sales/booking/desk/schemas.ts'
import { badge } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { attendanceBadge } from '../parts/attendance.ts'
import { channelBadge, statusBadge, whenOf } from '../parts/booking-words.ts'
import { money, partyText, reductionRows, totalText, unitPrices } from '../parts/party-words.ts'
import { balanceText, isOwed } from '../parts/payment-words.ts'
import { phoneLink } from '../parts/phone-fields.ts'

/** The name and the value of a row. factList() leaves out rows without a value. */
type Fact = [name: string, value: Markup | string | null | undefined]

function factList(facts: readonly Fact[]): Markup {
  const known = facts.filter(([, value]) => value)
  return html`<dl class="facts">${known.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value!}</dd></div>`)}</dl>`
}

/**
 * The main facts of a booking, such as its status, time, party and prices, and its open balance. The customer's
 * name is in the title of the page.
 * @param code the code of the promotion that reduced the price of the sale; null if there was none.
 */
export function headPart(session: Session, t: Texts, booking: BookingDetail, code: string | null): Markup {
  const { timeZone } = session.user
  const { Customer, Status } = booking
  const { Email, Phone } = Customer
  const slot = html`<a href="/dashboard/calendar/timeslots/${booking.TimeslotID}">${whenOf(t, booking)}</a>`
  return html`<section data-live id="booking" aria-labelledby="booking-title">
<h2 id="booking-title">${t.say('booking.booking')} ${statusBadge(t, Status)} ${attendanceBadge(t, booking)}</h2>
${session.mode === 'test' ? testNote(t, booking, timeZone) : ''}${factList([
  [t.say('word.product'), booking.ProductName],
  [t.say('bookings.takes-place'), slot],
  [t.say('word.party'), partyText(t, booking)],
  [t.say('booking.prices'), unitPrices(t, booking).join(', ')],
  ...reductionRows(t, booking, code),
  [t.say('bookings.total'), totalText(t, booking)],
  [t.say('booking.phone'), Phone && phoneLink(session, Phone)],
  [t.say('booking.email'), Email && html`<a href="mailto:${Email}">${Email}</a>`],
  [t.say('booking.notes'), booking.Notes],
  [t.say('booking.held-until'), booking.HeldUntil && t.moment(booking.HeldUntil, timeZone)],
  [t.say('booking.cancelled'), cancelledText(t, booking, timeZone)],
])}${owedPart(t, booking)}
</section>`
}

/** Says when a test booking is deleted. A day counts as 24 hours, as in the job that deletes test bookings. */
function testNote(t: Texts, { CreatedAt }: BookingDetail, timeZone: string): Markup {
  const deletedAt = new Date(Date.parse(CreatedAt) + testBookingDays * 24 * 3600 * 1000)
  return html`<p>${badge(t.say('booking.test'), 'warn')} ${t.say('booking.test.about', { at: t.moment(deletedAt, timeZone) })}</p>`
}

function cancelledText(t: Texts, { CancelledAt, CancelReason }: BookingDetail, timeZone: string): string {
  if (!CancelledAt) return ''
  const at = t.moment(CancelledAt, timeZone)
  if (!CancelReason) return at
  return t.say('booking.cancelled.at', { at, reason: t.say(`booking.cancelled.${CancelReason}`) })
}

/**
 * The open balance, with a link to the form of a payment. Empty unless the booking is confirmed and its sale
 * owes money.
 */
function owedPart(t: Texts, { Ledger, Status }: BookingDetail): Markup {
  if (Status !== 'confirmed' || !isOwed(Ledger)) return html``
  return html`<p class="actions">${badge(balanceText(t, Ledger!.Balance), 'warn')} <a class="button no-print" href="#take-payment">${t.say('payments.take-one')}</a></p>`
}

/** How and when the booking was sold. Folded on the screen, but printed. */
export function aboutPart(session: Session, t: Texts, booking: BookingDetail): Markup {
  const { timeZone, role } = session.user
  const { Partner, Channel, Status, ConfirmedAt } = booking
  const isPartners = Channel === 'partner'
  const confirmed = ConfirmedAt ? t.moment(ConfirmedAt, timeZone) : t.say('booking.never')
  const reference = isPartners ? 'booking.partner-reference' : 'booking.payment-reference'
  return html`<section data-live id="about" aria-label="${t.say('booking.more')}"><details id="more-facts"><summary>${t.say('booking.more')}</summary>
${factList([
  [t.say('bookings.sold'), html`${channelBadge(t, Channel)} ${Partner?.Name ?? ''}`],
  [t.say(reference), booking.PaymentReference],
  [t.say('booking.sale'), saleCell(t, booking)],
  [t.say('bookings.made'), t.moment(booking.CreatedAt, timeZone)],
  [t.say('booking.confirmed'), Status === 'held' ? null : confirmed],
  // In the operator's own sale, this amount is the refund that was decided. The list of refunds on the page
  // shows whether it was paid back.
  [
    t.say(isPartners ? 'booking.partner-pays-back' : 'booking.refund-decided'),
    booking.Refund && money(t, booking.Refund),
  ],
  [t.say('booking.owed'), owedByPartner(t, booking)],
])}
${role === 'owner' ? html`<p class="no-print"><a href="/dashboard/customers/${booking.BookingReference}">${t.say('booking.customer-data')}</a></p>` : ''}
</details></section>`
}

/** The sale of the booking. A partner's sale has no link and no receipt, because the customer pays the partner. */
function saleCell(t: Texts, { BasketID, Channel }: BookingDetail): Markup {
  const receipt = html` · <a href="/dashboard/sell/${BasketID}/receipt">${t.say('booking.receipt')}</a>`
  return Channel === 'partner'
    ? html`${BasketID}`
    : html`<a href="/dashboard/sell/${BasketID}">${BasketID}</a>${receipt}`
}

/**
 * What the partner owes for the booking; null for the operator's own sale. Without partner terms, the amount is
 * known only if it is 0: the booking is not confirmed, or costs nothing.
 */
function owedByPartner(
  t: Texts,
  { Owed, Channel, Status, UnitPrice: { Currency }, ...booking }: BookingDetail,
): string | null {
  if (Owed) return money(t, Owed)
  if (Channel !== 'partner') return null
  const isUnknown = Status === 'confirmed' && Number(booking.Total?.Amount) !== 0
  return isUnknown ? t.say('booking.owed.unknown') : money(t, toMoney(0n, Currency))
}
