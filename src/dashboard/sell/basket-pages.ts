/** The second step of a sale, on the basket that holds its places: who travels, a promotion, and how long it is held. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { byUser } from '../../events/actor.ts'
import { problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { describeBasket, readDescribedBasket } from '../../sales/basket/description.ts'
import { dropPromotion, setPromotion } from '../../sales/basket/promoting.ts'
import { basketPathSchema } from '../../sales/basket/schemas.ts'
import { cancelBasket, extendBasket } from '../../sales/basket/service.ts'
import { type DescriptionRequest, descriptionRequestSchema } from '../../sales/booking/changes/schemas.ts'
import { promotionCodeSchema } from '../../sales/promotion/schemas.ts'
import { inWords } from '../frame/fault-words.ts'
import { formatsFor } from '../frame/formats.ts'
import { checkForm, faultsOf, onceOf, renameFaults, type ShownForm } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { asOfFields, type GivenAnswers, takeAnswers, unanswered } from '../parts/answers.ts'
import { basketView } from './basket-views.ts'

export type AboutBasket = FastifyRequest<{ Params: { BasketID: string } }>
type BasketFormState = (ShownForm & { code?: string; status: number }) | null

export const pathOf = ({ params }: AboutBasket) => `/dashboard/sell/${params.BasketID}`
export const idOf = ({ params }: AboutBasket) => Number(params.BasketID)

export const basketPages: Routes<DashboardOptions> = (app, { sql }) => {
  const schema = { hide: true, params: basketPathSchema }

  app.get('/sell/:BasketID', { schema }, (request, reply) => sendBasket(sql, request, reply, null))

  app.post(
    '/sell/:BasketID/customer',
    {
      schema: { ...schema, body: descriptionRequestSchema },
      attachValidation: true,
      preValidation: takeAnswers,
    },
    async (request, reply) => {
      const { Answers = [] } = request.body
      const values = { ...request.body, Answers }
      try {
        checkForm(request)
        await describe(sql, request, values)
      } catch (error) {
        return sendBasket(sql, request, reply, { values, ...faultsOf(asOfFields(error, Answers)) })
      }
      return reply.redirect(`${pathOf(request)}/pay`, 303)
    },
  )

  app.post(
    '/sell/:BasketID/promotion',
    { schema: { ...schema, body: promotionCodeSchema }, attachValidation: true },
    async (request, reply) => {
      const { session, body } = request
      try {
        checkForm(request)
        await setPromotion(sql, byUser(session.user), { basketId: idOf(request), code: body.Code })
      } catch (error) {
        const { faults, status } = faultsOf(error)
        const shown = { code: body.Code, faults: inWords(faults, new Map([['Code', 'Promotion code']])) }
        return sendBasket(sql, request, reply, { values: undefined, ...shown, status })
      }
      return reply.redirect(doneAt(pathOf(request), 'promotion'), 303)
    },
  )

  app.post('/sell/:BasketID/promotion/remove', { schema }, async (request, reply) => {
    await dropPromotion(sql, byUser(request.session.user), idOf(request))
    return reply.redirect(doneAt(pathOf(request), 'promotion-removed'), 303)
  })

  app.post('/sell/:BasketID/extend', { schema }, async (request, reply) => {
    await extendBasket(sql, onceOf(request, 'basket.extend'), byUser(request.session.user), idOf(request))
    return reply.redirect(doneAt(pathOf(request), 'held-longer'), 303)
  })

  app.post('/sell/:BasketID/release', { schema }, async (request, reply) => {
    await cancelBasket(sql, onceOf(request, 'basket.cancel'), byUser(request.session.user), idOf(request))
    return reply.redirect(doneAt('/dashboard/sell', 'places-released'), 303)
  })
}

type SaleDescription = DescriptionRequest & { Answers: GivenAnswers }

/** Writes who travels and what they answered on all lines, once every required question is answered. */
async function describe(sql: Sql, request: AboutBasket, { Customer, Answers }: SaleDescription) {
  const { user } = request.session
  const basketId = idOf(request)
  const { lines } = await readDescribedBasket(sql, user.accountId, basketId)
  const missing = lines.flatMap(({ line, questions }) => unanswered(questions, Answers, line.Participants))
  if (missing.length > 0) throw problems.validation(missing)
  const Lines = lines.map(({ line, questions }) => {
    const asked = Answers.filter(({ QuestionID }) => questions.some(({ id }) => id === QuestionID))
    return { BookingReference: line.BookingReference, Answers: asked }
  })
  try {
    await describeBasket(sql, byUser(user), { basketId, request: { Customer, Lines } })
  } catch (error) {
    throw asOfForm(error, Answers, Lines)
  }
}

/** The same error, with the field of each line's answer renamed to that answer's place in the form. */
function asOfForm(error: unknown, given: GivenAnswers, lines: readonly { Answers: GivenAnswers }[]): unknown {
  return renameFaults(error, (field) => {
    const [, line, place] = /^Lines\[(\d+)\]\.Answers\[(\d+)\]/.exec(field) ?? []
    const answer = lines[Number(line)]?.Answers[Number(place)]
    return answer ? `Answers[${given.indexOf(answer)}]` : field
  })
}

/** A basket with the bookings that it holds, or sold, and what is asked about each. */
async function sendBasket(sql: Sql, request: AboutBasket, reply: FastifyReply, again: BasketFormState) {
  const { session } = request
  const described = await readDescribedBasket(sql, session.user.accountId, idOf(request))
  const title = described.basket.Status === 'completed' ? 'Sold' : 'Sell'
  const body = basketView(session, formatsFor(request), described, again)
  return sendDashboard(reply, session, {
    title,
    status: again?.status ?? 200,
    body,
    assets: ['bookings.css'],
  })
}
