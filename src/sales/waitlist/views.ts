/** What a customer's page says of an offer, and what they can do about it. Pure. */
import { isTestAccount } from '../../accounts/model.ts'
import { hoursText } from '../../catalogue/opening-hours.ts'
import { html, type Markup } from '../../http/pages.ts'
import { longDate } from '../../platform/text/local-time.ts'
import type { Price } from '../../platform/text/money.ts'
import type { BasketView } from '../basket/schemas.ts'
import { boughtView, unitsText } from '../booking/bought-view.ts'
import { paymentPageUrl } from '../payment-settings/model.ts'
import type { PaymentSettings } from '../payment-settings/service.ts'
import type { WaitlistEntryRow } from './service.ts'

export type ShownOffer = {
  entry: WaitlistEntryRow
  basket: BasketView
  /** What is still to be paid of a sale that is completed; null when that is nothing. */
  owed: Price | null
  settings: PaymentSettings & { accountName: string }
  token: string
  publicUrl: string
}

export function offerView(shown: ShownOffer): Markup {
  const { entry } = shown
  const { Units, Total } = boughtView(entry)
  const who = entry.units
    ? unitsText(Units)
    : `${entry.participants} ${entry.participants === 1 ? 'place' : 'places'}`
  const when = entry.openingHours ? `, open ${hoursText(entry.openingHours)}` : ` at ${entry.time}`
  const test = html`<p><strong>This is a test: nothing is sold here.</strong></p>`
  return html`${isTestAccount(entry.accountId) ? test : ''}
<p>${longDate(entry.date)}${when}, ${who}, ${moneyText(Total)} in all.
Your reference is <strong>${entry.reference}</strong>.</p>
${standing(shown)}`
}

function standing(shown: ShownOffer): Markup {
  const { entry, token } = shown
  const { status, bookingStatus, offerUntil } = entry
  if (status === 'waiting')
    return html`<p>You are on the waitlist. We will write to you when places become free.</p>
${button(token, 'leave', 'Leave the waitlist')}`
  if (status === 'left') return html`<p>You have left the waitlist.</p>`
  if (status === 'offered' && offerUntil) return offered(shown, offerUntil)
  if (status !== 'taken')
    return html`<p>This offer is over: its time ran out.</p>
${moneyBack(shown)}`
  if (bookingStatus === 'confirmed') return booked(shown)
  if (bookingStatus === 'held' && entry.heldUntil) return toPay(shown, entry.heldUntil)
  if (bookingStatus === 'cancelled')
    return html`<p>This booking is cancelled.</p>
${moneyBack(shown)}`
  return html`<p>The time to pay has run out, and the places are no longer held for you. ${ask(shown)}</p>
${moneyBack(shown)}`
}

function booked(shown: ShownOffer): Markup {
  const { owed } = shown
  if (!owed)
    return html`<p><strong>${costsNothing(shown) ? '' : 'Paid. '}Your places are booked.</strong></p>`
  return html`<p><strong>Your places are booked.</strong> ${moneyText(owed)} is still to be paid.</p>
${payment(shown, owed)}`
}

function offered(shown: ShownOffer, until: Date): Markup {
  const { token, settings, basket } = shown
  const [label, then] = costsNothing(shown)
    ? ['Book the places', 'There is nothing to pay.']
    : settings.paymentPage
      ? ['Take the places', `You then pay ${moneyText(basket.Total!)}.`]
      : ['I want the places', `We then hold them for you to pay. ${howToPay(shown, basket.Total!)}`]
  return html`<p>The places are yours if you take them by ${untilText(shown, until)}. ${then}</p>
${button(token, 'take', label)}
${button(token, 'leave', 'Leave them to the next')}`
}

function toPay(shown: ShownOffer, until: Date): Markup {
  const { Total } = shown.basket
  return html`<p>The places are held for you until ${untilText(shown, until)}. They are booked as soon as they are paid for.</p>
${Total ? payment(shown, Total) : ''}`
}

/** The link leads to the operator's page; a form would be kept from leaving by the policy of the page. */
function payment(shown: ShownOffer, due: Price): Markup {
  const { token, settings, basket, publicUrl } = shown
  if (!settings.paymentPage) return html`<p>${howToPay(shown, due)}</p>`
  const { BasketID } = basket
  const url = paymentPageUrl(settings.paymentPage, {
    BasketID,
    ...due,
    ReturnURL: `${publicUrl}/waitlist/${token}`,
  })
  return html`<p><a class="button" href="${url}">Pay ${moneyText(due)}</a></p>
<p>Have you paid? It can take a minute until we hear of it: <a href="/waitlist/${token}">look again</a> before you pay a second time.</p>`
}

function howToPay({ settings: { accountName, contact } }: ShownOffer, due: Price): string {
  const pay = `Pay ${moneyText(due)} at the desk of ${accountName}`
  return contact ? `${pay}, or ask how to: ${contact}.` : `${pay}.`
}

function ask({ settings: { accountName, contact } }: ShownOffer): string {
  return `If you still want them, ask ${accountName}${contact ? `: ${contact}` : ''}.`
}

/** What became of money that bought nothing. */
function moneyBack({ basket: { Status }, settings: { accountName } }: ShownOffer): Markup {
  if (Status === 'refund-due')
    return html`<p>Your payment could not buy these places. ${accountName} pays it back.</p>`
  return Status === 'refunded' ? html`<p>Your payment was paid back.</p>` : html``
}

function costsNothing({ basket }: ShownOffer): boolean {
  return basket.Total !== null && Number(basket.Total.Amount) === 0
}

function button(token: string, action: 'take' | 'leave', label: string): Markup {
  return html`<form method="post" action="/waitlist/${token}/${action}"><button>${label}</button></form>`
}

function untilText({ entry: { timeZone } }: ShownOffer, until: Date): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone }).format(until)
}

function moneyText({ Amount, Currency }: Price): string {
  const format = new Intl.NumberFormat('en-GB', { style: 'currency', currency: Currency })
  return format.format(Amount as `${number}`)
}
