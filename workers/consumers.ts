/**
 * The work that follows each event exactly once: consumers run in the transaction that numbers the events.
 */
import type { EventConsumer } from '../src/events/pump/pump.ts'
import { queueEventEmails } from '../src/messaging/emails/from-events.ts'
import { noteNumbered } from '../src/messaging/webhooks/wake-up.ts'
import { followLanguage } from '../src/messaging/workflows/following.ts'
import { createEntryIds } from '../src/metering/ingest/recording.ts'
import { createMeteredConsumer } from '../src/metering/store/counting.ts'
import type { Sql } from '../src/platform/postgres/database.ts'
import { writeSearchWords } from '../src/sales/booking/search/service.ts'
import { noteFollowed } from '../src/test-mode/wake-up.ts'

export function eventConsumers(sql: Sql): EventConsumer[] {
  return [
    createMeteredConsumer(createEntryIds(sql)),
    // Before queueEventEmails: the sweep of workflows also locks workflows before e-mails, and another order could
    // deadlock.
    followLanguage,
    queueEventEmails,
    writeSearchWords,
    noteFollowed,
    noteNumbered,
  ]
}
