/** A waitlist offer in words, with the actions of the desk. Pure. */
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
  const declined = entry.isDeclined && !isPaid ? html` ${badge('payment declined', 'warn')}` : ''
  return html`${entryState(entry, t)}${declined}`
}

function entryState(entry: WaitlistEntryRow, t: Texts): Markup {
  const { status, offerUntil, heldUntil, ahead, timeZone } = entry
  const until = (at: Date) => html`until ${t.moment(at, timeZone)}`
  if (status === 'waiting') return html`${badge('waiting')} ${ahead ? `${ahead} ahead` : 'first in line'}`
  if (status === 'offered' && offerUntil) return html`${badge('offered', 'accent')} ${until(offerUntil)}`
  if (status === 'offered' || (status === 'expired' && entry.offeredAt)) return badge('offer ran out', 'warn')
  if (status !== 'taken' || entry.bookingStatus === 'confirmed') return badge(status)
  if (heldUntil) return html`${badge('taken, to be paid', 'accent')} ${until(heldUntil)}`
  return entry.bookingStatus === 'cancelled' ? badge('cancelled') : badge('time to pay ran out', 'warn')
}

/** Whether there is an offer that is neither paid nor ended. */
export function isUnpaid({ status, bookingStatus }: WaitlistEntryRow): boolean {
  if (status === 'waiting' || status === 'left') return false
  return bookingStatus === 'held' || bookingStatus === 'expired'
}

/** The buttons of an entry that waits or has an unpaid offer. */
export function entryActions(session: Session, entry: WaitlistEntryRow): Markup {
  const { id, basketId, status, offerUntil, heldUntil } = entry
  const path = `/dashboard/calendar/waitlist/${id}`
  const name = partyName({ FirstName: entry.firstName, LastName: entry.lastName })
  const leave = (text: string, question: string) => {
    const button = html`<button class="secondary" aria-label="${text} ${name}">${text}</button>`
    return postForm(session, `${path}/leave`, button, { class: 'inline', question })
  }
  if (status === 'waiting') return leave('Remove', 'Take this party off the waitlist?')
  if (!isUnpaid(entry)) return html``
  if (offerUntil)
    return html`${postForm(session, `${path}/take`, html`<button aria-label="Take and pay ${name}">Take and pay</button>`, { class: 'inline' })}
${leave('Decline', 'Give these places to the next who waits?')}`
  const label = heldUntil ? 'Pay' : 'Sell it if places are free'
  return html`<a class="button secondary" href="/dashboard/sell/${basketId}/pay" aria-label="${label} ${name}">${label}</a>`
}
