/** The printed manifest of a departure: parties, contact data, answers, and boxes to tick. Pure. */
import type { ProductQuestion } from '../../catalogue/products/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import type { TicketView } from '../../sales/ticket/schemas.ts'
import { emptyState } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { answersOf } from '../parts/answers.ts'
import { attendanceBadge, hereText } from '../parts/attendance.ts'
import { customerName, partyName } from '../parts/booking-words.ts'
import { partyText } from '../parts/party-words.ts'
import { phoneLink } from '../parts/phone-fields.ts'
import { printButton } from '../parts/print-button.ts'
import { bookingLink } from '../parts/subject.ts'
import type { Departure } from './departures.ts'
import { figuresOf } from './views.ts'

export type Manifest = {
  departure: Departure
  questions: readonly ProductQuestion[]
  /** Of all its parties. */
  tickets: readonly TicketView[]
  /** The balances of their sales, by reference. */
  owed: ReadonlyMap<string, Markup>
  isCut: boolean
  printedAt: string
}

export function manifestView(session: Session, t: Texts, manifest: Manifest): Markup {
  const { departure, isCut, printedAt } = manifest
  const { slot, parties, people: count, peopleHere } = departure
  const here = hereText(t, { PeopleHere: peopleHere, Participants: count })
  return html`<p class="no-print"><a href="/dashboard/today?Date=${slot.date}">${t.say('manifest.back')}</a></p>
${printButton(t)}
<p>${t.say('manifest.summary', { people: t.people(count), here, figures: figuresOf(t, slot) })}</p>
<p class="hint">${t.say('manifest.as-of', { at: printedAt })}</p>
${isCut ? html`<p class="fault">${t.say('manifest.cut')}</p>` : ''}
${parties.length === 0 ? emptyState(t.say('manifest.nobody')) : html`<ul class="parties manifest">${parties.map((party) => manifestItem(session, t, manifest, party))}</ul>`}`
}

function manifestItem(
  session: Session,
  t: Texts,
  { questions, tickets, owed }: Manifest,
  party: BookingRecord,
): Markup {
  const { BookingReference, Customer, Partner, PaymentReference, Notes, InternalNotes } = party
  const own = tickets.filter((ticket) => ticket.BookingReference === BookingReference)
  const more = [Partner?.Name, PaymentReference].filter(Boolean).join(' ')
  return html`<li><span class="tick" aria-hidden="true"></span>
<div class="who"><strong>${partyName(t, Customer)}</strong>, ${partyText(t, party)} ${attendanceBadge(t, party)} ${owed.get(BookingReference) ?? ''}
<div class="hint">${bookingLink(BookingReference)}${Customer.Phone ? html` · ${phoneLink(session, Customer.Phone)}` : ''}${more ? html` · ${more}` : ''}</div>
${Notes ? html`<div>${Notes}</div>` : ''}${InternalNotes ? html`<div class="own-lines">${InternalNotes}</div>` : ''}${answersOf(t, questions, party)}
${own.length > 0 ? html`<ul class="answers tickets">${own.map((ticket) => ticketItem(t, ticket))}</ul>` : ''}</div></li>`
}

function ticketItem(t: Texts, { Number: number, Unit, Contact, Status }: TicketView): Markup {
  const name = Contact ? customerName(Contact) : ''
  const ticket = t.say('manifest.ticket', { number: t.number(number), unit: Unit.Name })
  const redeemed = Status === 'redeemed' ? t.say('manifest.redeemed') : ''
  return html`<li>${[ticket, name, redeemed].filter((text) => text !== '').join(', ')}</li>`
}
