/** The operator's routes for the refund terms of a product. */

import { byKey } from '../../events/actor.ts'
import { changing, problemResponses, reading } from '../../http/openapi.ts'
import type { Routes } from '../../http/routes.ts'
import { envelope } from '../../http/wire.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runAgain } from '../../platform/postgres/run-once.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { refundTermsSchema } from '../refund-steps.ts'
import { productPathSchema } from '../schemas.ts'
import { readRefundTerms, replaceRefundTerms } from './service.ts'

export const refundTermsRoutes: Routes<{ sql: Sql }> = (app, { sql }) => {
  app.get(
    '/products/:ProductID/refund-terms',
    {
      schema: {
        operationId: 'readRefundTerms',
        tags: ['Catalogue'],
        summary: 'Read a product’s refund terms',
        description: 'The terms for new bookings, the longest time before the start first; none by default.',
        params: productPathSchema,
        response: { 200: envelope(refundTermsSchema), ...problemResponses(...reading, 'not-found') },
      },
    },
    async (request) => {
      const productId = Number(request.params.ProductID)
      return { data: await readRefundTerms(sql, request.caller.accountId, productId) }
    },
  )

  app.put(
    '/products/:ProductID/refund-terms',
    {
      schema: {
        operationId: 'replaceRefundTerms',
        tags: ['Catalogue'],
        summary: 'Replace a product’s refund terms',
        description:
          'Send the whole list, in any order; an empty one ends all terms. A percentage must not rise as the start comes nearer. Earlier bookings keep the terms that were in force when they were made.',
        params: productPathSchema,
        body: Type.Object({ RefundTerms: refundTermsSchema }, { title: 'RefundTermsList' }),
        response: { 200: envelope(refundTermsSchema), ...problemResponses(...changing, 'not-found') },
      },
    },
    async (request) => {
      const given = { productId: Number(request.params.ProductID), terms: request.body.RefundTerms }
      return { data: await runAgain(sql, (tx) => replaceRefundTerms(tx, byKey(request.caller), given)) }
    },
  )
}
