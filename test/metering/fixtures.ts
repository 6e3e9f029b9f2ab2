/**
 * Fixtures for tests of metering: the app with its queue on Redis or on PostgreSQL, and workers beside it.
 */

import { pino } from 'pino'
import t, { type Test } from 'tap'
import type { Entry } from '../../src/metering/model.ts'
import type { EntryTuple } from '../../src/queue/jobs.ts'
import { startJobWorker } from '../../src/queue/worker.ts'
import { measureStores } from '../../src/reports/store-gauges.ts'
import { closeServices, openServices, queueOptions, type Services } from '../../src/services.ts'
import { countJobs } from '../../workers/counting.ts'
import { jobHandlers } from '../../workers/handlers.ts'
import { build, makeCaller } from '../helper.ts'
import { until } from '../until.ts'

export type StoreName = 'redis' | 'postgres'
export const redisUrl = process.env.TEST_REDIS_URL ?? ''
const skip = redisUrl ? false : 'there is no Redis here'

/** Runs a test as one subtest for each store that can keep the queues. */
export async function onBothStores(name: string, test: (t: Test, store: StoreName) => Promise<void>) {
  await t.test(`${name}, queues on Redis`, { skip }, (t) => test(t, 'redis'))
  await t.test(`${name}, queues on PostgreSQL`, (t) => test(t, 'postgres'))
}

type Settings = Parameters<typeof build>[1] & { timeZone?: string; workers?: number }

/**
 * The app with a key for usage, a queue that is ready, and running workers. With workers, a summary waits up
 * to 50 seconds until they have stored earlier entries; without workers, it waits for the usual time.
 */
export async function buildUsage(t: Test, store: StoreName, settings: Settings = {}) {
  const { timeZone = 'Europe/Lisbon', workers = 1, environment = {}, ...others } = settings
  const redis: Record<string, string> = store === 'redis' ? { REDIS_URL: redisUrl } : {}
  const longTimeout = { REQUEST_TIMEOUT_SECONDS: '60' }
  const built = await build(t, {
    ...others,
    environment: { ...longTimeout, ...redis, ...environment },
    services: { ...(workers > 0 && { maxSummaryWaitMs: 50_000 }), ...others.services },
  })
  const caller = await makeCaller(built.sql, { timeZone, scopes: ['usage:read', 'usage:write'] })
  for (let started = 0; started < workers; started++) await startWorker(t, built.services, built.url)
  await until(() => built.services.queue.state().reachable)
  return { ...built, ...caller, ...callsOf(built.app, caller.headers) }
}

function callsOf(app: Awaited<ReturnType<typeof build>>['app'], headers: Record<string, string>) {
  return {
    record: (payload: object, more: Record<string, string> = {}) =>
      app.inject({
        method: 'POST',
        url: '/api/v2/usage/meters',
        payload,
        headers: { ...headers, ...more },
      }),
    recordBatch: (Entries: object[], more: Record<string, string> = {}) =>
      app.inject({
        method: 'POST',
        url: '/api/v2/usage/meters/batch',
        payload: { Entries },
        headers: { ...headers, ...more },
      }),
    async summarize(query: string) {
      const answer = await app.inject({ url: `/api/v2/usage/meters?${query}`, headers })
      return { answer, summary: answer.json().data }
    },
    listEntries: (query: string) => app.inject({ url: `/api/v2/usage/entries?${query}`, headers }),
    voidEntry: (id: number | string, payload: object = { Reason: 'sent twice' }) =>
      app.inject({ method: 'POST', url: `/api/v2/usage/entries/${id}/void`, payload, headers }),
  }
}

/**
 * Starts a worker in this process, with its own services. It is closed by `close`, or at the end of the test.
 */
export async function startWorker(t: Test, { config }: Pick<Services, 'config'>, url: string) {
  const services = openServices(config, url, 'test-worker', pino({ level: 'silent' }))
  measureStores(services.metrics.registry, { ...services, replica: null })
  const options = queueOptions(config, url, services.log)
  const worker = await startJobWorker(options, jobHandlers(services), countJobs(services.metrics))
  let closing: Promise<void> | undefined
  const close = () => {
    services.state.draining = true
    closing ??= worker.close().then(() => closeServices(services))
    return closing
  }
  t.teardown(close)
  return { worker, services, close }
}

/** A range with every entry of a test. */
export const everyDay = 'from=1970-01-01&to=2100-01-02'

/** An entry as in a job. */
export function toTuple(entry: Entry): EntryTuple {
  const { accountId, id, acceptedAt, meter, usage, occurredAt, extraInfo } = entry
  return [accountId, id, acceptedAt, meter, usage, occurredAt, extraInfo]
}

/** A valid entry, with the changes of a test. */
export function entry(accountId: number, id: number, changes: Partial<Entry> = {}): Entry {
  const acceptedAt = Date.parse('2026-11-20T10:00:00Z') + id
  const occurredAt = Math.floor(acceptedAt / 1000)
  return { accountId, id, acceptedAt, meter: 'calls', usage: '1', occurredAt, extraInfo: null, ...changes }
}
