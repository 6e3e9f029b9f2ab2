/** What a customer's page says of an offer, and what they can do about it. Pure. */
import { isTestAccount } from '../../accounts/model.ts'
import { hoursText } from '../../catalogue/opening-hours.ts'
import { faultSummary } from '../../http/form-markup.ts'
import { html, type Markup } from '../../http/pages.ts'
import { longDate } from '../../platform/text/local-time.ts'
import type { Price } from '../../platform/text/money.ts'
import type { DescribedLine } from '../basket/description.ts'
import { answersOfLines, knownAnswers, lineAnswerLabels, missingAnswers } from '../basket/line-answers.ts'
import type { BasketView } from '../basket/schemas.ts'
import { answerFields } from '../booking/answer-fields.ts'
import { boughtView, partyWords } from '../booking/bought-view.ts'
import { contactOf, sellerFooter } from '../business-details/model.ts'
import type { Seller } from '../business-details/service.ts'
import { paymentPageUrl } from '../payment-settings/model.ts'
import type { RefusedOffer } from './offer-form.ts'
import type { WaitlistEntryRow } from './service.ts'

export type ShownOffer = {
  entry: WaitlistEntryRow
  basket: BasketView
  /** What is held, with what is asked about each. */
  lines: readonly DescribedLine[]
  /** What is still to be paid of a sale that is completed; null when that is nothing. */
  owed: Price | null
  paymentPage: string | null
  seller: Seller
  token: string
  publicUrl: string
  /** The form that was sent and refused. */
  refused: RefusedOffer | null
}

export function offerView(shown: ShownOffer): Markup {
  const { entry, seller } = shown
  const bought = boughtView(entry)
  const when = entry.openingHours ? `, open ${hoursText(entry.openingHours)}` : ` at ${entry.time}`
  const test = html`<p><strong>This is a test: nothing is sold here.</strong></p>`
  return html`${isTestAccount(entry.accountId) ? test : ''}
<p>${longDate(entry.date)}${when}, ${partyWords(bought)}, ${moneyText(bought.Total)} in all.
Your reference is <strong>${entry.reference}</strong>, with <strong>${seller.name}</strong>.</p>
${standing(shown)}
${sellerFooter(seller)}`
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
  const { token, paymentPage, basket } = shown
  const [label, then] = costsNothing(shown)
    ? ['Book the places', 'There is nothing to pay.']
    : paymentPage
      ? ['Take the places', `You then pay ${moneyText(basket.Total!)}.`]
      : ['I want the places', `We then hold them for you to pay. ${howToPay(shown, basket.Total!)}`]
  return html`<p>The places are yours if you take them by ${untilText(shown, until)}. ${then}</p>
${takeForm(shown, label)}
${button(token, 'leave', 'Leave them to the next')}`
}

function toPay(shown: ShownOffer, until: Date): Markup {
  const { basket, lines, refused, paymentPage } = shown
  const held = html`<p>The places are held for you until ${untilText(shown, until)}. They are booked as soon as they are paid for.</p>`
  if (refused === null && missingAnswers(lines, knownAnswers(lines)).length === 0)
    return html`${held}\n${basket.Total ? payment(shown, basket.Total) : ''}`
  const label = paymentPage ? 'On to the payment' : 'Send the answers'
  return html`${held}\n<p>This is asked before the payment:</p>\n${takeForm(shown, label)}`
}

/** The button that takes the places, behind all that is asked about them. */
function takeForm({ lines, refused, token }: ShownOffer, label: string): Markup {
  const faults = refused && { ...refused.faults, labels: new Map(lineAnswerLabels(lines)) }
  const answers = refused?.answers ?? knownAnswers(lines)
  const fields = answersOfLines(lines, answers).map(({ line, questions, own, nth }) => {
    const { ProductName, Date: date, Time, Participants: participants } = line
    const asked = answerFields(questions, own, { participants, faults, nth })
    const heading = html`<h2>${ProductName}, ${longDate(date)} at ${Time}</h2>`
    return html`${questions.length > 0 && lines.length > 1 ? heading : ''}${asked}`
  })
  return html`${faultSummary(faults)}
<form method="post" action="/waitlist/${token}/take" class="fields"><input type="hidden" name="Described" value="true">
${fields}<button>${label}</button></form>`
}

/** The link leads to the operator's page; a form would be kept from leaving by the policy of the page. */
function payment(shown: ShownOffer, due: Price): Markup {
  const { token, paymentPage, basket, publicUrl } = shown
  if (!paymentPage) return html`<p>${howToPay(shown, due)}</p>`
  const { BasketID } = basket
  const url = paymentPageUrl(paymentPage, {
    BasketID,
    ...due,
    ReturnURL: `${publicUrl}/waitlist/${token}`,
  })
  return html`<p><a class="button" href="${url}">Pay ${moneyText(due)}</a></p>
<p>Have you paid? It can take a minute until we hear of it: <a href="/waitlist/${token}">look again</a> before you pay a second time.</p>`
}

function howToPay({ seller }: ShownOffer, due: Price): string {
  const contact = contactOf(seller)
  const pay = `Pay ${moneyText(due)} at the desk of ${seller.name}`
  return contact ? `${pay}, or ask how to: ${contact}.` : `${pay}.`
}

function ask({ seller }: ShownOffer): string {
  const contact = contactOf(seller)
  return `If you still want them, ask ${seller.name}${contact ? `: ${contact}` : ''}.`
}

/** What became of money that bought nothing. */
function moneyBack({ basket: { Status }, seller }: ShownOffer): Markup {
  if (Status === 'refund-due')
    return html`<p>Your payment could not buy these places. ${seller.name} pays it back.</p>`
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
