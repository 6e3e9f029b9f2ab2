/** Pages of products: the list, which shows and changes what is in the shopfront, and the forms of a product. */
import type { FastifyRequest } from 'fastify'
import { defaultRules } from '../../catalogue/model.ts'
import { listQuestions } from '../../catalogue/products/questions.ts'
import { changeProduct, createProduct, listProducts } from '../../catalogue/products/service.ts'
import { ownProductView } from '../../catalogue/products/views.ts'
import { getProduct } from '../../catalogue/reading.ts'
import { ruleFields } from '../../catalogue/sale-schemas.ts'
import { listSchedules } from '../../catalogue/schedules/editing/service.ts'
import {
  inShopfrontSchema,
  ownProductSchema,
  ownProductsQuerySchema,
  productFields,
  productPathSchema,
} from '../../catalogue/schemas.ts'
import { listLanguages } from '../../catalogue/translation-queries.ts'
import { readTranslations } from '../../catalogue/translations/service.ts'
import { byUser } from '../../events/actor.ts'
import { problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { versionOf } from '../../http/versions.ts'
import type { Texts } from '../../languages/texts.ts'
import { runAgain, runOnce } from '../../platform/postgres/run-once.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { readCursor, writeCursor } from '../../platform/text/cursor.ts'
import { inWords } from '../frame/fault-words.ts'
import { checkForm, type FormFaults, faultsOf, longForm, onceOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import { showFormAgain } from '../frame/meanwhile.ts'
import { textsFor } from '../frame/texts.ts'
import { readAmount } from '../parts/amounts.ts'
import { takeDurations } from '../parts/duration-fields.ts'
import { storedWords } from '../parts/stored-words.ts'
import type { CataloguePageOptions } from './paths.ts'
import {
  listPage,
  newProductPage,
  productChoices,
  productFieldNames,
  productLabels,
  productPage,
  shopfrontBadge,
} from './product-views.ts'

const maxListed = 100

/** The fields of a product's form. The form has all of them, so that an empty field removes the value. */
const productForm = {
  ...productFields,
  InShopfront: inShopfrontSchema,
  BookingCutoffMinutes: ownProductSchema.properties.BookingCutoffMinutes,
  CancelCutoffMinutes: ownProductSchema.properties.CancelCutoffMinutes,
  // A form that an older version of the service has sent out does not have these fields.
  ...Type.Partial(Type.Object(ruleFields)).properties,
}
const newProductForm = Type.Object(productForm)
const changedProductForm = Type.Object({ ...productForm, Version: Type.String() })
const assets = ['catalogue.css']
const takeProductDurations = takeDurations('DurationMinutes', 'BookingCutoffMinutes', 'CancelCutoffMinutes')

export const productPages: Routes<CataloguePageOptions> = (app, { sql, horizonDays }) => {
  app.get(
    '/catalogue',
    { schema: { hide: true, querystring: ownProductsQuerySchema } },
    async (request, reply) => {
      const { session, query } = request
      const { Name: name, InShopfront, Limit = maxListed, Cursor } = query
      const position = Cursor === undefined ? [0] : readCursor(Cursor, ['number'])
      if (!position) throw problems.cursor()
      const inShopfront = InShopfront && InShopfront === 'true'
      const filter = { name, inShopfront, after: position[0]!, limit: Limit + 1 }
      const found = await listProducts(sql, session.user.accountId, filter)
      const products = found.slice(0, Limit)
      const next = found.length > Limit ? writeCursor([products.at(-1)!.id]) : null
      const t = textsFor(request)
      const body = listPage(session, t, { products, query, url: request.url, next })
      return sendDashboard(reply, session, { title: t.say('catalogue.title'), body, assets })
    },
  )

  app.post(
    '/catalogue/:ProductID/shopfront',
    {
      schema: {
        hide: true,
        params: productPathSchema,
        querystring: ownProductsQuerySchema,
        body: Type.Object({ InShopfront: inShopfrontSchema }),
      },
    },
    async ({ session, params, query, body }, reply) => {
      const given = { id: Number(params.ProductID), change: body, horizonDays }
      await runAgain(sql, (tx) => changeProduct(tx, byUser(session.user), given))
      const list = new URLSearchParams(query as Record<string, string>)
      const path = `/dashboard/catalogue${list.size > 0 ? `?${list}` : ''}`
      return reply.redirect(doneAt(path, body.InShopfront ? 'in-shopfront' : 'out-of-shopfront'), 303)
    },
  )

  app.get('/catalogue/new', { schema: { hide: true } }, async (request, reply) => {
    const { session } = request
    const { accountId, timeZone } = session.user
    const [other] = await listProducts(sql, accountId, { limit: 1 })
    const values = {
      TimeZone: timeZone,
      Price: { Currency: other?.currency },
      BookingCutoffMinutes: 0,
      CancelCutoffMinutes: 0,
      InShopfront: false,
      ...defaultRules,
    }
    const t = textsFor(request)
    const body = newProductPage(session, t, { values, faults: null })
    return sendDashboard(reply, session, { title: t.say('catalogue.new'), body, assets })
  })

  app.post(
    '/catalogue',
    {
      schema: { hide: true, body: newProductForm },
      attachValidation: true,
      bodyLimit: longForm,
      preValidation: [readTypedValues, takeProductDurations],
    },
    async (request, reply) => {
      const { session, body } = request
      try {
        checkForm(request)
        const { answer } = await runOnce(sql, onceOf(request, 'product.create'), async (tx) => {
          const { id } = await createProduct(tx, byUser(session.user), body)
          return { id }
        })
        return reply.redirect(doneAt(`/dashboard/catalogue/${answer.id}`, 'saved'), 303)
      } catch (error) {
        const { faults, status } = faultsOf(error)
        const t = textsFor(request)
        const content = newProductPage(session, t, { values: body, faults: productFaults(t, faults) })
        return sendDashboard(reply, session, { title: t.say('catalogue.new'), body: content, status, assets })
      }
    },
  )

  /** Reads the stored product with everything that its page shows. */
  const read = async (accountId: number, id: number) => {
    const product = await getProduct(sql, accountId, id)
    const [questions, schedules, translated, languages] = await Promise.all([
      listQuestions(sql, accountId, id),
      listSchedules(sql, accountId, id),
      readTranslations(sql, accountId, id),
      listLanguages(sql, accountId),
    ])
    return { product, questions, schedules, translated, languages }
  }

  app.get(
    '/catalogue/:ProductID',
    { schema: { hide: true, params: productPathSchema } },
    async (request, reply) => {
      const { session, params } = request
      const all = await read(session.user.accountId, Number(params.ProductID))
      const { product } = all
      const form = { values: ownProductView(product), faults: null, version: versionOf(product) }
      const t = textsFor(request)
      const body = productPage(session, t, { ...all, form })
      return sendDashboard(reply, session, {
        title: product.name,
        aside: shopfrontBadge(t, product),
        body,
        assets,
      })
    },
  )

  app.post(
    '/catalogue/:ProductID',
    {
      schema: { hide: true, params: productPathSchema, body: changedProductForm },
      attachValidation: true,
      bodyLimit: longForm,
      preValidation: [readTypedValues, takeProductDurations],
    },
    async (request, reply) => {
      const { session, params, body } = request
      const { accountId } = session.user
      const id = Number(params.ProductID)
      try {
        checkForm(request)
        const { Version: seen, ...change } = body
        await runOnce(sql, onceOf(request, 'product.change'), async (tx) => {
          await changeProduct(tx, byUser(session.user), { id, change, horizonDays, seen })
          return { id }
        })
        return reply.redirect(doneAt(`/dashboard/catalogue/${id}`, 'saved'), 303)
      } catch (error) {
        const form = await showFormAgain(error, async () => {
          const state = await getProduct(sql, accountId, id)
          const t = textsFor(request)
          const [existing, fields] = [ownProductView(state), productFieldNames]
          return { given: body, existing, state, fields, shownAs: storedWords(t, productChoices(t)) }
        })
        const all = await read(accountId, id)
        const { product } = all
        const t = textsFor(request)
        const shown = { ...form, faults: form.faults && productFaults(t, form.faults) }
        const content = productPage(session, t, { ...all, form: shown })
        return sendDashboard(reply, session, {
          title: product.name,
          aside: shopfrontBadge(t, product),
          body: content,
          status: form.status,
          assets,
        })
      }
    },
  )
}

/**
 * Adds the labels of the form to the faults. Replaces the message for TakesTimeslot, and the one for
 * PricedPer of a product with units, because these messages contain values of the API that the form does not
 * show.
 */
function productFaults(t: Texts, faults: NonNullable<FormFaults>): FormFaults {
  const fields = new Map(faults.fields)
  if (fields.has('TakesTimeslot'))
    fields.set('TakesTimeslot', 'is possible only with a price for the whole booking')
  if (/units$/.test(fields.get('PricedPer') ?? ''))
    fields.set('PricedPer', 'must be “each person” while the product has units')
  return inWords({ ...faults, fields }, productLabels(t))
}

/** Converts the text of a product's form to the values of the API. A missing description becomes empty. */
async function readTypedValues(request: FastifyRequest): Promise<void> {
  const body = request.body as { Description?: string; Price?: { Amount?: string; Currency?: string } }
  body.Description ??= ''
  if (body.Price?.Amount) body.Price.Amount = readAmount(body.Price.Amount, textsFor(request).locale)
  if (body.Price?.Currency) body.Price.Currency = body.Price.Currency.trim().toUpperCase()
}
