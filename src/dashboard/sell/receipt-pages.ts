/** The page that prints and sends the receipt of a sale. */
import type { FastifyReply } from 'fastify'
import { byUser } from '../../events/actor.ts'
import { html } from '../../http/pages.ts'
import type { Routes } from '../../http/routes.ts'
import { sendReceipt } from '../../messaging/emails/receipts.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runOnce } from '../../platform/postgres/run-once.ts'
import { basketPathSchema } from '../../sales/basket/schemas.ts'
import { readReceipt } from '../../sales/receipt/service.ts'
import { type FormFaults, faultsOf, onceOf } from '../frame/forms.ts'
import { doneAt, emptyState, sendDashboard } from '../frame/layout.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { textsFor } from '../frame/texts.ts'
import { type AboutBasket, idOf, pathOf } from './basket-pages.ts'
import { receiptView } from './receipt-views.ts'

export const receiptPages: Routes<DashboardOptions> = (app, { sql }) => {
  const schema = { hide: true, params: basketPathSchema }

  app.get('/sell/:BasketID/receipt', { schema }, (request, reply) => sendPage(sql, request, reply, null))

  app.post('/sell/:BasketID/receipt', { schema }, async (request, reply) => {
    const by = byUser(request.session.user)
    try {
      await runOnce(sql, onceOf(request, 'basket.receipt'), async (tx) => {
        await sendReceipt(tx, by, idOf(request))
        return { sent: true }
      })
    } catch (error) {
      return sendPage(sql, request, reply, faultsOf(error))
    }
    return reply.redirect(doneAt(`${pathOf(request)}/receipt`, 'receipt-sent'), 303)
  })
}

type Refused = { faults: NonNullable<FormFaults>; status: number } | null

async function sendPage(sql: Sql, request: AboutBasket, reply: FastifyReply, refused: Refused) {
  const { session } = request
  const t = textsFor(request)
  const number = idOf(request)
  const receipt = await readReceipt(sql, session.user.accountId, number)
  const body = receipt
    ? receiptView(session, t, receipt, refused?.faults ?? null)
    : html`${emptyState(t.say('sell.receipt.none'))}
<p><a href="${pathOf(request)}">${t.say('sell.sale', { number })}</a></p>`
  return sendDashboard(reply, session, {
    title: t.say('receipt.title', { number }),
    status: refused?.status ?? 200,
    body,
    assets: ['bookings.css', 'tickets.css'],
  })
}
