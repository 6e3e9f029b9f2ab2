/** The pages that mark a refund as paid back, with the method, and that undo such a mark, with the reason. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { byUser } from '../../events/actor.ts'
import type { Routes } from '../../http/routes.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { markRefunded } from '../../sales/basket/marking-refunded.ts'
import { refundRequestSchema } from '../../sales/basket/refund-schemas.ts'
import { payBack, readRefundEntry } from '../../sales/ledger/paying-back.ts'
import { listDueTogether } from '../../sales/ledger/paying-back-several.ts'
import {
  type PaidBackRequest,
  paidBackSchema,
  paidPartSchema,
  refundBasketPathSchema,
  refundPathSchema,
  undoSchema,
} from '../../sales/ledger/refund-schemas.ts'
import { readLedger } from '../../sales/ledger/service.ts'
import { readMarks, undoPaidBack, undoUnusedRefund } from '../../sales/ledger/undoing.ts'
import { listOwnOpen } from '../../sales/till/service.ts'
import type { ShownForm } from '../frame/form-fields.ts'
import { checkForm, faultsOf, onceOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import type { DashboardOptions, Session } from '../frame/session.ts'
import { textsFor } from '../frame/texts.ts'
import { readAmount } from '../parts/amounts.ts'
import { shortTillInWords } from '../parts/till-notice.ts'
import { markView, undoView } from './mark-views.ts'
import { partsOf } from './part-views.ts'
import { refundsPath } from './paths.ts'

const unusedPath = Type.Object({
  ...refundBasketPathSchema.properties,
  PaymentID: Type.String({ minLength: 1, maxLength: 255 }),
})
const unusedForm = Type.Pick(refundRequestSchema, ['Amount', 'Method', 'Reference'])
type UnusedPath = Static<typeof unusedPath>

type RefundKey = Parameters<typeof readRefundEntry>[2]
/** The refused form, to show again; null for a new form. */
type RefusedMark = { form: ShownForm; status: number } | null

const decisionOf = ({ RefundID }: Static<typeof refundPathSchema>) => ({ refundId: Number(RefundID) })
const unusedOf = ({ BasketID, PaymentID }: UnusedPath) => ({ basketId: Number(BasketID), eventId: PaymentID })
/** The address of the list of refunds, with a notice. */
const listAfter = (word: string) => doneAt(refundsPath, word)
/** The id of the user whose marks the request may undo; null for owners, who may undo marks of all users. */
export const onlyOf = ({ user }: Session) => (user.role === 'owner' ? null : user.userId)

