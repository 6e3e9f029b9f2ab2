/** The page of refunds: the due ones first, and marking one as paid back. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { byUser } from '../../events/actor.ts'
import type { Routes } from '../../http/routes.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { refundRequestSchema } from '../../sales/basket/refund-schemas.ts'
import { markRefunded } from '../../sales/basket/refunding.ts'
import { browseRefunds, payBack } from '../../sales/ledger/paying-back.ts'
import { countDue } from '../../sales/ledger/refund-list-queries.ts'
import {
  paidBackSchema,
  type RefundsQuery,
  refundBasketPathSchema,
  refundPathSchema,
  refundsQuerySchema,
} from '../../sales/ledger/refund-schemas.ts'
import { listOwnOpen } from '../../sales/till/service.ts'
import { formatsFor } from '../frame/formats.ts'
import { checkForm, type FormFaults, faultsOf, onceOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { shortTillInWords } from '../parts/till-notice.ts'
import { mostCounted, refundsPath, refundsView } from './views.ts'

const paymentForm = Type.Object({
  PaymentID: Type.String({ minLength: 1, maxLength: 255 }),
  Amount: refundRequestSchema.properties.Amount,
})

export const refundPages: Routes<DashboardOptions> = (app, { sql }) => {
  app.get('/refunds', { schema: { hide: true, querystring: refundsQuerySchema } }, (request, reply) =>
    sendRefunds(request, reply, request.query, null),
  )

  app.post(
    '/refunds/:RefundID/done',
    { schema: { hide: true, params: refundPathSchema, body: paidBackSchema }, attachValidation: true },
    (request, reply) =>
      markAndShow(request, reply, async () => {
        const done = { refundId: Number(request.params.RefundID), paid: request.body }
        await payBack(sql, onceOf(request, 'refund.done'), byUser(request.session.user), done)
      }),
  )

  app.post(
    '/refunds/payments/:BasketID',
    { schema: { hide: true, params: refundBasketPathSchema, body: paymentForm }, attachValidation: true },
    (request, reply) =>
      markAndShow(request, reply, async () => {
        const { params, body, session } = request
        const { PaymentID, Amount } = body
        const refund = { Payments: [PaymentID], ...(Amount !== undefined && { Amount }) }
        const done = { basketId: Number(params.BasketID), refund }
        await markRefunded(sql, onceOf(request, 'basket.refunded'), byUser(session.user), done)
      }),
  )

  async function markAndShow(request: FastifyRequest, reply: FastifyReply, act: () => Promise<void>) {
    try {
      checkForm(request)
      await act()
    } catch (error) {
      return sendRefunds(request, reply, {}, faultsOf(shortTillInWords(error, formatsFor(request))))
    }
    return reply.redirect(doneAt(refundsPath, 'paid-back'), 303)
  }

  async function sendRefunds(
    request: FastifyRequest,
    reply: FastifyReply,
    query: RefundsQuery,
    refused: { faults: FormFaults; status: number } | null,
  ) {
    const { session } = request
    const { accountId } = session.user
    const [{ refunds, next }, due, tills] = await Promise.all([
      browseRefunds(sql, accountId, query),
      countDue(sql, accountId, mostCounted),
      listOwnOpen(sql, session.user),
    ])
    const url = refused ? refundsPath : request.url
    const shown = { refunds, due, tills, query, url, next, faults: refused?.faults ?? null }
    return sendDashboard(reply, session, {
      title: 'Refunds',
      status: refused?.status ?? 200,
      body: refundsView(session, formatsFor(request), shown),
      assets: ['bookings.css', 'upkeep.css', 'live.js'],
    })
  }
}
