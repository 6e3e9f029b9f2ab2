/** The second step of a sale, on the basket that holds its places: who travels, a promotion, and how long it is held. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { byUser } from '../../events/actor.ts'
import { problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { describeBasket, readDescribedBasket } from '../../sales/basket/description.ts'
import { dropPromotion, setPromotion } from '../../sales/basket/promoting.ts'
import { basketPathSchema, linePathSchema } from '../../sales/basket/schemas.ts'
import { cancelBasket, extendBasket, removeLine } from '../../sales/basket/service.ts'
import { type DescriptionRequest, descriptionRequestSchema } from '../../sales/booking/changes/schemas.ts'
import { promotionCodeSchema } from '../../sales/promotion/schemas.ts'
import { inWords } from '../frame/fault-words.ts'
import { formatsFor } from '../frame/formats.ts'
import { checkForm, faultsOf, onceOf, renameFaults, type ShownForm } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { asOfFields, type LineAnswer, readAnswers, takeAnswers, unanswered } from '../parts/answers.ts'
import { backPath, backSchema } from '../parts/held-actions.ts'
import { takePhone } from '../parts/phone-fields.ts'
import { answersOfLines, basketView } from './basket-views.ts'

export type AboutBasket = FastifyRequest<{ Params: { BasketID: string } }>
type BasketFormState = (ShownForm & { code?: string; status: number }) | null

export const pathOf = ({ params }: AboutBasket) => `/dashboard/sell/${params.BasketID}`
export const idOf = ({ params }: AboutBasket) => Number(params.BasketID)

/** `Next` is where the sale goes on: with another product, or else with the payment. */
const describedForm = Type.Object({
  ...descriptionRequestSchema.properties,
  Next: Type.Optional(Type.Enum(['add'])),
})

export const basketPages: Routes<DashboardOptions> = (app, { sql }) => {
  const schema = { hide: true, params: basketPathSchema }

  app.get('/sell/:BasketID', { schema }, (request, reply) => sendBasket(sql, request, reply, null))

  app.post(
    '/sell/:BasketID/customer',
    {
      schema: { ...schema, body: describedForm },
      attachValidation: true,
      preValidation: [takeAnswers, takePhone],
    },
    async (request, reply) => {
      const { Customer, Next } = request.body
      const Answers = readAnswers(request.formFields)
      const values = { Customer, Answers, Next }
      try {
        checkForm(request)
        await describe(sql, request, values)
      } catch (error) {
        return sendBasket(sql, request, reply, { values, ...faultsOf(asOfFields(error, Answers)) })
      }
      return reply.redirect(`${pathOf(request)}/${Next ?? 'pay'}`, 303)
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

  app.post(
    '/sell/:BasketID/lines/:BookingReference/remove',
    { schema: { hide: true, params: linePathSchema } },
    async (request, reply) => {
      const line = { basketId: idOf(request), reference: request.params.BookingReference }
      await removeLine(sql, byUser(request.session.user), line)
      return reply.redirect(doneAt(pathOf(request), 'line-removed'), 303)
    },
  )

  app.post('/sell/:BasketID/extend', { schema: { ...schema, body: backSchema } }, async (request, reply) => {
    await extendBasket(sql, onceOf(request, 'basket.extend'), byUser(request.session.user), idOf(request))
    return reply.redirect(doneAt(backPath(request.body) ?? pathOf(request), 'held-longer'), 303)
  })

  app.post('/sell/:BasketID/release', { schema: { ...schema, body: backSchema } }, async (request, reply) => {
    await cancelBasket(sql, onceOf(request, 'basket.cancel'), byUser(request.session.user), idOf(request))
    return reply.redirect(doneAt(backPath(request.body) ?? '/dashboard/sell', 'places-released'), 303)
  })
}

type SaleDescription = Pick<DescriptionRequest, 'Customer'> & {
  Answers: LineAnswer[]
  Next: 'add' | undefined
}

/**
 * Writes who travels and what they answered on all lines; before the payment, once every required question is answered.
 */
async function describe(sql: Sql, request: AboutBasket, { Customer, Answers, Next }: SaleDescription) {
  const { user } = request.session
  const basketId = idOf(request)
  const { lines } = await readDescribedBasket(sql, user.accountId, basketId)
  const given = answersOfLines(lines, Answers)
  const missing = given.flatMap(({ line, questions, own, nth }) =>
    unanswered(questions, own, line.Participants, nth),
  )
  if (missing.length > 0 && Next === undefined) throw problems.validation(missing)
  const Lines = given.map(({ line, own }) => ({ BookingReference: line.BookingReference, Answers: own }))
  try {
    await describeBasket(sql, byUser(user), { basketId, request: { Customer, Lines } })
  } catch (error) {
    throw asOfForm(error, Answers, Lines)
  }
}

/** The same error, with the field of each line's answer renamed to that answer's place in the form. */
function asOfForm(error: unknown, given: LineAnswer[], lines: readonly { Answers: LineAnswer[] }[]): unknown {
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
