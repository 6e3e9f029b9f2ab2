/**
 * The page of a sale's receipt, which the customer opens from the link to the tickets. It shows the present state of
 * the sale, and how to pay the balance. Opening it changes nothing.
 */
import { html, type Markup } from '../../http/pages.ts'
import type { Routes } from '../../http/routes.ts'
import { markupOf } from '../../http/text-markup.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { toMoney } from '../../platform/text/money.ts'
import { findBooking } from '../booking/desk/queries.ts'
import { linkContacts } from '../business-details/contact-links.ts'
import { readerOf, sendCustomerPage, sendInvalidLink } from '../business-details/customer-page.ts'
import { payWords, sellerFooter, sellerLines } from '../business-details/model.ts'
import { findSeller } from '../business-details/service.ts'
import { paymentPageUrl } from '../payment-settings/model.ts'
import { findSettings, type PaymentSettings } from '../payment-settings/service.ts'
import { readTicketsLink } from '../ticket/links.ts'
import { type Receipt, readReceipt, receiptIn } from './service.ts'
import { type ReceiptRow, receiptDay, receiptRows, sumRows } from './words.ts'

type ReceiptOptions = { sql: Sql; secrets: readonly string[]; publicUrl: string }

export const customerReceiptPages: Routes<ReceiptOptions> = (app, { sql, secrets, publicUrl }) => {
  app.get<{ Params: { Token: string } }>(
    '/tickets/:Token/receipt',
    { schema: { hide: true } },
    async (request, reply) => {
      const { Token } = request.params
      const link = readTicketsLink(secrets, Token)
      // The booking may be gone, because old test bookings are deleted.
      const booking = link && (await findBooking(sql, link.accountId, link.reference))
      if (!booking) return sendInvalidLink(request, reply)
      const { accountId, basketId } = booking
      const [seller, paid] = [await findSeller(sql, accountId), await readReceipt(sql, accountId, basketId)]
      const reader = readerOf(request, seller.locale)
      const { t, query } = reader
      const receipt =
        paid && (await receiptIn(sql, { accountId, productLanguage: seller.productLanguage }, t, paid))
      const path = `/tickets/${Token}/receipt`
      const back = html`<p><a href="/tickets/${Token}${query}">${t.say('receipt.tickets')}</a></p>`
      const content = receipt
        ? html`${receiptView(t, receipt, link.reference)}
${paymentPart(t, receipt, await findSettings(sql, accountId), `${publicUrl}${path}${query}`)}`
        : html`<p>${t.say('receipt.none')}</p>`
      const body = html`${content}\n${back}\n${receipt ? '' : sellerFooter(seller)}`
      const title = receipt ? t.say('receipt.title', { number: basketId }) : t.say('receipt.none.title')
      return sendCustomerPage(reply, { title, body, reader, seller, path })
    },
  )
}

/** The receipt begins with the seller's name and contact data, so the page needs no footer with them. */
function receiptView(t: Texts, receipt: Receipt, own: string): Markup {
  const { basket, seller } = receipt
  const [name, ...about] = sellerLines(t, seller)
  const rows = receiptRows(t, receipt, (reference) => reference === own)
  return html`${basket.TestMode ? html`<p>${markupOf(t, 'receipt.test')}</p>` : ''}
<p><strong>${name!}</strong>${about.map((line) => html`<br>\n${linkContacts(line)}`)}</p>
<p>${receiptDay(t, receipt)}</p>
<table class="receipt"><tbody>${rows.map(rowView)}</tbody>
<tbody>${sumRows(t, receipt).map(rowView)}</tbody></table>`
}

function rowView({ about, amount, isDue }: ReceiptRow): Markup {
  const lines = about.map((line, index) => html`${index > 0 ? html`<br>\n` : ''}${line}`)
  return html`<tr${isDue ? html` class="due"` : ''}><th scope="row">${lines}</th><td>${amount}</td></tr>\n`
}

/** How to pay the balance of a completed sale; empty if nothing is owed. */
function paymentPart(
  t: Texts,
  { basket: { BasketID, Status }, ledger: { balance, currency }, seller }: Receipt,
  { paymentPage }: PaymentSettings,
  ReturnURL: string,
): Markup {
  if (balance <= 0n || Status !== 'completed') return html``
  const due = toMoney(balance, currency)
  if (!paymentPage) return html`<p>${linkContacts(payWords(t, seller, due))}</p>`
  const url = paymentPageUrl(paymentPage, { BasketID, ...due, ReturnURL })
  return html`<p><a class="button" href="${url}">${t.say('pay.button', { amount: t.money(due) })}</a></p>
<p>${t.say('receipt.have-paid')}</p>`
}
