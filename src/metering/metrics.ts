/** What metering counts, as it is handed to it: src/metrics.ts says what becomes of it. */
import type { ObserveBatches } from '../platform/async/batcher.ts'

export type UsageCounters = {
  /** Entries that this process saw become part of the totals. */
  entriesStored: { inc(entries: number): void }
  /** Entries that became durable: in the queue, or directly in PostgreSQL. */
  entriesAccepted: { inc(labels: { path: 'queue' | 'direct' }, entries: number): void }
  observeBatches: ObserveBatches
}
