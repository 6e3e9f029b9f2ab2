/** The page of an offer: the state of the offer for its customer, and the customer's possible actions. Pure. */
import { isTestAccount } from '../../accounts/model.ts'
import { faultSummary } from '../../http/form-markup.ts'
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import type { TextKey } from '../../languages/keys.ts'
import type { Price } from '../../platform/text/money.ts'
import type { DescribedLine } from '../basket/description.ts'
import { answersOfLines, lineAnswerLabels, missingAnswers, storedAnswers } from '../basket/line-answers.ts'
import type { BasketView } from '../basket/schemas.ts'
import { answerFields } from '../booking/answer-fields.ts'
import { boughtView, partyWords } from '../booking/bought-view.ts'
import { linkContacts } from '../business-details/contact-links.ts'
import type { Reader } from '../business-details/customer-page.ts'
import { askWords, payWords, sellerFooter } from '../business-details/model.ts'
import type { Seller } from '../business-details/service.ts'
import { paymentPageUrl } from '../payment-settings/model.ts'
import type { RefusedOffer } from './offer-form.ts'
import type { WaitlistEntryRow } from './service.ts'

export type ShownOffer = {
  reader: Reader
  entry: WaitlistEntryRow
  basket: BasketView
  /** The lines of the basket that are not cancelled, each with its questions. */
  lines: readonly DescribedLine[]
  /** The balance of the sale if it is above 0, or else null. Only used after the sale is completed. */
  owed: Price | null
  /** Sentences about payments that bought nothing, and about refunds of the sale. */
  moneyBack: { unused: readonly string[]; refunds: readonly string[] }
  paymentPage: string | null
  seller: Seller
  /** The path of the page. */
  path: string
  publicUrl: string
  /** The form that was sent and refused. */
  refused: RefusedOffer | null
}

export function offerView(shown: ShownOffer): Markup {
  const { entry, seller } = shown
  const { t } = shown.reader
  return html`${isTestAccount(entry.accountId) ? paragraph(shown, 'offer.test') : ''}
<p>${summary(shown)}
${markupOf(t, 'offer.reference', { reference: entry.reference, seller: seller.name })}</p>
${statusParagraphs(shown)}
${sellerFooter(seller)}`
}

function summary({ reader: { t }, entry }: ShownOffer): string {
  const bought = boughtView(entry)
  const about = {
    date: t.date(entry.date),
    party: partyWords(bought, t.people),
    total: t.money(bought.Total),
  }
  if (!entry.openingHours)
    return t.say('offer.summary.at', { ...about, when: t.say('when.time', { time: t.time(entry.time) }) })
  const when = t.say('when.open', { hours: t.hours(entry.openingHours) })
  return t.say('offer.summary', { ...about, when })
}

function statusParagraphs(shown: ShownOffer): Markup {
  const { reader, entry } = shown
  const { status, bookingStatus, offerUntil } = entry
  if (status === 'waiting')
    return html`${paragraph(shown, 'offer.waiting')}\n${leaveForm(shown, 'offer.leave')}`
  // In the previous version, a failed payment ended the entry as if its customer had left the waitlist.
  if (status === 'left') return entry.isDeclined ? declined(shown, null) : paragraph(shown, 'offer.left')
  if (status === 'offered' && offerUntil)
    return html`${entry.isDeclined ? declined(shown, offerUntil) : ''}\n${offered(shown, offerUntil)}`
  if (bookingStatus === 'confirmed') return booked(shown)
  if (status === 'taken' && bookingStatus === 'held' && entry.heldUntil) return toPay(shown, entry.heldUntil)
  // A cancelled booking may have been paid after the declined payment, so its page does not mention the
  // declined one.
  const isCancelled = status === 'taken' && bookingStatus === 'cancelled'
  if (entry.isDeclined && !isCancelled) return declined(shown, null)
  if (status !== 'taken') return html`${paragraph(shown, 'offer.over')}\n${moneyBack(shown) ?? ''}`
  if (isCancelled) return html`${paragraph(shown, 'offer.cancelled')}\n${moneyBack(shown) ?? ''}`
  return html`<p>${reader.t.say('offer.unpaid')} ${ask(shown)}</p>\n${moneyBack(shown) ?? justPaid(shown)}`
}

/** Explains that the declined payment took no money, and whether the customer can pay again. */
function declined(shown: ShownOffer, until: Date | null): Markup {
  const { t } = shown.reader
  if (until) return paragraph(shown, 'offer.declined-held', { until: untilText(shown, until) })
  return html`${paragraph(shown, 'offer.declined')}\n<p>${t.say('offer.declined-over')} ${ask(shown)}</p>`
}

function booked(shown: ShownOffer): Markup {
  const { owed, reader } = shown
  if (!owed) return paragraph(shown, costsNothing(shown) ? 'offer.booked' : 'offer.paid')
  return html`${paragraph(shown, 'offer.booked-owing', { amount: reader.t.money(owed) })}
${payment(shown, owed)}`
}

