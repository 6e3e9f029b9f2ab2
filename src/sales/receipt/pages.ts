/**
 * The receipt of a sale as its customer opens it, by the link of their tickets: as it stands now, to read and to print.
 * Looking changes nothing.
 */
import { html, type Markup, sendPage } from '../../http/pages.ts'
import type { Routes } from '../../http/routes.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { findBooking } from '../booking/desk/queries.ts'
import { readTicketsLink } from '../ticket/links.ts'
import { type Receipt, readReceipt } from './service.ts'
import { receiptDay, receiptParagraphs } from './words.ts'

export const customerReceiptPages: Routes<{ sql: Sql; secrets: readonly string[] }> = (
  app,
  { sql, secrets },
) => {
  app.get<{ Params: { Token: string } }>(
    '/tickets/:Token/receipt',
    { schema: { hide: true } },
    async ({ params: { Token } }, reply) => {
      const link = readTicketsLink(secrets, Token)
      // A test booking is deleted some day.
      const booking = link && (await findBooking(sql, link.accountId, link.reference))
      if (!booking) {
        const body = html`<p>Please use the link as it stands in your e-mail.</p>`
        return sendPage(reply, 404, 'This link is not valid', body)
      }
      const { accountId, basketId } = booking
      const receipt = await readReceipt(sql, accountId, basketId)
      const back = html`<p><a href="/tickets/${Token}">Your tickets</a></p>`
      if (receipt) return sendPage(reply, 200, `Receipt ${basketId}`, html`${receiptView(receipt)}\n${back}`)
      const body = html`<p>We have taken no payment for this booking, so there is no receipt.</p>\n${back}`
      return sendPage(reply, 200, 'There is no receipt', body)
    },
  )
}

function receiptView(receipt: Receipt): Markup {
  const { basket, seller } = receipt
  const lines = (text: string) => text.split('\n').map((line) => html`${line}<br>\n`)
  return html`${basket.TestMode ? html`<p><strong>A test: nothing was sold.</strong></p>` : ''}
<p><strong>${seller.name}</strong><br>${receiptDay(receipt)}</p>
${receiptParagraphs(receipt).map((text) => html`<p>${lines(text)}</p>\n`)}`
}
