/** A waitlist entry and its offer in words, with the buttons for the staff. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { WaitlistEntryRow } from '../../sales/waitlist/service.ts'
import { postForm } from '../frame/forms.ts'
import { badge } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { partyName } from './booking-words.ts'

/** The state of an entry, when its hold expires, and whether its payment was declined. */
export function entryStatus(entry: WaitlistEntryRow, t: Texts): Markup {
  const isPaid = entry.bookingStatus === 'confirmed'
  const declined = entry.isDeclined && !isPaid ? html` ${badge(t.say('offer.state.declined'), 'warn')}` : ''
  return html`${entryState(entry, t)}${declined}`
}

function entryState(entry: WaitlistEntryRow, t: Texts): Markup {
  const { status, offerUntil, heldUntil, ahead, timeZone, email } = entry
  const until = (at: Date) => t.say('offer.state.until', { at: t.moment(at, timeZone) })
  if (status === 'waiting')
    return html`${badge(t.say('offer.state.waiting'))} ${ahead ? t.say('offer.state.ahead', { count: ahead }) : t.say('offer.state.first')}`
  if (status === 'offered' && offerUntil)
    return html`${badge(t.say('offer.state.offered'), 'accent')} ${until(offerUntil)}${email ? '' : html` <strong>${t.say('offer.state.by-phone')}</strong>`}`
  if (status === 'offered' || (status === 'expired' && entry.offeredAt))
    return badge(t.say('offer.state.ran-out'), 'warn')
  if (status !== 'taken' || entry.bookingStatus === 'confirmed') return badge(t.say(`offer.state.${status}`))
  if (heldUntil) return html`${badge(t.say('offer.state.to-pay'), 'accent')} ${until(heldUntil)}`
  return entry.bookingStatus === 'cancelled'
    ? badge(t.say('offer.state.cancelled'))
    : badge(t.say('offer.state.unpaid'), 'warn')
}

/**
 * Whether the staff may still sell the booking of an entry: it is held or has expired. This is also true for
 * an entry that expired before places were offered to it. False for an entry that waits or has left the
 * waitlist.
 */
export function isUnpaid({ status, bookingStatus }: WaitlistEntryRow): boolean {
  if (status === 'waiting' || status === 'left') return false
  return bookingStatus === 'held' || bookingStatus === 'expired'
}

/** The buttons of an entry that waits or for which isUnpaid() is true. Empty for any other entry. */
export function entryActions(session: Session, t: Texts, entry: WaitlistEntryRow): Markup {
  const { id, basketId, status, offerUntil, heldUntil } = entry
  const path = `/dashboard/calendar/waitlist/${id}`
  const name = partyName(t, { FirstName: entry.firstName, LastName: entry.lastName })
  const leave = (text: string, question: string) => {
    const button = html`<button class="secondary" aria-label="${t.say('offer.action.named', { action: text, name })}">${text}</button>`
    return postForm(session, `${path}/leave`, button, { class: 'inline', question })
  }
  if (status === 'waiting') return leave(t.say('word.remove'), t.say('offer.action.remove.question'))
  if (!isUnpaid(entry)) return html``
  const take = t.say('offer.action.take')
  if (offerUntil)
    return html`${postForm(session, `${path}/take`, html`<button aria-label="${t.say('offer.action.named', { action: take, name })}">${take}</button>`, { class: 'inline' })}
${leave(t.say('offer.action.decline'), t.say('offer.action.decline.question'))}`
  const label = t.say(heldUntil ? 'offer.action.pay' : 'offer.action.sell')
  return html`<a class="button secondary" href="/dashboard/sell/${basketId}/pay" aria-label="${t.say('offer.action.named', { action: label, name })}">${label}</a>`
}
