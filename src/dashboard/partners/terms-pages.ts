/**
 * The page of a partner with its terms, and the form for the terms of one product or of all other products.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { listPartners } from '../../accounts/service.ts'
import {
  commissionSchema,
  netPriceSchema,
  type PartnerTerm,
  partnerPathSchema,
} from '../../catalogue/partner-terms/schemas.ts'
import { changePartnerTerm, readPartnerTerms } from '../../catalogue/partner-terms/service.ts'
import { listProducts, type Product } from '../../catalogue/products/service.ts'
import { getProduct } from '../../catalogue/reading.ts'
import { byUser } from '../../events/actor.ts'
import { problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { versionOf } from '../../http/versions.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runOnce } from '../../platform/postgres/run-once.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { checkForm, onceOf, renameFaults } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import { showFormAgain } from '../frame/meanwhile.ts'
import { textsFor } from '../frame/texts.ts'
import { readPercent } from '../parts/amounts.ts'
import { comparePrices, priceFieldOf, takePrices } from '../parts/price-fields.ts'
import { storedWords } from '../parts/stored-words.ts'
import { partnerPage, type ShownTerms, termsFaults, termsPage } from './terms-views.ts'

/**
 * `ProductID` is the product of the terms; empty for the terms that apply to all products without terms of
 * their own.
 */
const productQuerySchema = Type.Object({
  ProductID: Type.Optional(Type.String({ pattern: '^([1-9]\\d{0,15})?$' })),
})
const Version = Type.String()
const termsForm = Type.Object({
  Commission: Type.Optional(commissionSchema),
  UnitPrices: Type.Optional(Type.Array(netPriceSchema, { maxItems: 100 })),
  Version,
})

type AboutTerms = FastifyRequest<{
  Params: { PartnerID: string }
  Querystring: Static<typeof productQuerySchema>
}>

export const termsPages: Routes<{ sql: Sql }> = (app, { sql }) => {
  const schema = { hide: true, params: partnerPathSchema }
  const ofProduct = { ...schema, querystring: productQuerySchema }

  app.get('/partners/:PartnerID', { schema }, async (request, reply) => {
    const { session, params } = request
    const { accountId } = session.user
    const partner = await readPartner(accountId, Number(params.PartnerID))
    const [terms, products] = await Promise.all([
      readPartnerTerms(sql, accountId, partner.id),
      listProducts(sql, accountId, {}),
    ])
    const body = partnerPage(session, textsFor(request), { partner, terms, products })
    return sendDashboard(reply, session, { title: partner.name, body })
  })

  app.get('/partners/:PartnerID/terms', { schema: ofProduct }, async (request, reply) => {
    const terms = await readPartnerTerms(sql, request.session.user.accountId, idsOf(request).partnerId)
    const values = asForm(termOf(request, terms), await readProduct(request))
    return sendForm(request, reply, { values, faults: null, version: versionOf(terms) })
  })

  app.post(
    '/partners/:PartnerID/terms',
    {
      schema: { ...ofProduct, body: termsForm },
      attachValidation: true,
      preValidation: [takePrices, readTypedValues],
    },
    async (request, reply) => {
      const { session, body } = request
      const ids = idsOf(request)
      try {
        checkForm(request)
        const { Commission, UnitPrices = [], Version: seen } = body
        const term = {
          ProductID: ids.productId,
          ...(Commission !== undefined && { Commission }),
          ...(UnitPrices.length > 0 && { NetPrices: UnitPrices }),
        }
        await runOnce(sql, onceOf(request, 'partner-terms.change'), async (tx) => ({
          terms: await changePartnerTerm(tx, byUser(session.user), { ...ids, term, seen }),
        }))
        return reply.redirect(doneAt(pathOf(ids), 'partner-terms'), 303)
      } catch (error) {
        const product = await readProduct(request)
        const renamed = renameFaults(error, (field) => {
          const name = field.replace(/^Terms\[\d+\]\./, '').replace(/^NetPrices/, 'UnitPrices')
          return priceFieldOf(name, body.UnitPrices)
        })
        const { status, faults, version } = await showFormAgain(renamed, async () => {
          const state = await readPartnerTerms(sql, session.user.accountId, ids.partnerId)
          const existing = asForm(termOf(request, state), product)
          const t = textsFor(request)
          const others = comparePrices(t, body.UnitPrices, existing.UnitPrices)
          const shownAs = storedWords(t)
          return { given: body, existing, state, fields: ['Commission'], others, shownAs }
        })
        const shown = {
          values: body,
          faults: faults && termsFaults(textsFor(request), faults, product),
          version,
        }
        return sendForm(request, reply, shown, status)
      }
    },
  )

  app.post(
    '/partners/:PartnerID/terms/remove',
    { schema: { ...ofProduct, body: Type.Object({ Version }) } },
    async (request, reply) => {
      const { session, body } = request
      const change = { ...idsOf(request), term: null, seen: body.Version }
      await runOnce(sql, onceOf(request, 'partner-terms.remove'), async (tx) => ({
        terms: await changePartnerTerm(tx, byUser(session.user), change),
      }))
      return reply.redirect(doneAt(pathOf(change), 'partner-terms-removed'), 303)
    },
  )

  async function sendForm(request: AboutTerms, reply: FastifyReply, shown: ShownTerms, status = 200) {
    const { session } = request
    const partner = await readPartner(session.user.accountId, idsOf(request).partnerId)
    const product = await readProduct(request)
    const t = textsFor(request)
    return sendDashboard(reply, session, {
      title: t.say('terms.of', { partner: partner.name }),
      body: termsPage(session, t, { partner, product }, shown),
      status,
    })
  }

  async function readPartner(accountId: number, id: number) {
    const partner = (await listPartners(sql, accountId)).find((one) => one.id === id)
    if (!partner) throw problems.partnerNotFound()
    return partner
  }

  /** The product in the address; null for the terms that apply to all products without terms of their own. */
  async function readProduct(request: AboutTerms): Promise<Product | null> {
    const { productId } = idsOf(request)
    return productId === null ? null : getProduct(sql, request.session.user.accountId, productId)
  }
}

function idsOf({ params, query }: AboutTerms) {
  return { partnerId: Number(params.PartnerID), productId: query.ProductID ? Number(query.ProductID) : null }
}

function pathOf({ partnerId }: { partnerId: number }): string {
  return `/dashboard/partners/${partnerId}`
}

function termOf(request: AboutTerms, terms: readonly PartnerTerm[]): PartnerTerm | undefined {
  const { productId } = idsOf(request)
  return terms.find(({ ProductID }) => ProductID === productId)
}

/**
 * The values of the form for stored terms. In stored terms, the default unit has the id 0; the form has the
 * real id of this unit, if the product has units.
 */
function asForm(term: PartnerTerm | undefined, product: Product | null) {
  const defaultId = product?.units?.find(({ isDefault }) => isDefault)?.id ?? 0
  const prices = term?.NetPrices?.map(({ UnitID, Amount }) => ({ UnitID: UnitID || defaultId, Amount }))
  return { Commission: term?.Commission, UnitPrices: prices }
}

async function readTypedValues(request: FastifyRequest): Promise<void> {
  const body = request.body as { Commission?: string }
  if (body.Commission) body.Commission = readPercent(body.Commission, textsFor(request).locale)
}
