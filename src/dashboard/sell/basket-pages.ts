/** The second step of a sale, after its places are held: customer, answers, promotion, lines and hold. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { byUser } from '../../events/actor.ts'
import { html } from '../../http/pages.ts'
import type { Routes } from '../../http/routes.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { readDescribedBasket } from '../../sales/basket/description.ts'
import { dropPromotion } from '../../sales/basket/promoting.ts'
import { findAgreedReduction } from '../../sales/basket/reduction-queries.ts'
import { type BasketView, basketPathSchema, linePathSchema } from '../../sales/basket/schemas.ts'
import { cancelBasket, extendBasket, removeLine } from '../../sales/basket/service.ts'
import { readBasket } from '../../sales/basket/views.ts'
import { listUnusedPayments } from '../../sales/ledger/paying-back.ts'
import { onceOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { textsFor } from '../frame/texts.ts'
import { customerName } from '../parts/booking-words.ts'
import { backPath, backSchema } from '../parts/held-actions.ts'
import { unusedPaymentsPart } from '../parts/unused-payments.ts'
import { basketView } from './basket-views.ts'
import {
  openFields,
  type RefusedStep,
  stepFaults,
  stepOptions,
  stepSchema,
  takeStep,
  useCode,
} from './customer-step.ts'
import { changePath } from './held-before.ts'
import { versionOf } from './shown-version.ts'
import { payPath } from './steps.ts'

export type AboutBasket = FastifyRequest<{ Params: { BasketID: string } }>

export const pathOf = ({ params }: AboutBasket) => `/dashboard/sell/${params.BasketID}`
export const idOf = ({ params }: AboutBasket) => Number(params.BasketID)

/** With `Next=pay`, the page lists the fields to fill in before the payment. */
const shownSchema = Type.Object({ Next: Type.Optional(Type.Enum(['pay'])) })
/** `Shown` is the version of the customer and the answers when the page was rendered. */
const keepSchema = Type.Object({ ...stepSchema.properties, Shown: Type.String({ maxLength: 64 }) })
type AboutStep = FastifyRequest<{ Params: { BasketID: string }; Querystring: Static<typeof shownSchema> }>

