/** The tickets of a booking: units, holders and check-in. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import type { TicketView } from '../../sales/ticket/schemas.ts'
import { postForm } from '../frame/forms.ts'
import { badge, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { customerName } from '../parts/booking-words.ts'
import { shownPhone } from '../parts/phone-fields.ts'
import { bookingPath } from '../parts/subject.ts'

/** The section with the tickets of a booking. Empty if it has no tickets and cannot get any. */
export function ticketsPart(
  session: Session,
  t: Texts,
  booking: BookingRecord,
  tickets: readonly TicketView[],
): Markup {
  const isConfirmed = booking.Status === 'confirmed'
  if (tickets.length === 0 && !isConfirmed) return html``
  const path = `${bookingPath(booking.BookingReference)}/tickets`
  const print = html`<p class="no-print"><a href="${path}/print">${t.say('tickets.print')}</a></p>`
  const content =
    tickets.length === 0
      ? makeForm(session, t, path)
      : html`${ticketTable(session, t, tickets, isConfirmed ? path : null)}
${isConfirmed ? print : ''}`
  return html`<section data-live id="tickets" aria-labelledby="tickets-title"><h2 id="tickets-title">${t.say('tickets.title')}</h2>
${content}</section>`
}

function makeForm(session: Session, t: Texts, path: string): Markup {
  return html`<p class="hint">${t.say('tickets.about')}</p>
${postForm(session, path, html`<button class="secondary">${t.say('tickets.make')}</button>`, { class: 'inline no-print' })}`
}

/** @param path the path of the forms; null if the tickets can no longer be redeemed. */
function ticketTable(
  session: Session,
  t: Texts,
  tickets: readonly TicketView[],
  path: string | null,
): Markup {
  return table<TicketView>(
    t.say('tickets.list'),
    [
      { head: t.say('tickets.ticket'), cell: ({ Number: number }) => t.number(number) },
      { head: t.say('word.for'), cell: ({ Unit }) => Unit.Name },
      { head: t.say('tickets.contact'), cell: (ticket) => contactCell(session, ticket) },
      { head: t.say('word.status'), cell: (ticket) => statusCell(t, ticket, session.user.timeZone) },
      { head: t.say('tickets.code'), cell: ({ TicketID }) => html`<code>${TicketID}</code>` },
      { head: t.say('tickets.redeem'), cell: (ticket) => (path ? redeemForm(session, t, path, ticket) : '') },
    ],
    tickets,
  )
}

function contactCell(session: Session, { Contact }: TicketView): string {
  if (!Contact) return '–'
  const phone = Contact.Phone && shownPhone(session, Contact.Phone)
  return [customerName(Contact), Contact.Email, phone].filter(Boolean).join(', ')
}

function statusCell(t: Texts, { Status, RedeemedAt, VoidedAt }: TicketView, timeZone: string): Markup {
  if (Status === 'valid') return badge(t.say('tickets.status.valid'), 'good')
  const at = t.moment((Status === 'redeemed' ? RedeemedAt : VoidedAt)!, timeZone)
  return html`${badge(t.say(`tickets.status.${Status}`), Status === 'redeemed' ? 'accent' : 'quiet')} ${at}`
}

function redeemForm(
  session: Session,
  t: Texts,
  path: string,
  { TicketID, Number: number, Status }: TicketView,
): Markup {
  if (Status === 'void') return html``
  const isValid = Status === 'valid'
  const words = t.say(isValid ? 'tickets.redeem' : 'tickets.undo')
  return postForm(
    session,
    `${path}/${TicketID}/${isValid ? 'redeem' : 'undo-redeem'}`,
    html`<button class="secondary" aria-label="${t.say('tickets.action', { action: words, number: String(number) })}">${words}</button>`,
    { class: 'inline' },
  )
}
