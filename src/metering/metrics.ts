/** The counters of metering. src/metrics.ts makes and publishes them. */
import type { ObserveBatches } from '../platform/async/batcher.ts'

export type UsageCounters = {
  /** The entries that this process has added to the totals. Entries made from events are not counted. */
  entriesStored: { inc(entries: number): void }
  /** Entries that became durable: in the queue, or directly in PostgreSQL. */
  entriesAccepted: { inc(labels: { path: 'queue' | 'direct' }, entries: number): void }
  observeBatches: ObserveBatches
}
