/**
 * The routes of availability with a constant response: the cost of HTTP, the checks of the query and writing
 * JSON alone.
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { dateEntrySchema, daySchema, timeslotEntrySchema } from '../../src/catalogue/availability/schemas.ts'
import { activityPathSchema } from '../../src/catalogue/schemas.ts'
import { envelope } from '../../src/http/wire.ts'
import { Type } from '../../src/platform/schema/typebox.ts'

/** Returns what the last PUT stored, so that it is as long as the response that it is compared with. */
export const availabilityRivals: FastifyPluginAsyncTypebox = async (app) => {
  const kinds = {
    dates: { query: Type.Object({ StartDate: daySchema, EndDate: daySchema }), entry: dateEntrySchema },
    timeslots: { query: Type.Object({ Date: daySchema }), entry: timeslotEntrySchema },
  }
  for (const [kind, { query, entry }] of Object.entries(kinds)) {
    let data: never[] = []
    app.put<{ Body: { data: never[] } }>(`/constant/${kind}`, async ({ body }, reply) => {
      data = body.data
      return reply.code(204).send()
    })
    const response = { 200: envelope(Type.Array(entry)) }
    const schema = { params: activityPathSchema, querystring: query, response }
    app.get(`/constant/:ActivityID/${kind}`, { schema }, async () => ({ data }))
  }
}
