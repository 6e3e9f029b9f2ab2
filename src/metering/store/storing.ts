/**
 * The worker's part of metering: merges the jobs it holds into few statements, and never fails one for good.
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

const retryMilliseconds = 500
// A statement costs PostgreSQL a millisecond plus 16 µs for each entry, and jobs of single entries hold a few
// dozen.
const intervalMs = 25
// Each statement ends after 50 seconds, and a batch that is split has many.
const batchTimeoutMs = 10 * 60_000

/**
 * Stores the entries of a job. When it resolves, they are committed, or set aside with the reason. While
 * PostgreSQL is out of reach it waits, until it is back or the process stops, so that an outage uses up none
 * of the job's tries.
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
    // The number of jobs that a worker holds is the limit.
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
        await delay(retryMilliseconds)
      }
    }
  }
}
