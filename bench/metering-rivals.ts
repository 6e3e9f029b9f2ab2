/**
 * What metering is measured beside, as processes: a Fastify that validates and does nothing, one that inserts and
 * raises the total in one transaction, and a worker that does the same for each job of one entry.
 */
import { Worker } from 'bullmq'
import { fastify } from 'fastify'
import { Redis } from 'ioredis'
import { Type } from 'typebox'
import { openDatabase, type Sql } from '../src/platform/database.ts'

const sql = openDatabase(process.env.DATABASE_URL!, { poolSize: 10, applicationName: 'abs-bench-rival' })

const body = Type.Object({
  Meter: Type.String({ minLength: 1, maxLength: 255 }),
  Usage: Type.Number({ exclusiveMinimum: 0 }),
  ExtraInfo: Type.Optional(Type.String()),
  OccurredAt: Type.Optional(Type.Integer()),
})
const answer = Type.Object({
  data: Type.Object({ ID: Type.Integer(), Meter: Type.String(), Usage: Type.Number() }),
})
type Entry = { Meter: string; Usage: number }

const app = fastify()
const schema = { body, response: { 201: answer } }
app.post<{ Body: Entry }>('/bare', { schema }, async (request, reply) => {
  const { Meter, Usage } = request.body
  return reply.code(201).send({ data: { ID: 1, Meter, Usage } })
})
app.post<{ Body: Entry }>('/textbook', { schema }, async (request, reply) => {
  const { Meter, Usage } = request.body
  return reply.code(201).send({ data: { ID: await record(sql, request.body), Meter, Usage } })
})
await app.listen({ port: Number(process.env.PORT) })

if (process.env.REDIS_URL) {
  const connection = new Redis(process.env.REDIS_URL, { maxRetriesPerRequest: null })
  new Worker<Entry>('one-entry', ({ data }) => record(sql, data), {
    connection,
    concurrency: 250,
    removeOnComplete: { count: 0 },
  })
}

async function record(on: Sql, { Meter, Usage }: Entry): Promise<number> {
  return on.begin(async (tx) => {
    const [made] = await tx<{ id: number }[]>`
      insert into textbook_entries (meter, usage) values (${Meter}, ${Usage}) returning id`
    await tx`
      insert into textbook_totals as kept (meter, day, total, events) values (${Meter}, current_date, ${Usage}, 1)
      on conflict (meter, day) do update set total = kept.total + excluded.total, events = kept.events + 1`
    return made!.id
  })
}
