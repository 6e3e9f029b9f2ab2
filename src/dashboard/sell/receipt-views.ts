/** The printed receipt of a sale in the language of the account, with the button that sends it in that of the reader. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import { type Texts, textsIn } from '../../languages/texts.ts'
import { toMoney } from '../../platform/text/money.ts'
import { partyWords } from '../../sales/booking/bought-view.ts'
import { startWords } from '../../sales/booking/start-words.ts'
import { houseMark } from '../../sales/business-details/customer-page.ts'
import { sellerLines } from '../../sales/business-details/model.ts'
import { type ReceiptSum, receiptSums } from '../../sales/receipt/model.ts'
import type { Receipt } from '../../sales/receipt/service.ts'
import { sumLabel } from '../../sales/receipt/words.ts'
import { type FormFaults, faultSummary, postForm } from '../frame/forms.ts'
import { badge } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { customerName } from '../parts/booking-words.ts'
import { hasUnits, reductionOf } from '../parts/party-words.ts'
import { printButton } from '../parts/print-button.ts'

export function receiptView(session: Session, t: Texts, receipt: Receipt, faults: FormFaults): Markup {
  const { basket, lines, seller, at } = receipt
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
${seller.logoPath ? houseMark(seller) : ''}<p><strong>${name!}</strong>${about.map((line) => html`<br>${line}`)}</p>
<p>${paper.instant(new Date(at), seller.timeZone)}${basket.TestMode ? html`<br>${markupOf(paper, 'receipt.test')}` : ''}</p>
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

type ReceiptLine = Receipt['lines'][number]

function paperLine(t: Texts, line: ReceiptLine): Markup {
  const { BookingReference: reference, UnitPrice, Total = UnitPrice, Status } = line
  const when = t.say('ticket.when', { date: t.date(line.Date), when: startWords(t, line) })
  const reduction = toMoney(reductionOf(line), UnitPrice.Currency)
  const costs = [
    ...pricesOf(t, line),
    ...(Number(reduction.Amount) > 0 ? [t.say('receipt.reduced', { amount: t.money(reduction) })] : []),
    t.say('receipt.subtotal', { amount: t.money(Total) }),
  ]
  return html`<p>${[line.ProductName, when, partyWords(line, t.people)].join(', ')}</p>
<ul class="costs">${costs.map((cost) => html`<li>${Status === 'cancelled' ? html`<s>${cost}</s>` : cost}</li>`)}</ul>
<p>${t.say('receipt.booking', { reference })}${Status === 'cancelled' ? html`: ${badge(t.say('receipt.cancelled'))}` : ''}</p>`
}

/** What each unit costs. */
function pricesOf(t: Texts, { Units = [], UnitPrice }: ReceiptLine): string[] {
  const isNamed = hasUnits({ Units })
  if (!isNamed && !Units[0]?.UnitPrice) return [t.say('receipt.for-all', { price: t.money(UnitPrice) })]
  return Units.map(({ Name: unit, Quantity: count, UnitPrice: each }) => {
    if (!each) return t.say('receipt.units', { count, unit })
    return t.say(isNamed ? 'receipt.each-unit' : 'receipt.each', { count, unit, price: t.money(each) })
  })
}

function sumRow(t: Texts, { ledger, seller }: Receipt, sum: ReceiptSum): Markup {
  const { label, amountMinor, isDiscount, payment } = sum
  const amount = t.money(toMoney(amountMinor, ledger.currency))
  const about = payment && [
    t.say(`method.${payment.method}`),
    payment.reference,
    t.instant(payment.madeAt, seller.timeZone),
  ]
  const more = about ? ` (${about.filter(Boolean).join(', ')})` : ''
  const shown = isDiscount ? t.say('receipt.amount-off', { amount }) : `${amount}${more}`
  return html`<div><dt>${sumLabel(t, sum)}</dt><dd>${label === 'receipt.total' ? html`<strong>${shown}</strong>` : shown}</dd></div>`
}
