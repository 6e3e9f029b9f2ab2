/** The receipt of a sale on paper, with the button that sends it. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { toMoney } from '../../platform/text/money.ts'
import { methodText } from '../../sales/ledger/method-names.ts'
import type { Receipt } from '../../sales/receipt/service.ts'
import type { Formats } from '../frame/formats.ts'
import { type FormFaults, faultSummary, postForm } from '../frame/forms.ts'
import { badge } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { customerName } from '../parts/booking-words.ts'
import { money, totalText } from '../parts/party-words.ts'
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
  return html`${faultSummary(faults)}
<p class="no-print"><a href="${path}">Sale ${basket.BasketID}</a></p>
<article class="receipt" aria-label="Receipt ${basket.BasketID}">
<p><strong>${seller.name}</strong><br>${formats.instant(at, seller.timeZone)}${basket.TestMode ? html`<br><strong>A test: nothing was sold.</strong>` : ''}</p>
${customerName(basket.Customer) ? html`<p>For ${customerName(basket.Customer)}</p>` : ''}
<ul class="lines-of-sale">${lines.map(
    (line) => html`<li>${lineView(formats, line)}
<p>Booking ${line.BookingReference}: ${line.Status === 'cancelled' ? badge('cancelled') : totalText(formats, line)}</p></li>`,
  )}</ul>
<dl class="facts">${sums(formats, receipt).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
</article>
<section class="no-print" aria-labelledby="send"><h2 id="send">To the customer</h2>
${
  Email
    ? postForm(session, `${path}/receipt`, html`<p>It goes to ${Email}.</p><button>Send the receipt</button>`)
    : html`<p class="hint">There is no e-mail address: print this page.</p>`
}</section>`
}

function sums(formats: Formats, { basket, ledger, seller }: Receipt): [string, Markup | string][] {
  const { charged, kept, balance, due, currency } = ledger
  const text = (minor: bigint) => money(formats, toMoney(minor, currency))
  const { Promotion } = basket
  const rows: [string, Markup | string][] = []
  if (Promotion)
    rows.push([
      `Promotion ${Promotion.Code}`,
      `${money(formats, Promotion.Discount)} off, in the prices above`,
    ])
  if (kept > 0n) rows.push(['For what was cancelled', text(kept)])
  rows.push(['Total', html`<strong>${text(charged + kept)}</strong>`])
  for (const { kind, method, amountMinor, madeAt, reference } of ledger.payments) {
    const about = [methodText(method), reference, formats.instant(madeAt, seller.timeZone)]
      .filter(Boolean)
      .join(', ')
    rows.push([kind === 'payment' ? 'Paid' : 'Paid back', `${text(amountMinor)} (${about})`])
  }
  if (due > 0n) rows.push(['To be paid back', text(due)])
  if (balance < 0n) rows.push(['Paid too much', text(-balance)])
  rows.push(['Still to be paid', text(balance > 0n ? balance : 0n)])
  return rows
}
