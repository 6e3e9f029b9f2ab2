/** The routes of the operator's partners and their terms. */

import { listPartners } from '../../accounts/service.ts'
import { byKey } from '../../events/actor.ts'
import { changing, problemResponses, reading } from '../../http/openapi.ts'
import type { Routes } from '../../http/routes.ts'
import { envelope } from '../../http/wire.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runAgain } from '../../platform/postgres/run-once.ts'
import { Type } from '../../platform/schema/typebox.ts'
import * as schemas from './schemas.ts'
import { readPartnerTerms, replacePartnerTerms } from './service.ts'

export const partnerTermsRoutes: Routes<{ sql: Sql }> = (app, { sql }) => {
  app.get(
    '/partners',
    {
      schema: {
        operationId: 'listPartners',
        tags: ['Operator: partners'],
        summary: 'List partners',
        description: 'All partners, by name. A partner is made with its first key.',
        response: { 200: envelope(Type.Array(schemas.partnerSchema)), ...problemResponses(...reading) },
      },
    },
    async (request) => {
      const partners = await listPartners(sql, request.caller.accountId)
      return { data: partners.map(({ id, name }) => ({ ID: id, Name: name })) }
    },
  )

  app.get(
    '/partners/:PartnerID/terms',
    {
      schema: {
        operationId: 'readPartnerTerms',
        tags: ['Operator: partners'],
        summary: 'Read a partner’s terms',
        description: 'Terms for all products first, then by product. Only the operator sees them.',
        params: schemas.partnerPathSchema,
        response: { 200: envelope(schemas.partnerTermsSchema), ...problemResponses(...reading, 'not-found') },
      },
    },
    async (request) => {
      const partnerId = Number(request.params.PartnerID)
      return { data: await readPartnerTerms(sql, request.caller.accountId, partnerId) }
    },
  )

  app.put(
    '/partners/:PartnerID/terms',
    {
      schema: {
        operationId: 'replacePartnerTerms',
        tags: ['Operator: partners'],
        summary: 'Replace a partner’s terms',
        description:
          'Send the whole list; an empty one ends all terms. Terms for a product take precedence over those for all products. A booking keeps the terms of its sale.',
        params: schemas.partnerPathSchema,
        body: schemas.partnerTermsListSchema,
        response: {
          200: envelope(schemas.partnerTermsSchema),
          ...problemResponses(...changing, 'not-found'),
        },
      },
    },
    async (request) => {
      const given = { partnerId: Number(request.params.PartnerID), terms: request.body.Terms }
      return { data: await runAgain(sql, (tx) => replacePartnerTerms(tx, byKey(request.caller), given)) }
    },
  )
}
