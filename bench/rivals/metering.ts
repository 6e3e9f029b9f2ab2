/**
 * Ways to record usage over HTTP: one that validates and does nothing, one that stores and adds up before it
 * responds, and two that put one job for each entry into a queue, BullMQ’s or pg-boss’s.
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Queue } from 'bullmq'
import PgBoss from 'pg-boss'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { Type } from '../../src/platform/schema/typebox.ts'

export const queueName = 'one-entry'
export type RivalEntry = { Meter: string; Usage: number }
/** Stores the entries; returns their ids, if it has any. */
type Take = (entries: RivalEntry[]) => Promise<(string | number)[]>

const entrySchema = Type.Object({
  Meter: Type.String({ minLength: 1, maxLength: 255 }),
  Usage: Type.Number({ exclusiveMinimum: 0 }),
  ExtraInfo: Type.Optional(Type.String()),
  OccurredAt: Type.Optional(Type.Integer()),
})
const takenSchema = Type.Object({
  ID: Type.Union([Type.Integer(), Type.String()]),
  Meter: Type.String(),
  Usage: Type.Number(),
})
const single = { body: entrySchema, response: { 201: Type.Object({ data: takenSchema }) } }
const batch = {
  body: Type.Object({ Entries: Type.Array(entrySchema, { minItems: 1, maxItems: 1000 }) }),
  response: { 201: Type.Object({ data: Type.Array(takenSchema) }) },
}
const mebibyte = 1024 * 1024

type Stores = { sql: Sql; databaseUrl: string; redisUrl: string | undefined; queue: string | undefined }

export const meteringRivals: FastifyPluginAsyncTypebox<Stores> = async (app, stores) => {
  const ways: Record<string, Take> = {
    bare: async (entries) => entries.map((_, index) => index + 1),
    textbook: (entries) => record(stores.sql, entries),
  }
  if (stores.queue === 'bullmq') ways.queued = await openBullmq(stores)
  if (stores.queue === 'pg-boss') ways.queued = await openPgBoss(stores)
  for (const [path, take] of Object.entries(ways)) {
    const answer = async (entries: RivalEntry[]) => {
      const ids = await take(entries)
      return entries.map(({ Meter, Usage }, index) => ({ ID: ids[index] ?? 0, Meter, Usage }))
    }
    app.post(`/usage/${path}`, { schema: single }, async ({ body }, reply) => {
      const [data] = await answer([body])
      return reply.code(201).send({ data: data! })
    })
    app.post(`/usage/${path}/batch`, { schema: batch, bodyLimit: 10 * mebibyte }, async ({ body }, reply) => {
      return reply.code(201).send({ data: await answer(body.Entries) })
    })
  }
}

/** The textbook: rows and totals in one transaction, with meters in order, so that no deadlock occurs. */
export function record(sql: Sql, entries: RivalEntry[]): Promise<number[]> {
  const meters = entries.map(({ Meter }) => Meter)
  const usages = entries.map(({ Usage }) => String(Usage))
  return sql.begin(async (tx) => {
    const made = await tx<{ id: number }[]>`
      insert into rival_entries (meter, usage)
      select meter, usage from unnest(${meters}::text[], ${usages}::numeric[]) as entry (meter, usage)
      returning id`
    await tx`
      insert into rival_totals as kept (meter, day, total, events)
      select meter, current_date, sum(usage), count(*)
      from unnest(${meters}::text[], ${usages}::numeric[]) as entry (meter, usage)
      group by meter order by meter
      on conflict (meter, day) do update set total = kept.total + excluded.total, events = kept.events + excluded.events`
    return made.map(({ id }) => id)
  })
}

async function openBullmq({ redisUrl }: Stores): Promise<Take> {
  const queue = new Queue<RivalEntry>(queueName, { connection: { url: redisUrl! } })
  await queue.waitUntilReady()
  return async (entries) => {
    const [first] = entries
    const jobs =
      entries.length === 1
        ? [await queue.add('entry', first!)]
        : await queue.addBulk(entries.map((data) => ({ name: 'entry', data })))
    return jobs.map(({ id }) => id!)
  }
}

async function openPgBoss({ databaseUrl }: Stores): Promise<Take> {
  const boss = new PgBoss({ connectionString: databaseUrl, max: 10 })
  await boss.start()
  await boss.createQueue(queueName)
  return async (entries) => {
    if (entries.length === 1) return [(await boss.send(queueName, entries[0]!))!]
    await boss.insert(entries.map((data) => ({ name: queueName, data })))
    return []
  }
}
