/** The page that cancels a booking: the booking, the possible refunds, and the customer's e-mail. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import type { Texts } from '../../languages/texts.ts'
import type { ChangeNotice } from '../../messaging/emails/previewing.ts'
import type { RefundPreview } from '../../sales/booking/changes/refund-preview.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import { checkboxField, type ShownForm, textField, valueAt } from '../frame/form-fields.ts'
import { faultSummary, postForm } from '../frame/forms.ts'
import type { Session } from '../frame/session.ts'
import { attendanceBadge } from '../parts/attendance.ts'
import { partyName, statusBadge, whenOf } from '../parts/booking-words.ts'
import { money, partyText } from '../parts/party-words.ts'
import { cancelRefundFields } from '../parts/refund-fields.ts'
import { bookingPath } from '../parts/subject.ts'
import { tellFields } from '../parts/tell-fields.ts'

export type CancelPage = {
  booking: BookingRecord
  /** Whether the cutoff for cancelling has passed, so that an override is needed. */
  isLate: boolean
  /** The possible refunds. */
  refund: RefundPreview
  /** The e-mails to the customer, or why there is none; null unless the booking is confirmed. */
  notice: ChangeNotice | null
  /** The sent form, refused with faults or sent for a preview; null at first. */
  again: ShownForm | null
}

export function cancelView(session: Session, t: Texts, cancellation: CancelPage): Markup {
  const { booking, isLate, refund, notice, again } = cancellation
  const path = bookingPath(booking.BookingReference)
  const action = `${path}/cancel`
  const faults = again?.faults ?? null
  const hasChoice = (refund.own?.options.maxMinor ?? 0n) > 0n
  const chosen = hasChoice ? { action, isShown: again !== null } : undefined
  const override = { label: t.say('cancel.override'), name: 'Override', faults }
  const reason = { label: t.say('cancel.reason'), name: 'Reason', faults }
  return html`${faultSummary(faults)}
<dl class="facts"><div><dt>${t.say('word.product')}</dt><dd>${booking.ProductName}, ${whenOf(t, booking)}</dd></div>
<div><dt>${t.say('word.party')}</dt><dd>${partyName(t, booking.Customer)}, ${partyText(t, booking)}</dd></div>
<div><dt>${t.say('word.status')}</dt><dd>${statusBadge(t, booking.Status)} ${attendanceBadge(t, booking)}</dd></div></dl>
<p>${t.say('cancel.about')}</p>
${postForm(
  session,
  action,
  html`${refund.byPartner ? html`<p>${markupOf(t, 'cancel.pay-back', { amount: money(t, refund.byPartner) })}</p>` : ''}
${refund.own ? cancelRefundFields(t, refund.own, again) : ''}
${textField({ ...reason, value: valueAt(again?.values, 'Reason') }, { maxlength: 1000, rows: 2 })}
${isLate ? checkboxField({ ...override, value: valueAt(again?.values, 'Override') }) : ''}
${tellFields(session, t, { notice, trigger: 'booking-cancelled', given: valueAt(again?.values, 'TellCustomer'), faults, chosen })}
<p class="actions"><button class="danger">${t.say('cancel.title')}</button> <a href="${path}">${t.say('cancel.keep')}</a></p>`,
)}`
}
