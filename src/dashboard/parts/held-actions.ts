/** The actions for a held sale, in the list of held sales and on the page of a booking. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import type { BasketView } from '../../sales/basket/schemas.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import { postForm } from '../frame/forms.ts'
import type { Session } from '../frame/session.ts'
import { customerName } from './booking-words.ts'
import { bookingPath } from './subject.ts'

/**
 * The page to return to after a form: `held` is the list of held sales, `pay` is the payment of the sale, and
 * other text is the reference of a booking. backPath() does not know `pay`: its caller must handle it first.
 */
export const backSchema = Type.Object({
  Back: Type.Optional(Type.String({ pattern: '^[0-9A-Za-z]{1,20}$' })),
})

export function backPath({ Back }: Static<typeof backSchema>): string | null {
  if (Back === undefined) return null
  return Back === 'held' ? '/dashboard/sell/held' : bookingPath(Back)
}

/** Whether the hold of an open sale can be extended: it has not reached its limit. */
export function canExtend({
  ExpiresAt,
  HoldLimitAt,
}: Pick<BasketView, 'ExpiresAt' | 'HoldLimitAt'>): boolean {
  return ExpiresAt !== null && HoldLimitAt !== null && Date.parse(ExpiresAt) < Date.parse(HoldLimitAt)
}

/**
 * `who` is the customer's name. Each button contains it as hidden text, because a screen reader may read a
 * button without its surroundings.
 */
type ShownSale = {
  BasketID: number
  who: string
  back: string
  /** Whether the hold can be extended: see canExtend(). */
  isExtendable: boolean
  /** Whether only the link to the sale is visible and the other actions are folded, as in a list. */
  isFolded?: boolean
}

export function heldActions(
  session: Session,
  t: Texts,
  { BasketID, who, back, isExtendable, isFolded = false }: ShownSale,
): Markup {
  const path = `/dashboard/sell/${BasketID}`
  const about = html`<span class="unseen"> ${who || t.say('held.sale', { id: String(BasketID) })}</span>`
  const button = (to: string, text: string, question?: string) =>
    postForm(
      session,
      path + to,
      html`<input type="hidden" name="Back" value="${back}"><button class="secondary">${text}${about}</button>`,
      { class: 'inline', ...(question && { question }) },
    )
  const more = html`<a class="button secondary" href="${path}/pay">${t.say('payments.take')}${about}</a>
${isExtendable ? button('/extend', t.say('held.longer')) : ''}
${button('/release', t.say('held.release'), t.say('held.release.question'))}`
  const others = isFolded
    ? html`<details id="more-${BasketID}"><summary>${t.say('held.more')}${about}</summary><div class="actions">${more}</div></details>`
    : more
  return html`<div class="actions"><a class="button" href="${path}">${t.say('held.resume')}${about}</a> ${others}</div>`
}

/** Whether the booking is held in one of the operator's own sales, and not in a partner's. */
export function isHeldHere({ Status, Channel }: Pick<BookingRecord, 'Status' | 'Channel'>): boolean {
  return Status === 'held' && Channel !== 'partner'
}

/** The actions for the sale that holds the places of a booking. Empty unless isHeldHere(). */
export function heldSale(session: Session, t: Texts, booking: BookingRecord, isExtendable: boolean): Markup {
  if (!isHeldHere(booking)) return html``
  const { BasketID, BookingReference, Customer } = booking
  const sale = { BasketID, who: customerName(Customer), back: BookingReference, isExtendable }
  return html`<p>${t.say('held.about')}</p>${heldActions(session, t, sale)}`
}
