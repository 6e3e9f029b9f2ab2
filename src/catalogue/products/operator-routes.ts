/** The operator's routes for products and their questions. */

import { byKey } from '../../events/actor.ts'
import { idempotent, sendOnce } from '../../http/idempotent-request.ts'
import { changing, changingOnce, problemResponses, reading } from '../../http/openapi.ts'
import { readPage, readPosition } from '../../http/paging.ts'
import type { Routes } from '../../http/routes.ts'
import { envelope, idempotencyHeaders, linkNext } from '../../http/wire.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runAgain, runOnce } from '../../platform/postgres/run-once.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { getProduct } from '../reading.ts'
import * as schemas from '../schemas.ts'
import { listQuestions, replaceQuestions } from './questions.ts'
import * as service from './service.ts'
import { ownProductView, questionView } from './views.ts'

type OperatorCatalogueOptions = { sql: Sql; publicUrl: string; horizonDays: number }

export const productRoutes: Routes<OperatorCatalogueOptions> = (app, { sql, publicUrl, horizonDays }) => {
  app.get(
    '/products',
    {
      schema: {
        operationId: 'listOwnProducts',
        tags: ['Catalogue'],
        summary: 'List products',
        description: 'All products, in the shopfront or not, by ID. `Link: rel="next"` leads to the rest.',
        querystring: schemas.ownProductsQuerySchema,
        response: { 200: envelope(Type.Array(schemas.ownProductSchema)), ...problemResponses(...reading) },
      },
    },
    async (request, reply) => {
      const { Name: name, InShopfront, Limit, Cursor } = request.query
      const [after] = readPosition(Cursor, ['number']) ?? [0]
      const filter = { name, inShopfront: InShopfront && InShopfront === 'true', after }
      const { rows, next } = await readPage(
        Limit,
        (limit) => service.listProducts(sql, request.caller.accountId, { ...filter, limit }),
        ({ id }) => [id],
      )
      if (next) reply.header('link', linkNext(publicUrl, request.url, { Cursor: next }))
      return { data: rows.map(ownProductView) }
    },
  )

  app.post(
    '/products',
    {
      schema: {
        operationId: 'createProduct',
        tags: ['Catalogue'],
        summary: 'Make a product',
        description: 'Add its questions, schedules and timeslots with their own operations.',
        headers: idempotencyHeaders,
        body: schemas.newProductSchema,
        response: {
          201: envelope(schemas.ownProductSchema),
          ...problemResponses(...changingOnce, 'account-limit-reached'),
        },
      },
    },
    async (request, reply) => {
      const once = await runOnce(sql, idempotent(request, 'product.create'), async (tx) =>
        ownProductView(await service.createProduct(tx, byKey(request.caller), request.body)),
      )
      return sendOnce(reply, 201, once)
    },
  )

  app.get(
    '/products/:ProductID',
    {
      schema: {
        operationId: 'readProduct',
        tags: ['Catalogue'],
        summary: 'Read a product',
        description: 'The product may be in the shopfront or not.',
        params: schemas.productPathSchema,
        response: { 200: envelope(schemas.ownProductSchema), ...problemResponses(...reading, 'not-found') },
      },
    },
    async (request) => {
      const id = Number(request.params.ProductID)
      return { data: ownProductView(await getProduct(sql, request.caller.accountId, id)) }
    },
  )

  app.patch(
    '/products/:ProductID',
    {
      schema: {
        operationId: 'changeProduct',
        tags: ['Catalogue'],
        summary: 'Change a product',
        description:
          'Partners see a change within seconds. If the time zone changes, the timeslots keep their local times.',
        params: schemas.productPathSchema,
        body: schemas.productChangeSchema,
        response: { 200: envelope(schemas.ownProductSchema), ...problemResponses(...changing, 'not-found') },
      },
    },
    async (request) => {
      const id = Number(request.params.ProductID)
      const product = await runAgain(sql, (tx) =>
        service.changeProduct(tx, byKey(request.caller), { id, change: request.body, horizonDays }),
      )
      return { data: ownProductView(product) }
    },
  )

  app.get(
    '/products/:ProductID/questions',
    {
      schema: {
        operationId: 'readQuestions',
        tags: ['Catalogue'],
        summary: 'List a product’s questions',
        description: 'In the operator’s order.',
        params: schemas.productPathSchema,
        response: {
          200: envelope(Type.Array(schemas.questionSchema)),
          ...problemResponses(...reading, 'not-found'),
        },
      },
    },
    async (request) => {
      const productId = Number(request.params.ProductID)
      const questions = await listQuestions(sql, request.caller.accountId, productId)
      return { data: questions.map(questionView) }
    },
  )

  app.put(
    '/products/:ProductID/questions',
    {
      schema: {
        operationId: 'replaceQuestions',
        tags: ['Catalogue'],
        summary: 'Replace a product’s questions',
        description:
          'Send the whole list, in its order. A question with an `ID` is changed, and a question without it is added. An existing question that is left out is deleted; bookings keep the answers to it.',
        params: schemas.productPathSchema,
        body: schemas.questionListSchema,
        response: {
          200: envelope(Type.Array(schemas.questionSchema)),
          ...problemResponses(...changing, 'not-found'),
        },
      },
    },
    async (request) => {
      const given = { productId: Number(request.params.ProductID), questions: request.body.Questions }
      const questions = await runAgain(sql, (tx) => replaceQuestions(tx, byKey(request.caller), given))
      return { data: questions.map(questionView) }
    },
  )
}
