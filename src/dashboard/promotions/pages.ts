/** Pages of promotions: the list, the form, and the buttons that end and restart a promotion. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { listProductNames, listProducts } from '../../catalogue/products/service.ts'
import { byUser } from '../../events/actor.ts'
import { Problem } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { versionOf } from '../../http/versions.ts'
import type { Texts } from '../../languages/texts.ts'
import { runAgain, runOnce } from '../../platform/postgres/run-once.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { dateIn } from '../../platform/text/calendar.ts'
import {
  newPromotionSchema,
  promotionChangeSchema,
  promotionPathSchema,
  promotionSchema,
  promotionsQuerySchema,
} from '../../sales/promotion/schemas.ts'
import {
  browsePromotions,
  changePromotion,
  createPromotion,
  readOnePromotion,
} from '../../sales/promotion/service.ts'
import { promotionState } from '../../sales/promotion/views.ts'
import { inWords } from '../frame/fault-words.ts'
import type { ShownForm } from '../frame/form-fields.ts'
import { checkForm, type FormFaults, faultsOf, onceOf, renameFaults } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import { showFormAgain } from '../frame/meanwhile.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { textsFor } from '../frame/texts.ts'
import { readAmount, readPercent } from '../parts/amounts.ts'
import { storedWords } from '../parts/stored-words.ts'
import { promotionFieldNames, promotionForm, promotionLabels } from './form-views.ts'
import { promotionList, promotionSummary } from './list-views.ts'

const changedPromotionForm = Type.Object({ ...promotionChangeSchema.properties, Version: Type.String() })
const activeForm = Type.Object({ Active: promotionSchema.properties.Active })

const list = '/dashboard/promotions'
const assets = ['catalogue.css']

type AboutPromotion = FastifyRequest<{ Params: { PromotionID: string } }>
type ShownPromotion = ShownForm & { version: string; status?: number }

export const promotionPages: Routes<DashboardOptions> = (app, { sql }) => {
  app.get(
    '/promotions',
    { schema: { hide: true, querystring: promotionsQuerySchema } },
    async (request, reply) => {
      const { session, query, url } = request
      const { accountId, timeZone } = session.user
      const [{ promotions, next }, products] = await Promise.all([
        browsePromotions(sql, accountId, query),
        listProductNames(sql, accountId),
      ])
      const today = dateIn(timeZone, new Date())
      const shown = { promotions, products, query, url, next, today }
      const t = textsFor(request)
      const body = promotionList(session, t, shown)
      return sendDashboard(reply, session, { title: t.say('promotion.list'), body, assets })
    },
  )

  app.get('/promotions/new', { schema: { hide: true } }, (request, reply) =>
    sendNew(request, reply, { values: {}, faults: null }),
  )

  app.post(
    '/promotions',
    {
      schema: { hide: true, body: newPromotionSchema },
      attachValidation: true,
      preValidation: readTypedValues,
    },
    async (request, reply) => {
      const { session, body } = request
      try {
        checkForm(request)
        await runOnce(sql, onceOf(request, 'promotion.create'), (tx) =>
          createPromotion(tx, byUser(session.user), body),
        )
        return reply.redirect(doneAt(list, 'saved'), 303)
      } catch (error) {
        const { faults, status } = faultsOf(inForm(error))
        if (error instanceof Problem && error.slug === 'promotion-code-taken')
          faults.fields.set('Code', 'is already used by another promotion')
        return sendNew(request, reply, {
          values: body,
          faults: promotionFaults(textsFor(request), faults),
          status,
        })
      }
    },
  )

  app.get(
    '/promotions/:PromotionID',
    { schema: { hide: true, params: promotionPathSchema } },
    async (request, reply) => {
      const values = await readOnePromotion(sql, request.session.user.accountId, idOf(request))
      return sendPromotion(request, reply, {
        values,
        faults: null,
        version: versionOf(promotionState(values)),
      })
    },
  )

  app.post(
    '/promotions/:PromotionID',
    {
      schema: { hide: true, params: promotionPathSchema, body: changedPromotionForm },
      attachValidation: true,
      preValidation: readTypedValues,
    },
    async (request, reply) => {
      const { session, body } = request
      const id = idOf(request)
      try {
        checkForm(request)
        const { Version: seen, ...stated } = body
        await runOnce(sql, onceOf(request, 'promotion.change'), (tx) =>
          changePromotion(tx, byUser(session.user), { id, request: stated, seen, isWhole: true }),
        )
        return reply.redirect(doneAt(list, 'saved'), 303)
      } catch (error) {
        const shown = await showFormAgain(inForm(error), async () => {
          const existing = await readOnePromotion(sql, session.user.accountId, id)
          const [state, fields] = [promotionState(existing), promotionFieldNames]
          return { given: body, existing, state, fields, shownAs: storedWords(textsFor(request)) }
        })
        return sendPromotion(request, reply, {
          ...shown,
          faults: shown.faults && promotionFaults(textsFor(request), shown.faults),
        })
      }
    },
  )

  app.post(
    '/promotions/:PromotionID/active',
    { schema: { hide: true, params: promotionPathSchema, body: activeForm } },
    async (request, reply) => {
      const { Active } = request.body
      const change = { id: idOf(request), request: { Active } }
      await runAgain(sql, (tx) => changePromotion(tx, byUser(request.session.user), change))
      return reply.redirect(doneAt(list, Active ? 'promotion-begun' : 'promotion-ended'), 303)
    },
  )

  async function sendNew(
    request: FastifyRequest,
    reply: FastifyReply,
    { status = 200, ...shown }: ShownForm & { status?: number },
  ) {
    const { session } = request
    const choices = await readChoices(session.user.accountId)
    const t = textsFor(request)
    const body = promotionForm(session, t, { ...choices, id: null }, shown)
    return sendDashboard(reply, session, { title: t.say('promotion.new'), status, body, assets })
  }

  async function sendPromotion(
    request: AboutPromotion,
    reply: FastifyReply,
    { status = 200, ...shown }: ShownPromotion,
  ) {
    const { session } = request
    const { accountId, timeZone } = session.user
    const id = idOf(request)
    const [existing, choices] = await Promise.all([
      readOnePromotion(sql, accountId, id),
      readChoices(accountId),
    ])
    const t = textsFor(request)
    const summary = promotionSummary(session, t, {
      promotion: existing,
      today: dateIn(timeZone, new Date()),
    })
    const body = promotionForm(session, t, { ...choices, id, summary }, shown)
    const title = t.say('promotion.title', { code: existing.Code })
    return sendDashboard(reply, session, { title, status, body, assets })
  }

  /** The products to choose from, and the currency of the first product as the default for an amount. */
  async function readChoices(accountId: number) {
    const [products, [first]] = await Promise.all([
      listProductNames(sql, accountId),
      listProducts(sql, accountId, { limit: 1 }),
    ])
    return { products, currency: first?.currency ?? '' }
  }
}

