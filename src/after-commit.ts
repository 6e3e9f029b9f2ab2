/**
 * What a process does after a transaction of its own has committed: it wakes the workers that have something to do, and
 * counts what happened. A process that dies before that loses nothing: schedules find the work.
 */
import { eventsAmong } from './events/append.ts'
import { hasLeftEmails } from './messaging/emails/left.ts'
import { metersAmong } from './metering/store/counting.ts'
import type { Metrics } from './metrics.ts'
import { listenForCommits } from './platform/postgres/commit-notes.ts'
import type { Sql } from './platform/postgres/database.ts'
import type { JobQueue } from './queue/producer.ts'
import { createWakeUp } from './queue/wake-up.ts'

export function actAfterCommits(sql: Sql, queue: JobQueue, metrics: Metrics): void {
  const wakePump = createWakeUp(queue, 'events.number')
  const wakeEmails = createWakeUp(queue, 'emails.send')
  listenForCommits(sql, (notes) => {
    const events = eventsAmong(notes)
    if (events.length > 0) wakePump(events.map(({ accountId }) => accountId))
    for (const { type, actor } of events)
      if (type.startsWith('booking.')) metrics.bookingEvents.inc({ event: type, actor: actor.kind })
    for (const meter of metersAmong(notes)) metrics.eventsRecorded.inc({ meter })
    if (hasLeftEmails(notes)) wakeEmails()
  })
}
