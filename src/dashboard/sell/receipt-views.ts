/** The printed receipt of a sale in the language of the account, with the button that sends it. Pure. */
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

export function receiptView(session: Session, receipt: Receipt, faults: FormFaults): Markup {
  const { basket, lines, seller, at } = receipt
  const t = textsIn(seller.locale)
  const path = `/dashboard/sell/${basket.BasketID}`
  const { Email } = basket.Customer
  const [name, ...about] = sellerLines(t, seller)
  const isAnonymous = seller.addressLines.length === 0 && seller.taxNumber === null
  const customer = customerName(basket.Customer)
  const title = t.say('receipt.title', { number: basket.BasketID })
  return html`${faultSummary(faults)}
<p class="no-print"><a href="${path}">Sale ${basket.BasketID}</a></p>
${printButton()}
${isAnonymous ? html`<p class="hint no-print">The receipt has no address and no tax number yet.${session.user.role === 'owner' ? html` <a href="/dashboard/business-details">Set your business details</a>` : ' An owner sets them under “Your sign-in”.'}</p>` : ''}
<article class="receipt" aria-label="${title}" lang="${t.locale}">
${seller.logoPath ? houseMark(seller) : ''}<p><strong>${name!}</strong>${about.map((line) => html`<br>${line}`)}</p>
<p>${t.instant(new Date(at), seller.timeZone)}${basket.TestMode ? html`<br>${markupOf(t, 'receipt.test')}` : ''}</p>
${customer ? html`<p>${t.say('receipt.for', { name: customer })}</p>` : ''}
<ul class="lines-of-sale">${lines.map((line) => html`<li>${paperLine(t, line)}</li>`)}</ul>
<dl class="facts">${receiptSums(receipt).map((sum) => sumRow(t, receipt, sum))}</dl>
</article>
<section class="no-print" aria-labelledby="send"><h2 id="send">To the customer</h2>
${
  Email
    ? postForm(session, `${path}/receipt`, html`<p>It goes to ${Email}.</p><button>Send the receipt</button>`)
    : html`<p class="hint">There is no e-mail address: print this page.</p>`
}</section>`
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
<ul class="costs">${costs.map((cost) => html`<li>${cost}</li>`)}</ul>
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
