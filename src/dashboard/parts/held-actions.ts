/** What can be done with a sale that is held, from wherever it is found. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import { postForm } from '../frame/forms.ts'
import type { Session } from '../frame/session.ts'
import { customerName } from './booking-words.ts'
import { bookingPath } from './subject.ts'

/** Where a form was sent from, and leads back to: the list of held sales, or the booking of this reference. */
export const backSchema = Type.Object({
  Back: Type.Optional(Type.String({ pattern: '^[0-9A-Za-z]{1,20}$' })),
})

export function backPath({ Back }: Static<typeof backSchema>): string | null {
  if (Back === undefined) return null
  return Back === 'held' ? '/dashboard/sell/held' : bookingPath(Back)
}

/** @param who the customer, for those who cannot see beside whom a button stands. */
type ShownSale = { BasketID: number; who: string; back: string }

export function heldActions(session: Session, { BasketID, who, back }: ShownSale): Markup {
  const path = `/dashboard/sell/${BasketID}`
  const about = html`<span class="unseen"> ${who || `sale ${BasketID}`}</span>`
  const link = (to: string, text: string) =>
    html`<a class="button secondary" href="${path}${to}">${text}${about}</a>`
  const button = (to: string, text: string, question?: string) =>
    postForm(
      session,
      path + to,
      html`<input type="hidden" name="Back" value="${back}"><button class="secondary">${text}${about}</button>`,
      { class: 'inline', ...(question && { question }) },
    )
  return html`<div class="actions">${link('', 'Resume')} ${link('/pay', 'Take the payment')}
${button('/extend', 'Hold for longer')}
${button('/release', 'Let the places go', 'Let these places go? Anybody can have them then.')}</div>`
}

/** The way to the sale that holds the places of a booking; those of a reseller are the reseller's. */
export function heldSale(
  session: Session,
  { Status, Channel, BasketID, BookingReference, Customer }: BookingRecord,
): Markup {
  if (Status !== 'held' || Channel === 'partner') return html``
  const sale = { BasketID, who: customerName(Customer), back: BookingReference }
  return html`<p>Its places are held by a sale that is not paid yet.</p>${heldActions(session, sale)}`
}
