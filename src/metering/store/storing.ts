/**
 * The worker's part of metering: it stores the entries of several jobs in one statement. An outage of
 * PostgreSQL delays a job but does not make it fail.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createBatcher } from '../../platform/async/batcher.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { isOutOfReach } from '../../platform/postgres/errors.ts'
import type { EntryTuple } from '../../queue/jobs.ts'
import type { UsageCounters } from '../metrics.ts'
import { type Entry, fromTuple, measureEntries } from '../model.ts'
import { storeEntries } from './storage.ts'

const retryMs = 500
// Waiting makes batches larger, which saves PostgreSQL work: a statement costs it 1 ms plus 16 µs for each
// entry, and a job has only a few dozen entries if each request recorded one entry.
const intervalMs = 25
// A statement times out after 50 seconds, and a batch with a rejected entry is split into many statements.
const batchTimeoutMs = 10 * 60_000

/**
 * Stores the entries of a job. When it resolves, each entry is committed, or is in usage_rejects with the
 * reason. During an outage of PostgreSQL the job waits until the outage ends, so that it uses up none of its
 * tries.
 * @throws if PostgreSQL is out of reach while the process stops, and as storeEntries() for other errors.
 */
export type StoreJob = (tuples: EntryTuple[]) => Promise<void>

export function createStoring(
  { sql, log, metrics }: { sql: Sql; log: Logger; metrics: UsageCounters },
  state: { draining: boolean },
): StoreJob {
  const batches = createBatcher<Entry[], undefined>({
    measure: measureEntries,
    maxSize: 10_000,
    maxBytes: 16 * 1024 * 1024,
    concurrency: 2,
    intervalMs,
    // No limit is needed here, because the worker limits the number of jobs that it processes at once.
    maxWaiting: Number.POSITIVE_INFINITY,
    timeoutMs: batchTimeoutMs,
    refusal: () => new Error('unreachable'),
    observe: metrics.observeBatches('usage-storing'),
    async run(items) {
      metrics.entriesStored.inc(await storeEntries(sql, items.flat()))
      return items.map(() => undefined)
    },
  })
  return async (tuples) => {
    const entries = tuples.map(fromTuple)
    for (let hasWarned = false; ; hasWarned = true) {
      try {
        return await batches.add(entries)
      } catch (error) {
        if (!isOutOfReach(error) || state.draining) throw error
        if (!hasWarned) log.warn({ err: error }, 'usage waits for PostgreSQL')
        await delay(retryMs)
      }
    }
  }
}
