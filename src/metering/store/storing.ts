/** The worker's side of metering: merges the jobs it holds into few statements, and never gives one up. */
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
// A statement costs PostgreSQL a millisecond besides 16 µs for each entry, and jobs of single entries hold some tens.
const intervalMs = 25
// Each of its statements is given up after 50 seconds, and a batch that is stored apart has many.
const patienceMilliseconds = 10 * 60_000

/**
 * Stores the entries of a job; when it resolves they are committed, or parked with the reason. While PostgreSQL
 * is out of reach it waits, for as long as that takes or until the process is told to stop, so that an outage
 * uses up none of the job's tries.
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
    // The jobs that a worker holds at once are the bound.
    maxWaiting: Number.POSITIVE_INFINITY,
    patience: patienceMilliseconds,
    refusal: () => new Error('unreachable'),
    observe: metrics.observeBatches('usage-storing'),
    async run(items) {
      metrics.entriesStored.inc(await storeEntries(sql, items.flat()))
      return items.map(() => undefined)
    },
  })
  return async (tuples) => {
    const entries = tuples.map(fromTuple)
    for (let told = false; ; told = true) {
      try {
        return await batches.add(entries)
      } catch (error) {
        if (!isOutOfReach(error) || state.draining) throw error
        if (!told) log.warn({ err: error }, 'usage waits for PostgreSQL')
        await delay(retryMilliseconds)
      }
    }
  }
}
