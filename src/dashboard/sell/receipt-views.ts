/** The printed receipt of a sale, with the button that sends it. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { toMoney } from '../../platform/text/money.ts'
import { sellerLines } from '../../sales/business-details/model.ts'
import { methodText } from '../../sales/ledger/method-names.ts'
import { type ReceiptSum, receiptSums } from '../../sales/receipt/model.ts'
import type { Receipt } from '../../sales/receipt/service.ts'
import type { Formats } from '../frame/formats.ts'
import { type FormFaults, faultSummary, postForm } from '../frame/forms.ts'
import { badge } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { customerName } from '../parts/booking-words.ts'
import { money } from '../parts/party-words.ts'
import { printButton } from '../parts/print-button.ts'
import { lineView } from './line-views.ts'

export function receiptView(
  session: Session,
  formats: Formats,
  receipt: Receipt,
  faults: FormFaults,
): Markup {
  const { basket, lines, seller, at } = receipt
  const path = `/dashboard/sell/${basket.BasketID}`
  const { Email } = basket.Customer
  const [name, ...about] = sellerLines(seller)
  const isAnonymous = seller.addressLines.length === 0 && seller.taxNumber === null
  return html`${faultSummary(faults)}
<p class="no-print"><a href="${path}">Sale ${basket.BasketID}</a></p>
${printButton()}
${isAnonymous ? html`<p class="hint no-print">The receipt has no address and no tax number yet.${session.user.role === 'owner' ? html` <a href="/dashboard/business-details">Set your business details</a>` : ' An owner sets them under “Your sign-in”.'}</p>` : ''}
<article class="receipt" aria-label="Receipt ${basket.BasketID}">
<p><strong>${name!}</strong>${about.map((line) => html`<br>${line}`)}</p>
<p>${formats.instant(at, seller.timeZone)}${basket.TestMode ? html`<br><strong>A test: nothing was sold.</strong>` : ''}</p>
${customerName(basket.Customer) ? html`<p>For ${customerName(basket.Customer)}</p>` : ''}
<ul class="lines-of-sale">${lines.map(
    (line) => html`<li>${lineView(formats, line)}
<p>Booking ${line.BookingReference}${line.Status === 'cancelled' ? html`: ${badge('cancelled')}` : ''}</p></li>`,
  )}</ul>
<dl class="facts">${receiptSums(receipt).map((sum) => sumRow(formats, receipt, sum))}</dl>
</article>
<section class="no-print" aria-labelledby="send"><h2 id="send">To the customer</h2>
${
  Email
    ? postForm(session, `${path}/receipt`, html`<p>It goes to ${Email}.</p><button>Send the receipt</button>`)
    : html`<p class="hint">There is no e-mail address: print this page.</p>`
}</section>`
}

function sumRow(formats: Formats, { ledger, seller }: Receipt, sum: ReceiptSum): Markup {
  const { label, amountMinor, isDiscount, payment } = sum
  const amount = money(formats, toMoney(amountMinor, ledger.currency))
  const about = payment && [
    methodText(payment.method),
    payment.reference,
    formats.instant(payment.madeAt, seller.timeZone),
  ]
  const more = isDiscount
    ? ' off, in the prices above'
    : about
      ? ` (${about.filter(Boolean).join(', ')})`
      : ''
  return html`<div><dt>${label}</dt><dd>${label === 'Total' ? html`<strong>${amount}</strong>` : amount}${more}</dd></div>`
}