export const basketPages: Routes<DashboardOptions> = (app, { sql }) => {
  const schema = { hide: true, params: basketPathSchema }
  const step = { schema: { ...schema, body: stepSchema }, ...stepOptions }
  const keepStep = { schema: { ...schema, body: keepSchema }, ...stepOptions }

  app.get('/sell/:BasketID', { schema: { ...schema, querystring: shownSchema } }, (request, reply) =>
    sendBasket(sql, request, reply, null),
  )

  app.post('/sell/:BasketID/customer', step, async (request, reply) => {
    const { Customer, Next, Code } = request.body
    const refused = await takeStep(sql, request, {
      describes: true,
      isWhole: Next === undefined,
      ...(Code !== undefined && { act: () => useCode(sql, request) }),
    })
    if (refused) return sendBasket(sql, request, reply, refused)
    if (Next) return reply.redirect(`${pathOf(request)}/${Next}`, 303)
    const isNamed = customerName({ FirstName: null, LastName: null, ...Customer }) !== ''
    return reply.redirect(payPath(pathOf(request), isNamed), 303)
  })

  // Stores the typed values when the user leaves the page without pressing a button, if the customer, the
  // answers and the lines are as the page showed them. The browser ignores the response.
  app.post('/sell/:BasketID/keep', keepStep, async (request, reply) => {
    if (request.validationError) return reply.code(204).send()
    const described = await readDescribedBasket(sql, request.session.user.accountId, idOf(request))
    const isAsShown = request.body.Shown === versionOf(described)
    if (described.basket.Status === 'open' && isAsShown)
      await takeStep(sql, request, { describes: true, isWhole: false })
    return reply.code(204).send()
  })

  app.post('/sell/:BasketID/promotion', step, async (request, reply) => {
    const refused = await takeStep(sql, request, { act: () => useCode(sql, request) })
    if (refused) return sendBasket(sql, request, reply, refused)
    return reply.redirect(doneAt(pathOf(request), 'promotion'), 303)
  })

  app.post('/sell/:BasketID/promotion/remove', step, async (request, reply) => {
    const act = () => dropPromotion(sql, byUser(request.session.user), idOf(request))
    const refused = await takeStep(sql, request, { act })
    if (refused) return sendBasket(sql, request, reply, refused)
    return reply.redirect(doneAt(pathOf(request), 'promotion-removed'), 303)
  })

  app.post(
    '/sell/:BasketID/lines/:BookingReference/remove',
    { schema: { ...step.schema, params: linePathSchema }, ...stepOptions },
    async (request, reply) => {
      const line = { basketId: idOf(request), reference: request.params.BookingReference }
      const act = () => removeLine(sql, byUser(request.session.user), line)
      const refused = await takeStep(sql, request, { act })
      // If the button was pressed twice, the first request has removed the line.
      if (refused?.status === 409 && (await isRemoved(sql, request, line)))
        return reply.redirect(doneAt(pathOf(request), 'line-was-removed'), 303)
      if (refused) return sendBasket(sql, request, reply, refused)
      return reply.redirect(doneAt(pathOf(request), 'line-removed'), 303)
    },
  )

  // Stores the typed values, and then redirects to the page that changes the line.
  app.post(
    '/sell/:BasketID/lines/:BookingReference/choose',
    { schema: { ...step.schema, params: linePathSchema }, ...stepOptions },
    async (request, reply) => {
      // Throws not-found for a sale of another account.
      const act = () => readBasket(sql, request.session.user.accountId, idOf(request))
      const refused = await takeStep(sql, request, { act })
      if (refused) return sendBasket(sql, request, reply, refused)
      return reply.redirect(changePath(idOf(request), request.params.BookingReference), 303)
    },
  )

  app.post('/sell/:BasketID/extend', step, async (request, reply) => {
    const act = () =>
      extendBasket(sql, onceOf(request, 'basket.extend'), byUser(request.session.user), idOf(request))
    const refused = await takeStep(sql, request, { act })
    if (refused) return sendBasket(sql, request, reply, refused)
    const { Back } = request.body
    const back = Back === 'pay' ? payPath(pathOf(request), false) : backPath(request.body)
    return reply.redirect(doneAt(back ?? pathOf(request), 'held-longer'), 303)
  })

  app.post('/sell/:BasketID/release', { schema: { ...schema, body: backSchema } }, async (request, reply) => {
    await cancelBasket(sql, onceOf(request, 'basket.cancel'), byUser(request.session.user), idOf(request))
    return reply.redirect(doneAt(backPath(request.body) ?? '/dashboard/sell', 'places-released'), 303)
  })
}

async function isRemoved(
  sql: Sql,
  request: AboutBasket,
  { basketId, reference }: { basketId: number; reference: string },
): Promise<boolean> {
  const { Lines } = await readBasket(sql, request.session.user.accountId, basketId)
  return Lines.some(
    ({ BookingReference, Status }) => BookingReference === reference && Status === 'cancelled',
  )
}

/**
 * Sends the page of a sale: in progress with the form of this step, completed, or over.
 * @param refused the refused step, to show it again; null for the stored values.
 */
async function sendBasket(
  sql: Sql,
  request: AboutBasket | AboutStep,
  reply: FastifyReply,
  refused: RefusedStep | null,
) {
  const { session } = request
  const t = textsFor(request)
  const { accountId, timeZone } = session.user
  const described = await readDescribedBasket(sql, accountId, idOf(request))
  const isOpen = described.basket.Status === 'open'
  const isBefore = (request.query as { Next?: string }).Next === 'pay'
  const again = {
    values: refused?.values,
    code: refused?.code,
    faults: refused?.faults ? stepFaults(session, t, described, refused.faults) : null,
    asked: isBefore && !refused ? openFields(t, described) : [],
    now: Date.now(),
    agreed: isOpen ? await findAgreedReduction(sql, accountId, idOf(request)) : null,
  }
  const title = t.say(described.basket.Status === 'completed' ? 'sell.sold' : 'sell.title')
  const isUnused = ({ Outcome }: BasketView['Payments'][number]) => Outcome === 'refund-due'
  const unused = described.basket.Payments.some(isUnused)
    ? await listUnusedPayments(sql, accountId, described.basket.BasketID)
    : []
  const body = html`${basketView(session, t, described, again)}
${unusedPaymentsPart(t, timeZone, unused)}`
  return sendDashboard(reply, session, {
    title,
    status: refused?.status ?? 200,
    body,
    assets: ['bookings.css', 'sell.css', 'keep.js'],
  })
}
