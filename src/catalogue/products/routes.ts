/**
 * Routes for partners: the list of products, one product, and its waiver questions. Partners see only
 * products in the shopfront; the list of changes also has products that have left it.
 */

import { callerHasOtherData, sendRevalidated } from '../../http/conditional.ts'
import { problemResponses, reading } from '../../http/openapi.ts'
import { problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { envelope, linkNext } from '../../http/wire.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import type { Read } from '../../platform/postgres/replica.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { activityUuid } from '../model.ts'
import { findProduct, findProductByName, findProductByTranslation, listProducts } from '../queries.ts'
import { listQuestionsOfActivity } from '../question-queries.ts'
import { activityPathSchema, productSchema, questionSchema } from '../schemas.ts'
import { translatedQuestion } from '../translation.ts'
import { setContentLanguage, wantedLanguages } from '../translations/negotiation.ts'
import { isForChanges, listChanges } from './changes.ts'
import { listedProductSchema, productLinkHeader, productsQuerySchema } from './schemas.ts'
import { changedProductView, productView, questionView } from './views.ts'

type PartnerCatalogueOptions = { sql: Sql; read: Read; publicUrl: string }

export const catalogueRoutes: Routes<PartnerCatalogueOptions> = (app, { sql, read, publicUrl }) => {
  app.get(
    '/marketplace/products',
    {
      schema: {
        operationId: 'listProducts',
        tags: ['Products'],
        summary: 'List the products in the shopfront, or follow what changes',
        description:
          'Names and descriptions are in the first language of `Accept-Language` to which the operator has translated the product, otherwise in the operator’s language; `Content-Language` lists the languages of the response. The products are ordered by ID. The list is complete unless `Limit` is given; then the `Link` header leads to the next page. Store the result, and refresh it with `If-None-Match`. With `UpdatedSince` or `Cursor`, the response lists each changed product once, in its current state, in the order of the latest changes. A product that has left the shopfront has only its `ID`, its `ActivityID` and `InShopfront` false. To continue, request the address in `Link: rel="next"`, which every response with changes has. Store this address even if a page is empty: a later request for it gets the changes since then. A product that changes again is listed again; no change is missed. A cursor from before a restore or a failover of the database gets 422: list all products again.',
        querystring: productsQuerySchema,
        response: {
          200: { ...envelope(Type.Array(listedProductSchema)), headers: productLinkHeader },
          304: Type.Null({
            description: 'The response has not changed since the one that `If-None-Match` names.',
          }),
          ...problemResponses(...reading),
        },
      },
    },
    async (request, reply) => {
      const { name, Limit: limit, After: after } = request.query
      const { accountId } = request.caller
      const languages = wantedLanguages(request)
      if (isForChanges(request.query)) {
        const { products, next } = await listChanges(sql, accountId, request.query, languages)
        setContentLanguage(request, reply, products)
        reply.header('link', linkNext(publicUrl, request.url, { Cursor: next }))
        return { data: products.map(changedProductView) }
      }
      // One more row than requested shows whether there is a next page.
      const filter = { name, inShopfront: true, after, limit: limit && limit + 1, languages }
      const list = async (from: Sql) => {
        const found = await listProducts(from, accountId, filter)
        const listed = found.slice(0, limit)
        return {
          listed,
          products: listed.map(productView),
          isLast: found.length <= (limit ?? found.length),
        }
      }
      let page = await read(list)
      // The list may come from a standby, and be older than the caller's stored copy. If it differs from that
      // copy, it is read again from the primary, so that the caller never replaces its copy with an older list.
      if (callerHasOtherData(request, page.products)) page = await list(sql)
      if (!page.isLast)
        reply.header('link', linkNext(publicUrl, request.url, { After: String(page.products.at(-1)!.ID) }))
      setContentLanguage(request, reply, page.listed)
      return sendRevalidated(request, reply, page.products)
    },
  )

  app.get(
    '/marketplace/resolve-product',
    {
      schema: {
        operationId: 'resolveProduct',
        tags: ['Products'],
        summary: 'Find one product by ID or by name',
        description:
          'Give either `ID` or `Name`. `Name` is the whole name, in the operator’s language or in a language to which the product is translated, without regard to case. The texts of the product are in a language of `Accept-Language`, as in the list.',
        querystring: Type.Object({
          ID: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [12] })),
          Name: Type.Optional(Type.String({ maxLength: 255, examples: ['Sunset kayak tour'] })),
        }),
        response: {
          200: envelope(productSchema),
          ...problemResponses(...reading, 'product-lookup', 'product-not-found'),
        },
      },
    },
    async (request, reply) => {
      const { ID, Name } = request.query
      if ((ID === undefined) === (Name === undefined)) throw problems.productLookup()
      const { accountId } = request.caller
      const languages = wantedLanguages(request)
      const product =
        ID === undefined
          ? await read((from) => resolveName(from, accountId, Name!, languages))
          : await read((from) => findProduct(from, accountId, ID, languages))
      if (!product?.inShopfront) throw problems.productNotFound()
      setContentLanguage(request, reply, [product])
      return { data: productView(product) }
    },
  )

  for (const segment of ['marketplace', 'core'] as const) {
    app.get(
      `/${segment}/questions/:ActivityID`,
      {
        schema: {
          operationId: `listQuestions${segment === 'core' ? 'Core' : ''}`,
          tags: ['Questions'],
          summary: 'List the waiver questions of an activity',
          description:
            'In the operator’s order. The customer must answer the required questions before the booking. The questions are in the first language of `Accept-Language` to which the product is translated. `Options` are never translated, because answers contain them. Show `OptionLabels` instead, if a question has them.',
          params: activityPathSchema,
          response: {
            200: envelope(Type.Array(questionSchema)),
            ...problemResponses(...reading, 'invalid-activity-id', 'activity-not-found'),
          },
        },
      },
      async (request, reply) => {
        const uuid = activityUuid(request.params.ActivityID)
        const { accountId } = request.caller
        const languages = wantedLanguages(request)
        const found = await read((from) => listQuestionsOfActivity(from, accountId, uuid, languages))
        if (!found) throw problems.activityNotFound()
        setContentLanguage(request, reply, [found])
        const questions = found.questions.map((question) => translatedQuestion(question, found.translation))
        return { data: questions.map(questionView) }
      },
    )
  }
}

/** Finds the product in the shopfront with this name, or else one with this name in a translation. */
async function resolveName(sql: Sql, accountId: number, name: string, languages: readonly string[]) {
  const product = await findProductByName(sql, accountId, name, languages)
  return product?.inShopfront ? product : findProductByTranslation(sql, accountId, name, languages)
}
