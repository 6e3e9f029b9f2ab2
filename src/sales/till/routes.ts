/** The operator's routes that read tills. People open and close tills in the dashboard. */
import { problemResponses, reading, readingOne } from '../../http/openapi.ts'
import type { Routes } from '../../http/routes.ts'
import { envelope, linkNext } from '../../http/wire.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { Type } from '../../platform/schema/typebox.ts'
import * as schemas from './schemas.ts'
import { browseMovements, browseTills, readTill } from './service.ts'

const tags = ['Tills']

/** A key may read what an owner sees. */
const asOwner = ({ accountId }: { accountId: number }) => ({ accountId, userId: 0, role: 'owner' }) as const

export const tillsRoutes: Routes<{ sql: Sql; publicUrl: string }> = (app, { sql, publicUrl }) => {
  app.get(
    '/tills',
    {
      schema: {
        operationId: 'listTills',
        tags,
        summary: 'List tills',
        description:
          'The latest opened first, each with its expected cash. A till belongs to one user and has one currency: cash that the user takes in the dashboard goes into it. `Link: rel="next"` leads to the rest.',
        querystring: schemas.tillsQuerySchema,
        response: { 200: envelope(Type.Array(schemas.tillSchema)), ...problemResponses(...reading) },
      },
    },
    async (request, reply) => {
      const { tills, next } = await browseTills(sql, asOwner(request.caller), request.query)
      if (next) reply.header('link', linkNext(publicUrl, request.url, { Cursor: next }))
      return { data: tills }
    },
  )

  app.get(
    '/tills/:TillID',
    {
      schema: {
        operationId: 'readTill',
        tags,
        summary: 'Read a till',
        description: 'With its expected cash. A closed till never changes.',
        params: schemas.tillPathSchema,
        response: {
          200: envelope(schemas.tillSchema),
          ...problemResponses(...readingOne, 'validation', 'not-found'),
        },
      },
    },
    async ({ caller, params }) => ({ data: await readTill(sql, asOwner(caller), Number(params.TillID)) }),
  )

  app.get(
    '/tills/:TillID/movements',
    {
      schema: {
        operationId: 'listCashMovements',
        tags,
        summary: 'List the cash that went into a till and out of it',
        description: 'The latest first. `Link: rel="next"` leads to the rest.',
        params: schemas.tillPathSchema,
        querystring: schemas.cashPageSchema,
        response: {
          200: envelope(Type.Array(schemas.cashMovementSchema)),
          ...problemResponses(...reading, 'not-found'),
        },
      },
    },
    async (request, reply) => {
      const { caller, params, query } = request
      const { movements, next } = await browseMovements(sql, asOwner(caller), Number(params.TillID), query)
      if (next) reply.header('link', linkNext(publicUrl, request.url, { Cursor: next }))
      return { data: movements }
    },
  )
}
