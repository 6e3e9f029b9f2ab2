/** The panel with the held places of a sale, on the pages of the customer and of the payment. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import { shortFormats } from '../../languages/short-formats.ts'
import type { Texts } from '../../languages/texts.ts'
import { dateIn } from '../../platform/text/calendar.ts'
import type { Price } from '../../platform/text/money.ts'
import type { DescribedBasket } from '../../sales/basket/description.ts'
import { attributes, postForm } from '../frame/forms.ts'
import { badge } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { canExtend } from '../parts/held-actions.ts'
import { money, partyText } from '../parts/party-words.ts'
import { lineActions, lineView } from './line-views.ts'
import { formButton } from './reduction-views.ts'

/** The amount to pay. */
export function toPay(t: Texts, price: Price | null): Markup {
  return price ? html`<p>${toPayText(t, price)}</p>` : html``
}

export function toPayText(t: Texts, price: Price | null): Markup {
  return price ? markupOf(t, 'sell.to-pay', { amount: money(t, price) }) : html``
}

type HeldPart = {
  /**
   * The reductions and the amount to pay, as they are shown. `due` is the amount alone; `now` is in
   * milliseconds.
   */
  price: Markup
  due: Price | null
  now: number
  /** Whether the panel is open on a phone, because a field in it has a fault. */
  isOpen?: boolean
  /** The form to which the buttons belong; without one, each button has its own form. */
  form?: string
}

/**
 * The held places, the end of the hold, and the buttons that extend or release the hold. On a phone, the
 * panel is folded, and the user opens it by its summary.
 */
export function heldPart(
  session: Session,
  t: Texts,
  { basket, lines }: DescribedBasket,
  { price, due, now, isOpen = false, form }: HeldPart,
): Markup {
  const { BasketID, ExpiresAt } = basket
  const path = `/dashboard/sell/${BasketID}`
  const isOnly = lines.length === 1
  const until = ExpiresAt ? untilText(t, ExpiresAt, session.user.timeZone, now) : ''
  return html`<section class="panel held" aria-label="${t.say('sell.held.label')}">
<details id="what-is-held"${attributes({ open: isOpen })}><summary>${shortText(t, lines, due)}</summary>
<ul>${lines.map(({ line }) => html`<li>${lineView(t, line, { isOnly })}${basket.Status === 'open' ? lineActions(session, t, { basketId: BasketID, line, isOnly, form }) : ''}</li>`)}</ul>
${price}
${
  basket.Status === 'open'
    ? html`<p>${markupOf(t, 'sell.held.until-time', { badge: badge(t.say('sell.held'), 'good'), until })}</p>
<div class="actions">${canExtend(basket) ? longerButton(session, t, `${path}/extend`, form) : ''}
${postForm(session, `${path}/release`, html`<button class="secondary">${t.say('held.release')}</button>`, { class: 'inline', question: t.say('held.release.question') })}</div>`
    : html`<p>${badge(t.say('sell.held.over'), 'warn')} ${t.say('sell.held.over.hint')}</p>`
}
</details></section>`
}

/**
 * The button that extends the hold. Without `form`, it has a form of its own, which returns to the page of
 * the payment.
 */
function longerButton(session: Session, t: Texts, action: string, form: string | undefined): Markup {
  if (form !== undefined) return formButton(form, action, t.say('held.longer'))
  const fields = html`<input type="hidden" name="Back" value="pay"><button class="secondary">${t.say('held.longer')}</button>`
  return postForm(session, action, fields, { class: 'inline' })
}

/**
 * The summary of the held places: `2 × Adult, Kayak, Fri 27 Nov, 13:00 · €25.00`. If the sale has several
 * lines, only their number and the amount.
 */
function shortText(t: Texts, lines: DescribedBasket['lines'], due: Price | null): string {
  const [first] = lines
  if (!first) return t.say('sell.held.label')
  const { Date: date, Time, OpeningHours, ProductName } = first.line
  const day = shortFormats(t).day(date)
  const what =
    lines.length > 1
      ? t.say('sell.held.lines', { count: lines.length })
      : [partyText(t, first.line), ProductName, day, ...(OpeningHours?.length ? [] : [t.clock(Time)])].join(
          ', ',
        )
  return due ? `${what} · ${money(t, due)}` : what
}

/** The end of a hold: `11:53, 12 min left`. If the hold does not end today, only the date and the time. */
function untilText(t: Texts, expiresAt: string, timeZone: string, now: number): Markup {
  const isToday = dateIn(timeZone, new Date(expiresAt)) === dateIn(timeZone, new Date(now))
  const minutes = Math.ceil((Date.parse(expiresAt) - now) / 60_000)
  const time = isToday ? t.clockAt(expiresAt, timeZone) : t.moment(expiresAt, timeZone)
  const left = isToday && minutes > 0 ? `, ${t.say('sell.held.left', { time: t.duration(minutes) })}` : ''
  return html`<time datetime="${expiresAt}">${time}</time>${left}`
}
