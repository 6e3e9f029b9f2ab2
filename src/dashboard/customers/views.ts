/** A customer's personal data: their bookings, the export, and the form that erases it. Pure. */
import type { CustomerBookings } from '../../customers/erasing.ts'
import type { CustomerIdentifier } from '../../customers/model.ts'
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import type { Texts } from '../../languages/texts.ts'
import { checkboxField } from '../frame/form-fields.ts'
import { type FormFaults, faultSummary, postForm } from '../frame/forms.ts'
import { badge, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { bookingLink, bookingPath } from '../parts/subject.ts'

type CustomerView = {
  reference: string
  who: CustomerIdentifier
  bookings: readonly CustomerBookings[]
  faults: FormFaults
}

const badgeOfPhase = { over: 'quiet', upcoming: 'good', pending: 'warn' } as const

export function customerView(
  session: Session,
  t: Texts,
  { reference, who, bookings, faults }: CustomerView,
): Markup {
  const path = `/dashboard/customers/${encodeURIComponent(reference)}`
  const back = html`<p><a href="${bookingPath(reference)}">${t.say('erase.back')}</a></p>`
  if (bookings.length === 0) return html`<p>${t.say('erase.is-erased')}</p>${back}`
  const isPending = bookings.some(({ phase }) => phase === 'pending')
  const hasUpcoming = bookings.some(({ phase }) => phase === 'upcoming')
  const known = who.email ?? who.phone ?? t.say('erase.only-booking')
  return html`${faultSummary(faults)}
<p>${markupOf(t, 'erase.known', { known })}</p>
${table<CustomerBookings>(
  t.say('erase.list'),
  [
    { head: t.say('booking.booking'), cell: (booking) => bookingLink(booking.reference) },
    {
      head: t.say('erase.it-is'),
      cell: ({ phase }) => badge(t.say(`erase.${phase}`), badgeOfPhase[phase]),
    },
  ],
  bookings,
)}
<h2>${t.say('erase.hand-over')}</h2>
<p><a class="button secondary" href="${path}/data.json" download>${t.say('erase.download')}</a></p>
<h2>${t.say('erase.erase-title')}</h2>
<p>${t.say('erase.about')}</p>
${isPending ? html`<p class="hint">${t.say('erase.pending.first')}</p>` : eraseForm(session, t, `${path}/erase`, { hasUpcoming, faults })}
${back}`
}

function eraseForm(
  session: Session,
  t: Texts,
  action: string,
  { hasUpcoming, faults }: { hasUpcoming: boolean; faults: FormFaults },
): Markup {
  return postForm(
    session,
    action,
    html`${hasUpcoming ? checkboxField({ label: t.say('erase.upcoming.also'), name: 'EvenUpcoming', faults }) : ''}
<button class="danger">${t.say('erase.button')}</button>`,
    { question: t.say('erase.question') },
  )
}
