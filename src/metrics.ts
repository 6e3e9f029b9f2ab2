/**
 * The metrics of a process. docs/metrics.md describes each one. Code that counts gets its metrics as a
 * parameter. Labels are few and known in advance, and none names an account, a key or a customer.
 */
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { isTestAccount } from './accounts/model.ts'
import type { TryOutcome } from './messaging/webhooks/deliveries/model.ts'
import type { BatchObserver } from './platform/async/batcher.ts'
import { countSpans } from './platform/tracing/tracing.ts'

export type Metrics = ReturnType<typeof createMetrics>

// The smallest bucket is for responses from memory, the largest for the default time limit of
// requests. OTAs set limits of 1 and 2 s.
const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10]
// The smallest bucket is for receivers in the same network, the largest for tries at their time limit.
const trySeconds = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]
const batchSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const batchItems = [1, 2, 5, 10, 25, 50, 100, 250, 1000, 2500, 10_000]

export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const batch = {
    items: new Histogram({
      name: 'batch_items',
      help: 'Items of a batch, by batcher.',
      labelNames: ['batcher'],
      buckets: batchItems,
      registers,
    }),
    wait: new Histogram({
      name: 'batch_wait_seconds',
      help: 'How long the first item of a batch waited, by batcher.',
      labelNames: ['batcher'],
      buckets: batchSeconds,
      registers,
    }),
    duration: new Histogram({
      name: 'batch_duration_seconds',
      help: 'How long a batch took, by batcher.',
      labelNames: ['batcher'],
      buckets: batchSeconds,
      registers,
    }),
  }
  const webhookTries = new Counter({
    name: 'webhook_tries_total',
    help: 'Tries of webhook deliveries of live accounts: delivered, refused, gone or unanswered.',
    labelNames: ['outcome'],
    registers,
  })
  // Each counter starts at 0, so that a rate includes the first increment.
  for (const outcome of ['delivered', 'refused', 'gone', 'unanswered']) webhookTries.inc({ outcome }, 0)
  const webhookDurations = new Histogram({
    name: 'webhook_try_duration_seconds',
    help: 'How long tries of webhook deliveries of live accounts took, with or without a response.',
    buckets: trySeconds,
    registers,
  })
  new Counter({
    name: 'trace_spans_total',
    help: 'Finished spans of sampled traces: exported, or dropped because the receiver did not take them in time.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset()
      for (const [outcome, count] of Object.entries(countSpans())) this.inc({ outcome }, count)
    },
  })
  return {
    registry,
    requestDurations: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'How long requests took, by method, route and status code.',
      labelNames: ['method', 'route', 'status_code'],
      buckets: requestSeconds,
      registers,
    }),
    bookingOperations: new Counter({
      name: 'booking_operations_total',
      help: 'Requests that take, move or free places: done, replayed, or the problem that refused them.',
      labelNames: ['operation', 'outcome'],
      registers,
    }),
    bookingEvents: new Counter({
      name: 'booking_events_total',
      help: 'Events of bookings, in every channel, by actor.',
      labelNames: ['event', 'actor'],
      registers,
    }),
    entriesAccepted: new Counter({
      name: 'usage_entries_accepted_total',
      help: 'Usage entries that became durable, by path: in the queue, or directly in PostgreSQL.',
      labelNames: ['path'],
      registers,
    }),
    entriesStored: new Counter({
      name: 'usage_entries_stored_total',
      help: 'Usage entries that this process added to the totals. Usage from events is not counted here.',
      registers,
    }),
    eventsRecorded: new Counter({
      name: 'platform_events_recorded_total',
      help: 'Events of the log that became usage, by built-in meter.',
      labelNames: ['meter'],
      registers,
    }),
    emails: new Counter({
      name: 'emails_processed_total',
      help: 'Outcomes of due e-mails of live accounts: sent, retried, failed, dropped, waiting or lost.',
      labelNames: ['outcome'],
      registers,
    }),
    jobsProcessed: new Counter({
      name: 'queue_jobs_processed_total',
      help: 'Tries of jobs: completed or failed.',
      // Prometheus itself uses `job`.
      labelNames: ['queue', 'job_name', 'outcome'],
      registers,
    }),
    jobsStalled: new Counter({
      name: 'queue_jobs_stalled_total',
      help: 'Jobs taken over from a worker that died or was too busy to renew its lock.',
      labelNames: ['queue'],
      registers,
    }),
    /**
     * Counts a try of a webhook delivery and measures its duration. Ignores test accounts, and deliveries whose event
     * has expired.
     */
    observeTry({ delivery, isDelivered, isGone, isExpired, httpStatus, durationMs }: TryOutcome): void {
      if (isTestAccount(delivery.accountId) || isExpired) return
      const answered = isDelivered ? 'delivered' : isGone ? 'gone' : 'refused'
      webhookTries.inc({ outcome: httpStatus === null ? 'unanswered' : answered })
      webhookDurations.observe(durationMs / 1000)
    },
    observeBatches(batcher: string): BatchObserver {
      const items = batch.items.labels(batcher)
      const wait = batch.wait.labels(batcher)
      const duration = batch.duration.labels(batcher)
      const observe: BatchObserver = ({ count, waitedMs, tookMs }) => {
        items.observe(count)
        wait.observe(waitedMs / 1000)
        duration.observe(tookMs / 1000)
      }
      return Object.assign(observe, { batcher })
    },
  }
}

/** Measures memory, processor time, the event loop and the garbage collector; once for each process. */
export function measureProcess({ registry }: Metrics): void {
  collectDefaultMetrics({ register: registry })
}
