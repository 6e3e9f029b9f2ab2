/**
 * The subjects of the metering benchmark: each accepts entries over HTTP, and all but the bare Fastify count them, at
 * once or later.
 */
import type { Sql } from '../src/platform/postgres/database.ts'
import { makeAccount, usageRequests } from './fixtures.ts'
import { type Figures, runLoad } from './harness/load.ts'
import { type Running, startRivals, startWebs, startWorkers, stopAll } from './harness/processes.ts'
import type { Pids } from './harness/processor.ts'
import type { Workplace } from './harness/stores.ts'

export type Way = { size: number; unique: boolean; connections: number; seconds: number }
export type Subject = {
  name: string
  ours: boolean
  /** Whether it stores the accepted entries at all. */
  keeps: boolean
  workplace: Workplace
  webs: Running[]
  workers: Running[]
  /** Entries acknowledged so far. */
  accepted: number
  /** Entries that were sent but got no response: the totals may have them or not. */
  unanswered: number
  /** The processes whose processor time counts, including workers after their start. */
  pids(): Pids
  startWorkers(): Promise<void>
  record(way: Way): Promise<Figures>
  /** Entries in the totals. */
  countCounted(): Promise<number>
  stop(): Promise<void>
}

type Parts = Pick<Subject, 'name' | 'ours' | 'keeps' | 'workplace' | 'webs' | 'countCounted'> & {
  requests: (size: number) => ReturnType<typeof usageRequests>
  start: () => Promise<Running[]>
}

function createSubject({ requests, start, ...parts }: Parts): Subject {
  const { webs, workplace } = parts
  const subject: Subject = {
    ...parts,
    workers: [],
    accepted: 0,
    unanswered: 0,
    pids: () => ({ web: pidsOf(webs), worker: pidsOf(subject.workers), ...workplace.pids }),
    async startWorkers() {
      subject.workers = await start()
    },
    async record({ size, unique, connections, seconds }) {
      const targets = webs.map(({ url }) => url)
      const figures = await runLoad({ targets, requests: requests(size), connections, seconds, unique })
      subject.accepted += figures.accepted * size
      subject.unanswered += figures.unanswered * size
      return figures
    },
    stop: () => stopAll([...webs, ...subject.workers]),
  }
  return subject
}

const pidsOf = (running: Running[]) => running.map(({ pid }) => pid)

/** One web process of this service, with the queue in Redis or in PostgreSQL; the worker is started later. */
export async function openOurs(workplace: Workplace, store: 'Redis' | 'PostgreSQL'): Promise<Subject> {
  const { databaseUrl, redisUrl, sql } = workplace
  const { token } = await makeAccount(sql)
  const environment: Record<string, string> = { DATABASE_URL: databaseUrl }
  if (store === 'Redis') environment.REDIS_URL = redisUrl
  return createSubject({
    name: `this service, queue in ${store}`,
    ours: true,
    keeps: true,
    workplace,
    webs: await startWebs(1, environment),
    requests: (size) => usageRequests([token], { size }),
    start: () => startWorkers(1, environment),
    async countCounted() {
      const [row] = await sql<{ events: number }[]>`
        select coalesce(sum(events), 0)::bigint as events from meter_daily`
      return row!.events
    },
  })
}

export type RivalKind = { name: string; path: string; queue?: 'bullmq' | 'pg-boss' }

export const bare: RivalKind = { name: 'bare Fastify, which keeps nothing', path: '/usage/bare' }
export const textbook: RivalKind = { name: 'Fastify, textbook insert and total', path: '/usage/textbook' }
export const queues: RivalKind[] = [
  { name: 'BullMQ, one job for each entry', path: '/usage/queued', queue: 'bullmq' },
  { name: 'pg-boss, one job for each entry', path: '/usage/queued', queue: 'pg-boss' },
]

export async function openRival(workplace: Workplace, { name, path, queue }: RivalKind): Promise<Subject> {
  const { databaseUrl, redisUrl, sql } = workplace
  const environment = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, RIVAL_QUEUE: queue ?? '' }
  const start = (program: string) => startRivals(1, ['dist', 'bench', 'rivals', program], environment)
  return createSubject({
    name,
    ours: false,
    keeps: path !== bare.path,
    workplace,
    webs: await start('web.js'),
    requests: (size) => usageRequests([''], { size, path }),
    start: async () => (queue ? start('worker.js') : []),
    countCounted: () => countRivalEntries(sql),
  })
}

export async function countRivalEntries(sql: Sql): Promise<number> {
  const [row] = await sql<
    { events: number }[]
  >`select coalesce(sum(events), 0)::bigint as events from rival_totals`
  return row!.events
}
