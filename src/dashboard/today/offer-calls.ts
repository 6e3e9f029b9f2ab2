/**
 * Parties of the waitlist that have an open offer but gave no e-mail address, so a user must call them. Pure.
 */
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import type { Texts } from '../../languages/texts.ts'
import { boughtView } from '../../sales/booking/bought-view.ts'
import type { WaitlistEntryRow } from '../../sales/waitlist/service.ts'
import type { Session } from '../frame/session.ts'
import { partyName } from '../parts/booking-words.ts'
import { partyText } from '../parts/party-words.ts'
import { phoneLink } from '../parts/phone-fields.ts'
import { dayAndTime } from '../parts/slot-words.ts'

/** The most parties that are named; a link leads to the others. */
export const maxToCall = 5

/**
 * @param entries the entries with an open offer and without an e-mail address. `maxToCall` + 1 entries mean
 * that there may be even more.
 */
export function offerCalls(session: Session, t: Texts, entries: readonly WaitlistEntryRow[]): Markup {
  const link = (words: Markup) => html`<a href="/dashboard/calendar/waitlist">${words}</a>`
  const lines = entries
    .slice(0, maxToCall)
    .map((entry) => html`<li>${markupOf(t, 'today.call', callOf(session, t, entry))}</li>`)
  const others =
    entries.length > maxToCall ? html`<li>${markupOf(t, 'today.call.others', { link })}</li>` : ''
  return html`<div data-live id="offer-calls" class="no-print">${
    lines.length > 0 ? html`<ul class="notice to-call">${lines}${others}</ul>` : ''
  }</div>`
}

function callOf(session: Session, t: Texts, entry: WaitlistEntryRow) {
  const { firstName, lastName, phone, timeslotId, offerUntil, timeZone } = entry
  return {
    name: partyName(t, { FirstName: firstName, LastName: lastName }),
    phone: phoneLink(session, phone!),
    party: partyText(t, boughtView(entry)),
    slot: `${entry.productName}, ${dayAndTime(t, entry)}`,
    until: t.moment(offerUntil!, timeZone),
    link: (words: Markup) =>
      html`<a href="/dashboard/calendar/timeslots/${timeslotId}#waitlist">${words}</a>`,
  }
}