function offered(shown: ShownOffer, until: Date): Markup {
  const { reader, paymentPage, basket, seller } = shown
  const { t } = reader
  const [label, then]: [TextKey, string] = costsNothing(shown)
    ? ['offer.take.free', t.say('offer.free')]
    : paymentPage
      ? ['offer.take.pay', t.say('offer.then-pay', { amount: t.money(basket.Total!) })]
      : ['offer.take.desk', `${t.say('offer.then-held')} ${payWords(t, seller, basket.Total!)}`]
  return html`<p>${t.say('offer.until', { until: untilText(shown, until) })} ${linkContacts(then)}</p>
${takeForm(shown, label)}
${leaveForm(shown, 'offer.give-up')}`
}

function toPay(shown: ShownOffer, until: Date): Markup {
  const { basket, lines, refused, paymentPage } = shown
  const held = shown.entry.isDeclined
    ? declined(shown, until)
    : paragraph(shown, 'offer.held', { until: untilText(shown, until) })
  if (refused === null && missingAnswers(lines, storedAnswers(lines)).length === 0)
    return html`${held}\n${basket.Total ? payment(shown, basket.Total) : ''}`
  const label = paymentPage ? 'offer.to-payment' : 'offer.send-answers'
  return html`${held}\n${paragraph(shown, 'offer.asked')}\n${takeForm(shown, label)}`
}

/** The form that takes the places: the questions about them, and the button. */
function takeForm({ reader, lines, refused, path }: ShownOffer, label: TextKey): Markup {
  const { t, query } = reader
  const faults = refused && { ...refused.faults, labels: new Map(lineAnswerLabels(t, lines)) }
  const answers = refused?.answers ?? storedAnswers(lines)
  const fields = answersOfLines(lines, answers).map(({ line, questions, own, nth }) => {
    const { ProductName, Date: date, Time, Participants: participants } = line
    const asked = answerFields(t, questions, own, { participants, faults, nth })
    const when = t.say('when.at', { date: t.date(date), time: t.time(Time) })
    const heading = html`<h2>${ProductName}, ${when}</h2>`
    return html`${questions.length > 0 && lines.length > 1 ? heading : ''}${asked}`
  })
  return html`${faultSummary(faults)}
<form method="post" action="${path}/take${query}" class="fields"><input type="hidden" name="Described" value="true">
${fields}<button>${t.say(label)}</button></form>`
}

/**
 * How to pay. A link and not a form leads to the payment page: the content security policy forbids forms to other
 * sites.
 */
function payment(shown: ShownOffer, due: Price): Markup {
  const { reader, path, paymentPage, basket, publicUrl, seller } = shown
  const { t, query } = reader
  if (!paymentPage) return html`<p>${linkContacts(payWords(t, seller, due))}</p>`
  const { BasketID } = basket
  const address = `${path}${query}`
  const url = paymentPageUrl(paymentPage, { BasketID, ...due, ReturnURL: `${publicUrl}${address}` })
  const link = (words: Markup) => html`<a href="${address}">${words}</a>`
  return html`<p><a class="button" href="${url}">${t.say('pay.button', { amount: t.money(due) })}</a></p>
<p>${markupOf(t, 'offer.have-paid', { link })}</p>`
}

function ask({ reader: { t }, seller }: ShownOffer): Markup {
  return linkContacts(askWords(t, seller))
}

/**
 * The sentences about payments that bought nothing and about refunds of the sale; null if there are no such
 * sentences.
 */
function moneyBack({ reader: { t }, moneyBack: { unused, refunds } }: ShownOffer): Markup | null {
  const sentences = [...(unused.length > 0 ? [t.say('offer.bought-nothing'), ...unused] : []), ...refunds]
  return sentences.length > 0 ? html`${sentences.map((sentence) => html`<p>${sentence}</p>\n`)}` : null
}

/** Explains what happens to a payment that was not finished when the time to pay ended. */
function justPaid({ reader: { t, query }, path, paymentPage }: ShownOffer): Markup {
  const link = (words: Markup) => html`<a href="${path}${query}">${words}</a>`
  return paymentPage ? html`<p>${markupOf(t, 'offer.just-paid', { link })}</p>` : html``
}

function costsNothing({ basket }: ShownOffer): boolean {
  return basket.Total !== null && Number(basket.Total.Amount) === 0
}

function leaveForm({ reader: { t, query }, path }: ShownOffer, label: TextKey): Markup {
  return html`<form method="post" action="${path}/leave${query}"><button class="quiet">${t.say(label)}</button></form>`
}

function paragraph({ reader }: ShownOffer, key: TextKey, values: Record<string, string> = {}): Markup {
  return html`<p>${markupOf(reader.t, key, values)}</p>`
}

function untilText({ reader: { t }, entry: { timeZone } }: ShownOffer, until: Date): string {
  return t.instant(until, timeZone)
}
