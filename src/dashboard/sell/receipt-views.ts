/**
 * The page with the receipt of a sale. The receipt, which is printed, is in the language of the account; the
 * rest of the page is in the language of the user. Pure.
 */
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import { type Texts, textsIn } from '../../languages/texts.ts'
import { toMoney } from '../../platform/text/money.ts'
import { sellerLogo } from '../../sales/business-details/customer-page.ts'
import { sellerLines } from '../../sales/business-details/model.ts'
import { lineFacts } from '../../sales/receipt/line-facts.ts'
import { type ReceiptSum, receiptSums } from '../../sales/receipt/model.ts'
import type { Receipt } from '../../sales/receipt/service.ts'
import { paymentFacts, receiptTime, sumLabel } from '../../sales/receipt/words.ts'
import { type FormFaults, faultSummary, postForm } from '../frame/forms.ts'
import { badge } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { customerName } from '../parts/booking-words.ts'
import { printButton } from '../parts/print-button.ts'

export function receiptView(session: Session, t: Texts, receipt: Receipt, faults: FormFaults): Markup {
  const { basket, lines, seller } = receipt
  const paper = textsIn(seller.locale)
  const path = `/dashboard/sell/${basket.BasketID}`
  const { Email } = basket.Customer
  const [name, ...about] = sellerLines(paper, seller)
  const isAnonymous = seller.addressLines.length === 0 && seller.taxNumber === null
  const customer = customerName(basket.Customer)
  const title = paper.say('receipt.title', { number: basket.BasketID })
  return html`${faultSummary(faults)}
<p class="no-print"><a href="${path}">${t.say('sell.sale', { number: basket.BasketID })}</a></p>
${printButton(t)}
${isAnonymous ? html`<p class="hint no-print">${session.user.role === 'owner' ? markupOf(t, 'sell.receipt.anonymous.owner', { link: detailsLink }) : t.say('sell.receipt.anonymous')}</p>` : ''}
<article class="receipt" aria-label="${title}" lang="${paper.locale}">
${seller.logoPath ? sellerLogo(seller) : ''}<p><strong>${name!}</strong>${about.map((line) => html`<br>${line}`)}</p>
<p>${receiptTime(paper, receipt)}${basket.TestMode ? html`<br>${markupOf(paper, 'receipt.test')}` : ''}</p>
${customer ? html`<p>${paper.say('receipt.for', { name: customer })}</p>` : ''}
<ul class="lines-of-sale">${lines.map((line) => html`<li>${paperLine(paper, line)}</li>`)}</ul>
<dl class="facts">${receiptSums(receipt).map((sum) => sumRow(paper, receipt, sum))}</dl>
</article>
<section class="no-print" aria-labelledby="send"><h2 id="send">${t.say('sell.receipt.send.title')}</h2>
${
  Email
    ? postForm(
        session,
        `${path}/receipt`,
        html`<p>${t.say('sell.receipt.to', { email: Email })}</p><button>${t.say('sell.receipt.send')}</button>`,
      )
    : html`<p class="hint">${t.say('sell.receipt.no-email')}</p>`
}</section>`
}

function detailsLink(words: Markup): Markup {
  return html`<a href="/dashboard/business-details">${words}</a>`
}

function paperLine(t: Texts, line: Receipt['lines'][number]): Markup {
  const { product, when, party, costs, reference, isCancelled } = lineFacts(t, line)
  return html`<p>${[product, when, party].join(', ')}</p>
<ul class="costs">${costs.map((cost) => html`<li>${isCancelled ? html`<s>${cost}</s>` : cost}</li>`)}</ul>
<p>${t.say('receipt.booking', { reference })}${isCancelled ? html`: ${badge(t.say('receipt.cancelled'))}` : ''}</p>`
}

function sumRow(t: Texts, receipt: Receipt, sum: ReceiptSum): Markup {
  const { label, amountMinor, isDiscount, payment } = sum
  const amount = t.money(toMoney(amountMinor, receipt.ledger.currency))
  const about = payment && paymentFacts(t, receipt, payment)
  const more = about ? ` (${about.how}, ${about.at})` : ''
  const shown = isDiscount ? t.say('receipt.amount-off', { amount }) : `${amount}${more}`
  return html`<div><dt>${sumLabel(t, sum)}</dt><dd>${label === 'receipt.total' ? html`<strong>${shown}</strong>` : shown}</dd></div>`
}