export const refundMarkPages: Routes<DashboardOptions> = (app, { sql }) => {
  app.get('/refunds/:RefundID', { schema: { hide: true, params: refundPathSchema } }, (request, reply) =>
    sendMark(request, reply, decisionOf(request.params), null),
  )

  // For forms that an older version of the service rendered. That version has no partial refunds.
  app.post(
    '/refunds/:RefundID/done',
    {
      schema: { hide: true, params: refundPathSchema, body: paidBackSchema },
      attachValidation: true,
    },
    (request, reply) =>
      act(request, reply, {
        async work() {
          const done = { ...decisionOf(request.params), paid: request.body as PaidBackRequest }
          await payBack(sql, onceOf(request, 'refund.done'), byUser(request.session.user), done)
          return listAfter('paid-back')
        },
        again: (refused) => sendMark(request, reply, decisionOf(request.params), refused),
      }),
  )

  app.post(
    '/refunds/:RefundID/parts',
    {
      schema: { hide: true, params: refundPathSchema, body: paidPartSchema },
      attachValidation: true,
      preValidation: readTypedValues,
    },
    (request, reply) =>
      act(request, reply, {
        async work() {
          const { refundId } = decisionOf(request.params)
          const once = onceOf(request, 'refund.part')
          const done = { refundId, paid: request.body }
          const { answer } = await payBack(sql, once, byUser(request.session.user), done)
          const isPart = answer.RefundID !== refundId
          return isPart ? doneAt(`${refundsPath}/${refundId}`, 'part-paid-back') : listAfter('paid-back')
        },
        again: (refused) => sendMark(request, reply, decisionOf(request.params), refused),
      }),
  )

  app.get('/refunds/:RefundID/undo', { schema: { hide: true, params: refundPathSchema } }, (request, reply) =>
    sendUndo(request, reply, decisionOf(request.params), null),
  )

  app.post(
    '/refunds/:RefundID/undo',
    { schema: { hide: true, params: refundPathSchema, body: undoSchema }, attachValidation: true },
    (request, reply) =>
      act(request, reply, {
        async work() {
          const { session, params, body } = request
          const undo = { ...decisionOf(params), reason: body.Reason, onlyOfUser: onlyOf(session) }
          await undoPaidBack(sql, onceOf(request, 'refund.undo'), byUser(session.user), undo)
          return listAfter('refund-undone')
        },
        again: (refused) => sendUndo(request, reply, decisionOf(request.params), refused),
      }),
  )

  app.get(
    '/refunds/payments/:BasketID/:PaymentID',
    { schema: { hide: true, params: unusedPath } },
    (request, reply) => sendMark(request, reply, unusedOf(request.params), null),
  )

  app.post(
    '/refunds/payments/:BasketID/:PaymentID/done',
    {
      schema: { hide: true, params: unusedPath, body: unusedForm },
      attachValidation: true,
    },
    (request, reply) =>
      act(request, reply, {
        async work() {
          const { params, body, session } = request
          const { basketId, eventId } = unusedOf(params)
          const done = { basketId, refund: { Payments: [eventId], ...body } }
          await markRefunded(sql, onceOf(request, 'basket.refunded'), byUser(session.user), done)
          return listAfter('paid-back')
        },
        again: (refused) => sendMark(request, reply, unusedOf(request.params), refused),
      }),
  )

  app.get(
    '/refunds/payments/:BasketID/:PaymentID/undo',
    { schema: { hide: true, params: unusedPath } },
    (request, reply) => sendUndo(request, reply, unusedOf(request.params), null),
  )

  app.post(
    '/refunds/payments/:BasketID/:PaymentID/undo',
    { schema: { hide: true, params: unusedPath, body: undoSchema }, attachValidation: true },
    (request, reply) =>
      act(request, reply, {
        async work() {
          const { session, params, body } = request
          const { basketId, eventId: paymentId } = unusedOf(params)
          const undo = { basketId, paymentId, reason: body.Reason, onlyOfUser: onlyOf(session) }
          await undoUnusedRefund(sql, onceOf(request, 'basket.refunded-undo'), byUser(session.user), undo)
          return listAfter('refund-undone')
        },
        again: (refused) => sendUndo(request, reply, unusedOf(request.params), refused),
      }),
  )

  type Action = {
    /** Makes the change, and returns the address to redirect to. */
    work: () => Promise<string>
    again: (refused: RefusedMark) => Promise<FastifyReply>
  }

  /** Runs `work` and redirects. If the form is refused, shows it again with its values and faults. */
  async function act(request: FastifyRequest, reply: FastifyReply, { work, again }: Action) {
    try {
      checkForm(request)
      return reply.redirect(await work(), 303)
    } catch (error) {
      const { faults, status } = faultsOf(shortTillInWords(error, textsFor(request)))
      return again({ form: { values: request.body, faults }, status })
    }
  }

  async function sendMark(
    request: FastifyRequest,
    reply: FastifyReply,
    key: RefundKey,
    refused: RefusedMark,
  ) {
    const { session } = request
    const { accountId } = session.user
    const [refund, tills] = await Promise.all([
      readRefundEntry(sql, accountId, key),
      listOwnOpen(sql, session.user),
    ])
    const { BasketID, RefundID, Status } = refund
    const [ledgers, due] = await Promise.all([
      readLedger(sql, accountId, [BasketID]),
      RefundID !== null && Status === 'due' ? listDueTogether(sql, accountId, BasketID) : [],
    ])
    const ledger = ledgers.get(BasketID)
    const parts = partsOf(ledger, RefundID)
    const alsoDue = due.filter((other) => other.RefundID !== RefundID)
    const shown = { refund, tills, payments: ledger?.payments ?? [], parts, alsoDue }
    return sendDashboard(reply, session, {
      title: textsFor(request).say('refunds.mark'),
      status: refused?.status ?? 200,
      body: markView(session, textsFor(request), shown, refused?.form ?? null),
      assets: ['bookings.css', 'upkeep.css'],
    })
  }

  async function sendUndo(
    request: FastifyRequest,
    reply: FastifyReply,
    key: RefundKey,
    refused: RefusedMark,
  ) {
    const { session } = request
    const { accountId } = session.user
    const refund = await readRefundEntry(sql, accountId, key)
    const mark = (await readMarks(sql, accountId, [refund], onlyOf(session))).get(refund) ?? null
    return sendDashboard(reply, session, {
      title: textsFor(request).say('payments.undone'),
      status: refused?.status ?? 200,
      body: undoView(session, textsFor(request), { refund, mark }, refused?.form ?? null),
      assets: ['bookings.css', 'upkeep.css'],
    })
  }
}

async function readTypedValues(request: FastifyRequest): Promise<void> {
  const body = request.body as { Part?: string }
  if (body.Part) body.Part = readAmount(body.Part, textsFor(request).locale)
}