function idOf({ params }: AboutPromotion): number {
  return Number(params.PromotionID)
}

/** Renames the fields of an error: in the form, all checkboxes of products have the name `ProductIDs`. */
function inForm(error: unknown): unknown {
  return renameFaults(error, (field) => field.replace(/^ProductIDs\[\d+\]$/, 'ProductIDs'))
}

function promotionFaults(t: Texts, faults: NonNullable<FormFaults>): FormFaults {
  const fields = new Map(faults.fields)
  if (/^or Amount/.test(fields.get('Percent') ?? '')) fields.set('Percent', 'or Amount is needed')
  return inWords({ ...faults, fields }, promotionLabels(t))
}

type PromotionText = { Code?: string; Percent?: string; Amount?: string; Currency?: string }

/** Converts the text of the form to the values of the API. Without an amount, the currency is dropped. */
async function readTypedValues(request: FastifyRequest): Promise<void> {
  const body = request.body as PromotionText
  const { locale } = textsFor(request)
  if (body.Code) body.Code = body.Code.trim()
  if (body.Percent) body.Percent = readPercent(body.Percent, locale)
  if (body.Amount) body.Amount = readAmount(body.Amount, locale)
  if (body.Currency) body.Currency = body.Currency.trim().toUpperCase()
  if (!body.Amount) delete body.Currency
}
