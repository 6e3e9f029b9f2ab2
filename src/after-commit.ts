/**
 * After each commit of a process: wakes the workers that have something to do, and counts events for metrics.
 * If the process dies after the commit and before it wakes a worker, no work is lost, because jobs also run
 * on a schedule.
 */
import { isTestAccount } from './accounts/model.ts'
import { actorKinds } from './events/actor.ts'
import { type CommittedEvent, eventsAmong } from './events/append.ts'
import { bookingEventTypes } from './events/types.ts'
import { hasQueuedEmails } from './messaging/emails/queued.ts'
import { deliveriesAmong } from './messaging/webhooks/wake-up.ts'
import { metersAmong } from './metering/store/counting.ts'
import type { Metrics } from './metrics.ts'
import { listenForCommits } from './platform/postgres/commit-notes.ts'
import type { Sql } from './platform/postgres/database.ts'
import type { JobQueue } from './queue/producer.ts'
import {
  createDeliverWakeUp,
  createEmailWakeUp,
  createFollowWakeUp,
  createPumpWakeUp,
} from './queue/wake-up.ts'
import { followedAmong } from './test-mode/wake-up.ts'

/** Listens to the commits of pools, for as long as they are open. */
export function actAfterCommits(pools: readonly (Sql | null)[], queue: JobQueue, metrics: Metrics): void {
  // Each counter starts at 0, so that a rate includes the first increment.
  for (const event of bookingEventTypes)
    for (const actor of actorKinds) metrics.bookingEvents.inc({ event, actor }, 0)
  const wakePump = createPumpWakeUp(queue)
  const wakeEmails = createEmailWakeUp(queue)
  const wakeFollowers = createFollowWakeUp(queue)
  const wakeDeliveries = createDeliverWakeUp(queue)
  const act = (notes: readonly unknown[]) => {
    const events = eventsAmong(notes)
    if (events.length > 0) wakePump(events.map(({ accountId }) => accountId))
    countBookingEvents(metrics, events)
    for (const meter of metersAmong(notes)) metrics.eventsRecorded.inc({ meter })
    if (hasQueuedEmails(notes)) wakeEmails()
    const followed = followedAmong(notes)
    if (followed.length > 0) wakeFollowers(followed)
    const toDeliver = deliveriesAmong(notes)
    if (toDeliver.length > 0) wakeDeliveries(toDeliver)
  }
  for (const pool of pools) if (pool) listenForCommits(pool, act)
}

/**
 * Counts the events of bookings of live accounts. Consecutive events in a batch mostly have the same type and
 * actor, so the counter is increased once for each such series.
 */
function countBookingEvents({ bookingEvents }: Metrics, events: readonly CommittedEvent[]): void {
  let start = 0
  for (const [index, { accountId, type, actor }] of events.entries()) {
    const next = events[index + 1]
    const isTest = isTestAccount(accountId)
    if (next?.type === type && next.actor.kind === actor.kind && isTestAccount(next.accountId) === isTest)
      continue
    if (type.startsWith('booking.') && !isTest)
      bookingEvents.inc({ event: type, actor: actor.kind }, index + 1 - start)
    start = index + 1
  }
}
