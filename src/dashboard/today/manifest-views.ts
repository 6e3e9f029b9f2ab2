/**
 * The manifest of a departure: a sheet to print, with a row and a box to tick for each party. On the screen,
 * each row has the buttons of the check-in. Pure.
 */
import type { ProductQuestion } from '../../catalogue/products/questions.ts'
import { html, type Markup } from '../../http/pages.ts'
import { defaultUnitAlias } from '../../inventory/price-list.ts'
import type { Texts } from '../../languages/texts.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import type { TicketView } from '../../sales/ticket/schemas.ts'
import { emptyState } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { attendanceBadge, attendanceButtons } from '../parts/attendance.ts'
import { customerName, partyName } from '../parts/booking-words.ts'
import { partyText } from '../parts/party-words.ts'
import { phoneLink } from '../parts/phone-fields.ts'
import { printButton } from '../parts/print-button.ts'
import { bookingLink } from '../parts/subject.ts'
import type { Departure } from './departures.ts'
import { manifestAnswers } from './manifest-answers.ts'
import { figuresOf } from './views.ts'

export type Manifest = {
  departure: Departure
  questions: readonly ProductQuestion[]
  /** The tickets of all parties. */
  tickets: readonly TicketView[]
  /** The balances of the parties' sales, by booking reference. */
  owed: ReadonlyMap<string, Markup>
  isCut: boolean
  today: string
  printedAt: string
}

export function manifestView(session: Session, t: Texts, manifest: Manifest): Markup {
  const { departure, isCut, printedAt } = manifest
  const { slot, parties } = departure
  return html`<p class="no-print"><a href="/dashboard/today?Date=${slot.date}">${t.say('manifest.back')}</a></p>
${totals(t, departure)}
<p class="hint">${t.say('manifest.summary', { figures: figuresOf(t, slot), at: printedAt })}</p>
${isCut ? html`<p class="fault">${t.say('manifest.cut')}</p>` : ''}
${parties.length === 0 ? emptyState(t.say('manifest.nobody')) : html`${printButton(t)}${sheet(session, t, manifest)}`}`
}

function totals(t: Texts, { parties, people, peopleHere, peopleAbsent }: Departure): Markup {
  const figures: [string, number][] = [
    [t.say('today.figure.parties'), parties.length],
    [t.say('today.figure.people'), people],
    ...countUnits(parties),
    [t.say('today.figure.here'), peopleHere],
    ...(peopleAbsent > 0 ? [[t.say('today.figure.no-shows'), peopleAbsent] as [string, number]] : []),
  ]
  return html`<dl class="figures">${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${t.number(value)}</dd></div>`)}</dl>`
}

/** The quantity of each unit in all parties. Empty for a product without units. */
function countUnits(parties: readonly BookingRecord[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const { UnitID, Name, Quantity } of parties.flatMap(({ Units = [] }) => Units))
    if (UnitID !== defaultUnitAlias) counts.set(Name, (counts.get(Name) ?? 0) + Quantity)
  return [...counts]
}

function sheet(session: Session, t: Texts, manifest: Manifest): Markup {
  const title = t.say('today.manifest')
  const heads = [
    t.say('manifest.party'),
    t.say('today.figure.people'),
    t.say('manifest.to-pay'),
    t.say('booking.notes'),
  ]
  return html`<div class="scroller sheet" role="region" aria-label="${title}" tabindex="0"><table role="table"><caption>${title}</caption>
<thead role="rowgroup"><tr role="row"><td role="cell" class="tick"></td>${heads.map((head) => html`<th role="columnheader" scope="col">${head}</th>`)}<th role="columnheader" scope="col" class="no-print">${t.say('attendance.check-in')}</th></tr></thead>
${manifest.departure.parties.map((party) => partyRows(session, t, manifest, party))}</table></div>`
}

/** The row of a party, and below it a row with its answers and tickets if it has any. */
function partyRows(session: Session, t: Texts, manifest: Manifest, party: BookingRecord): Markup {
  const { departure, questions, tickets, owed, today } = manifest
  const { BookingReference, Customer, Partner, PaymentReference, Notes, InternalNotes } = party
  const who = partyName(t, Customer)
  const own = tickets.filter((ticket) => ticket.BookingReference === BookingReference)
  const more = [Partner?.Name, PaymentReference].filter(Boolean).join(' ')
  const ofTickets =
    own.length > 0 ? html`<ul class="answers">${own.map((ticket) => ticketItem(t, ticket))}</ul>` : ''
  const details = html`${manifestAnswers(t, questions, party)}${ofTickets}`
  const hasDetails = details.text !== ''
  const span = hasDetails ? html` rowspan="2"` : ''
  const action = `/dashboard/today/${BookingReference}/attendance`
  const fields = html`<input type="hidden" name="Date" value="${departure.slot.date}"><input type="hidden" name="TimeslotID" value="${departure.slot.id}">`
  const notes = html`${Notes ? html`<div>${Notes}</div>` : ''}${InternalNotes ? html`<div class="own-lines">${InternalNotes}</div>` : ''}`
  const cell = (content: Markup | string) => html`<td role="cell">${content}</td>`
  return html`<tbody role="rowgroup" id="party-${BookingReference}"><tr role="row"><td role="cell" class="tick"${span}>☐</td>
<th role="rowheader" scope="row"${span}><strong>${who}</strong> ${attendanceBadge(t, party)}
<div class="hint">${bookingLink(BookingReference)}${Customer.Phone ? html` · ${phoneLink(session, Customer.Phone)}` : ''}${more ? html` · ${more}` : ''}</div></th>
${cell(partyText(t, party))}${cell(owed.get(BookingReference) ?? '')}${cell(notes)}
<td role="cell" class="no-print"><div class="attendance">${attendanceButtons(session, t, { ...party, who }, { action, fields, today })}</div></td></tr>
${hasDetails ? html`<tr role="row"><td role="cell" class="details" colspan="4">${details}</td></tr>` : ''}</tbody>
`
}

function ticketItem(t: Texts, { Number: number, Unit, Contact, Status }: TicketView): Markup {
  const name = Contact ? customerName(Contact) : ''
  const ticket = t.say('manifest.ticket', { number: t.number(number), unit: Unit.Name })
  const redeemed = Status === 'redeemed' ? t.say('manifest.redeemed') : ''
  return html`<li>${[ticket, name, redeemed].filter((text) => text !== '').join(', ')}</li>`
}
