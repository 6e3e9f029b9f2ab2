/**
 * The receipt of a sale as its customer opens it, by the link of their tickets: as it stands now, to read and to print,
 * with how to pay what is still to be paid. Looking changes nothing.
 */
import { html, type Markup, sendPage } from '../../http/pages.ts'
import type { Routes } from '../../http/routes.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { toMoney } from '../../platform/text/money.ts'
import { findBooking } from '../booking/desk/queries.ts'
import { contactOf, sellerFooter, sellerLines } from '../business-details/model.ts'
import { findSeller } from '../business-details/service.ts'
import { paymentPageUrl } from '../payment-settings/model.ts'
import { findSettings, type PaymentSettings } from '../payment-settings/service.ts'
import { readTicketsLink } from '../ticket/links.ts'
import { type Receipt, readReceipt } from './service.ts'
import { receiptDay, receiptParagraphs } from './words.ts'

type ReceiptOptions = { sql: Sql; secrets: readonly string[]; publicUrl: string }

export const customerReceiptPages: Routes<ReceiptOptions> = (app, { sql, secrets, publicUrl }) => {
  app.get<{ Params: { Token: string } }>(
    '/tickets/:Token/receipt',
    { schema: { hide: true } },
    async ({ params: { Token } }, reply) => {
      const link = readTicketsLink(secrets, Token)
      // A test booking is deleted some day.
      const booking = link && (await findBooking(sql, link.accountId, link.reference))
      if (!booking) {
        const body = html`<p>Please use the complete link from your e-mail.</p>`
        return sendPage(reply, 404, 'This link is not valid', body)
      }
      const { accountId, basketId } = booking
      const receipt = await readReceipt(sql, accountId, basketId)
      const back = html`<p><a href="/tickets/${Token}">Your tickets</a></p>`
      if (!receipt) {
        const about = sellerFooter(await findSeller(sql, accountId))
        const body = html`<p>We have taken no payment for this booking, so there is no receipt.</p>\n${back}\n${about}`
        return sendPage(reply, 200, 'There is no receipt', body)
      }
      const settings = await findSettings(sql, accountId)
      const returnUrl = `${publicUrl}/tickets/${Token}/receipt`
      const body = html`${receiptView(receipt, link.reference)}
${paymentPart(receipt, settings, returnUrl)}
${back}
${sellerFooter(receipt.seller)}`
      return sendPage(reply, 200, `Receipt ${basketId}`, body)
    },
  )
}

function receiptView(receipt: Receipt, own: string): Markup {
  const { basket, seller } = receipt
  const [name, ...about] = sellerLines(seller)
  const lines = (text: string) => text.split('\n').map((line) => html`${line}<br>\n`)
  return html`${basket.TestMode ? html`<p><strong>A test: nothing was sold.</strong></p>` : ''}
<p><strong>${name!}</strong>${about.map((line) => html`<br>\n${line}`)}</p>
<p>${receiptDay(receipt)}</p>
${receiptParagraphs(receipt, (reference) => reference === own).map((text) => html`<p>${lines(text)}</p>\n`)}`
}

/** How what a sale still owes is paid; nothing where it owes nothing. */
function paymentPart(
  { basket: { BasketID, Status }, ledger: { balance, currency }, seller }: Receipt,
  { paymentPage }: PaymentSettings,
  ReturnURL: string,
): Markup {
  if (balance <= 0n || Status !== 'completed') return html``
  const due = toMoney(balance, currency)
  const pay = `Pay ${due.Amount} ${due.Currency}`
  const contact = contactOf(seller)
  if (!paymentPage)
    return html`<p>${pay} at the desk of ${seller.name}${contact ? `, or ask how to: ${contact}` : ''}.</p>`
  const url = paymentPageUrl(paymentPage, { BasketID, ...due, ReturnURL })
  return html`<p><a class="button" href="${url}">${pay}</a></p>
<p>Have you paid? It can take a minute until we hear of it: look at this page again before you pay a second time.</p>`
}
