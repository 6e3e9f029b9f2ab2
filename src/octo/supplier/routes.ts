/** OCTO's route for the supplier: the operator who owns the products. */
import { liveSlugOf } from '../../accounts/model.ts'
import type { Routes } from '../../http/routes.ts'
import type { Read } from '../../platform/postgres/replica.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { capabilitiesOf } from '../capabilities.ts'
import { octoResponses, sendOcto } from '../responses.ts'
import { findSupplier } from './queries.ts'

const supplierSchema = Type.Object(
  {
    id: Type.String({ description: 'The same in live and test mode.', examples: ['lagos-sea-cliff'] }),
    name: Type.String({ examples: ['Lagos Sea & Cliff'] }),
    endpoint: Type.String({ description: 'The base URL of OCTO’s paths.' }),
    contact: Type.Object(
      { website: Type.Null(), email: Type.Null(), telephone: Type.Null(), address: Type.Null() },
      { description: 'Always null. Customers get the operator’s contact data by e-mail.' },
    ),
    shortDescription: Type.Optional(Type.Null()),
    media: Type.Optional(Type.Array(Type.Object({}), { description: 'Always empty.' })),
  },
  { title: 'OctoSupplier' },
)

export const supplierRoutes: Routes<{ read: Read; publicUrl: string }> = (app, { read, publicUrl }) => {
  app.get(
    '/supplier',
    {
      schema: {
        operationId: 'octoGetSupplier',
        tags: ['OCTO'],
        summary: 'Read the supplier',
        description: 'The operator to which the key belongs.',
        response: { 200: supplierSchema, ...octoResponses },
      },
    },
    async (request, reply) => {
      const { slug, name } = await read((sql) => findSupplier(sql, request.caller.accountId))
      const { content } = capabilitiesOf(request)
      return sendOcto(reply, {
        id: liveSlugOf(slug),
        name,
        endpoint: `${publicUrl}/octo`,
        contact: { website: null, email: null, telephone: null, address: null },
        ...(content && { shortDescription: null, media: [] }),
      })
    },
  )
}
