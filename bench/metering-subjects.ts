/** Who records usage in the bench of metering: each takes entries over HTTP and counts them, now or later. */
import type { Sql } from '../src/platform/postgres/database.ts'
import { type Account, usageRequests } from './fixtures.ts'
import { type Figures, runLoad } from './harness/load.ts'
import { type Running, startRivals, startWebs, startWorkers } from './harness/processes.ts'
import type { Workplace } from './harness/stores.ts'

export type Way = { size: number; unique: boolean; connections: number; seconds: number }
export type Subject = {
  name: string
  ours: boolean
  /** Whether what it answers is kept anywhere at all. */
  keeps: boolean
  canBeUnique: boolean
  webs: Running[]
  workers: Running[]
  startWorkers(): Promise<void>
  record(way: Way): Promise<Figures>
  /** Entries in the totals. */
  countCounted(): Promise<number>
}

const rivalWeb = ['dist', 'bench', 'rivals', 'web.js']
const rivalWorker = ['dist', 'bench', 'rivals', 'worker.js']

/** One web process of ours with the queue in Redis or in PostgreSQL; the worker waits to be started. */
export async function openOurs(
  workplace: Workplace,
  { token, accountId }: Account,
  store: 'Redis' | 'PostgreSQL',
): Promise<Subject> {
  const { databaseUrl, redisUrl, sql } = workplace
  const environment: Record<string, string> = { DATABASE_URL: databaseUrl }
  if (store === 'Redis') environment.REDIS_URL = redisUrl
  const webs = await startWebs(1, environment)
  const subject: Subject = {
    name: `this service, queue in ${store}`,
    ours: true,
    keeps: true,
    canBeUnique: true,
    webs,
    workers: [],
    async startWorkers() {
      subject.workers.push(...(await startWorkers(1, environment)))
    },
    record: (way) => record(webs, usageRequests([token], { size: way.size }), way),
    async countCounted() {
      const [row] = await sql<{ events: number }[]>`
        select coalesce(sum(events), 0)::bigint as events from meter_daily where account_id = ${accountId}`
      return row!.events
    },
  }
  return subject
}

export type RivalKind = { name: string; path: string; queue?: 'bullmq' | 'pg-boss' }

export const rivals: RivalKind[] = [
  { name: 'bare Fastify, which keeps nothing', path: '/usage/bare' },
  { name: 'Fastify, textbook insert and total', path: '/usage/textbook' },
  { name: 'BullMQ, one job for each entry', path: '/usage/queued', queue: 'bullmq' },
  { name: 'pg-boss, one job for each entry', path: '/usage/queued', queue: 'pg-boss' },
]

export async function openRival(
  { databaseUrl, redisUrl, sql }: Workplace,
  { name, path, queue }: RivalKind,
): Promise<Subject> {
  const environment = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, RIVAL_QUEUE: queue ?? '' }
  const webs = await startRivals(1, rivalWeb, environment)
  const subject: Subject = {
    name,
    ours: false,
    keeps: path !== '/usage/bare',
    canBeUnique: false,
    webs,
    workers: [],
    async startWorkers() {
      if (queue) subject.workers.push(...(await startRivals(1, rivalWorker, environment)))
    },
    record: (way) => record(webs, usageRequests([''], { size: way.size, path }), way),
    countCounted: () => countRivalEntries(sql),
  }
  return subject
}

export async function countRivalEntries(sql: Sql): Promise<number> {
  const [row] = await sql<
    { events: number }[]
  >`select coalesce(sum(events), 0)::bigint as events from rival_totals`
  return row!.events
}

function record(
  webs: Running[],
  requests: ReturnType<typeof usageRequests>,
  { unique, connections, seconds }: Way,
): Promise<Figures> {
  return runLoad({ targets: webs.map(({ url }) => url), requests, connections, seconds, unique })
}
