/**
 * The page that confirms a new party: the present and the new party with their prices, who leaves, the
 * refund, and the customer's e-mail. Pure.
 */
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import type { Texts } from '../../languages/texts.ts'
import type { ChangeNotice } from '../../messaging/emails/previewing.ts'
import { boughtView } from '../../sales/booking/bought-view.ts'
import type { PartyPreview } from '../../sales/booking/changes/previewing-party.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import type { PartyRequest } from '../../sales/booking/pricing.ts'
import { type ShownForm, valueAt } from '../frame/form-fields.ts'
import { type FormFaults, faultSummary, postForm } from '../frame/forms.ts'
import type { Session } from '../frame/session.ts'
import { hint } from '../frame/text-tags.ts'
import { whenOf } from '../parts/booking-words.ts'
import { hiddenParty } from '../parts/party-fields.ts'
import { money, partyText } from '../parts/party-words.ts'
import { knownRefundFields, namedRefund, undecidedHint } from '../parts/refund-fields.ts'
import { bookingPath } from '../parts/subject.ts'
import { tellFields } from '../parts/tell-fields.ts'
import { type Leaving, leavingFields, leavingLabels } from './leaving-fields.ts'

/** Faults with the labels of the page's fields. */
export function namedAmend(t: Texts, faults: NonNullable<FormFaults>): NonNullable<FormFaults> {
  return namedRefund(t, { ...faults, labels: leavingLabels(t) })
}

type ChangedParty = {
  booking: BookingRecord
  /** The new party that the user requested. */
  party: PartyRequest
  preview: PartyPreview
  leaving: Leaving
  /**
   * If the party becomes larger: the required questions that the new party has not answered completely. Null
   * if there are none, or if the party does not become larger.
   */
  stillToAsk: string | null
  notice: ChangeNotice | null
  again: ShownForm | null
}

export function amendView(session: Session, t: Texts, change: ChangedParty): Markup {
  const { booking, party, preview, leaving, stillToAsk, notice, again } = change
  const path = bookingPath(booking.BookingReference)
  const faults = again?.faults ?? null
  const given = valueAt(again?.values, 'TellCustomer')
  const { bought, currency, fromMinor, toMinor } = preview
  const price = (minor: bigint) => t.amount(Number(minor), currency)
  const action = `${path}/amend`
  const chosen = maxBack(preview) > 0n ? { action, isShown: again !== null } : undefined
  return html`${faultSummary(faults)}
<p>${t.say('booking.what-when', { product: booking.ProductName, when: whenOf(t, booking) })}</p>
<dl class="facts"><div><dt>${t.say('amend.now')}</dt><dd>${partyText(t, booking)}, ${price(fromMinor)}</dd></div>
<div><dt>${t.say('amend.to')}</dt><dd><strong>${partyText(t, boughtView(bought))}, ${price(toMinor)}</strong></dd></div></dl>
${postForm(
  session,
  action,
  html`${hiddenParty(party)}
${leavingFields(t, leaving, again)}
${stillToAsk === null ? '' : html`<p class="to-ask">${markupOf(t, 'amend.still-to-ask', { questions: stillToAsk, hint })}</p>`}
${booking.Reduction ? html`<p class="hint">${t.say('amend.reduction', { amount: money(t, booking.Reduction) })}</p>` : ''}
${moneyPart(t, preview, again)}
${tellFields(session, t, { notice, trigger: 'booking-amended', given, faults, chosen })}
<p class="actions"><button>${t.say('amend.change')}</button> <a href="${path}#change-party">${t.say('amend.another')}</a></p>`,
)}`
}

function maxBack({ refund }: PartyPreview): bigint {
  return refund?.options.maxMinor ?? 0n
}

function moneyPart(t: Texts, preview: PartyPreview, again: ShownForm | null): Markup {
  const { currency, fromMinor, toMinor, refund, setOffMinor, owedMinor } = preview
  const text = (minor: bigint) => t.amount(Number(minor), currency)
  const paragraph = (words: string) => html`<p class="hint">${words}</p>`
  if (fromMinor === toMinor) return paragraph(t.say('amend.price-same'))
  if (owedMinor === null) return paragraph(t.say('amend.partner'))
  if (toMinor > fromMinor) {
    const first = setOffMinor > 0n ? t.say('amend.set-off', { amount: text(setOffMinor) }) : ''
    const owed = owedMinor > 0n ? t.say('amend.owed', { amount: text(owedMinor) }) : t.say('amend.nothing')
    return paragraph([first, owed].filter((sentence) => sentence !== '').join(' '))
  }
  if (refund && maxBack(preview) > 0n)
    return html`${undecidedHint(t, refund.undecidedMinor, currency)}${knownRefundFields(t, refund, t.say('refund.pay-back'), again)}`
  return paragraph(t.say('amend.none-back', { amount: text(owedMinor) }))
}
