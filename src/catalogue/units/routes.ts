/** The operator's routes for the units of a product. */
import { byKey } from '../../events/actor.ts'
import { changing, problemResponses, reading } from '../../http/openapi.ts'
import type { Routes } from '../../http/routes.ts'
import { envelope } from '../../http/wire.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runAgain } from '../../platform/postgres/run-once.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { unitSchema } from '../sale-schemas.ts'
import { productPathSchema } from '../schemas.ts'
import { unitListSchema } from './schemas.ts'
import { readUnits, replaceUnits } from './service.ts'
import { unitView } from './views.ts'

export const unitRoutes: Routes<{ sql: Sql }> = (app, { sql }) => {
  const response = { 200: envelope(Type.Array(unitSchema)) }

  app.get(
    '/products/:ProductID/units',
    {
      schema: {
        operationId: 'readUnits',
        tags: ['Catalogue'],
        summary: 'List a product’s units',
        description:
          'In the operator’s order. The list is empty for a product without units, which sells places.',
        params: productPathSchema,
        response: { ...response, ...problemResponses(...reading, 'not-found') },
      },
    },
    async (request) => {
      const units = await readUnits(sql, request.caller.accountId, Number(request.params.ProductID))
      return { data: units.map(unitView) }
    },
  )

  app.put(
    '/products/:ProductID/units',
    {
      schema: {
        operationId: 'replaceUnits',
        tags: ['Catalogue'],
        summary: 'Replace a product’s units',
        description:
          'Send the whole list, in its order. A unit with a `UnitID` is changed, and a unit without it is added. An existing unit that is left out is no longer sold, but stays in its bookings; the net prices of partners for it are deleted. Exactly one unit is the default unit; its `Price` becomes the price of the product. Bookings keep the prices of their sale.',
        params: productPathSchema,
        body: unitListSchema,
        response: { ...response, ...problemResponses(...changing, 'not-found') },
      },
    },
    async (request) => {
      const given = { productId: Number(request.params.ProductID), units: request.body.Units }
      const { units } = await runAgain(sql, (tx) => replaceUnits(tx, byKey(request.caller), given))
      return { data: units.map(unitView) }
    },
  )
}
