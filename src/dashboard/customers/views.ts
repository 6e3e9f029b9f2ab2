/** A customer's personal data: their bookings, the export, and the form that erases it. Pure. */
import type { CustomerStanding } from '../../customers/erasing.ts'
import type { Who } from '../../customers/model.ts'
import { html, type Markup } from '../../http/pages.ts'
import { checkboxField, type FormFaults, faultSummary, postForm } from '../frame/forms.ts'
import { badge, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { bookingLink, bookingPath } from '../parts/subject.ts'

type CustomerView = { reference: string; who: Who; bookings: readonly CustomerStanding[]; faults: FormFaults }

const standings = {
  over: badge('Over', 'quiet'),
  upcoming: badge('To come', 'good'),
  pending: badge('Held or waiting', 'warn'),
}

export function customerView(session: Session, { reference, who, bookings, faults }: CustomerView): Markup {
  const path = `/dashboard/customers/${encodeURIComponent(reference)}`
  const back = html`<p><a href="${bookingPath(reference)}">Back to the booking</a></p>`
  if (bookings.length === 0) return html`<p>Who the customer of this booking was is erased.</p>${back}`
  const comes = bookings.some(({ standing }) => standing === 'upcoming')
  const known = who.email ?? who.phone ?? 'nothing but this booking'
  return html`${faultSummary(faults)}
<p>This customer is known by <strong>${known}</strong>.</p>
${table<CustomerStanding>(
  'Bookings of the customer',
  [
    { head: 'Booking', cell: (booking) => bookingLink(booking.reference) },
    { head: 'It is', cell: ({ standing }) => standings[standing] },
  ],
  bookings,
)}
<h2>Hand it over</h2>
<p><a class="button secondary" href="${path}/data.json" download>Download all of it (JSON)</a></p>
<h2>Erase it</h2>
<p>Name, address, number, answers and what was noted in words go, from all these bookings and beside them. The bookings keep their reference, places, price and time, so that no total changes.</p>
${postForm(
  session,
  `${path}/erase`,
  html`${comes ? checkboxField({ label: 'Also bookings to come: they stay booked', name: 'EvenUpcoming', faults }) : ''}
<button class="danger">Erase the customer</button>`,
  { question: 'Erase this customer from all these bookings? Nobody can undo it.' },
)}
${back}`
}
