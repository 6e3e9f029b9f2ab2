/** Counts a worker's jobs for /metrics. Counters begin at 0, so that a rate includes the first increment. */
import { outcomes } from '../src/messaging/emails/marking.ts'
import { meterRules } from '../src/metering/built-in.ts'
import type { Metrics } from '../src/metrics.ts'
import { jobs } from '../src/queue/jobs.ts'
import { queueNames } from '../src/queue/queues.ts'
import type { JobObserver } from '../src/queue/worker.ts'

export function countJobs({ jobsProcessed, jobsStalled, emails, eventsRecorded }: Metrics): JobObserver {
  for (const queue of queueNames) jobsStalled.inc({ queue }, 0)
  for (const [job_name, { queue }] of Object.entries(jobs))
    for (const outcome of ['completed', 'failed']) jobsProcessed.inc({ queue, job_name, outcome }, 0)
  for (const outcome of outcomes) emails.inc({ outcome }, 0)
  for (const { meter } of meterRules) eventsRecorded.inc({ meter }, 0)
  return {
    processed: (queue, job_name, outcome) => jobsProcessed.inc({ queue, job_name, outcome }),
    stalled: (queue) => jobsStalled.inc({ queue }),
  }
}
