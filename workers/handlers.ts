/** The handler of every job: one service call each. A handler may run twice, and does its work once. */
import { auditPlaces } from '../src/bookings/audit/service.ts'
import { finishErasures } from '../src/customers/erasing.ts'
import { eraseOldCustomers, sweepEmails } from '../src/customers/retention.ts'
import { createSending } from '../src/emails/sending.ts'
import { sweepExpiredHolds } from '../src/places/expiry.ts'
import { sweepIdempotencyKeys } from '../src/platform/idempotency.ts'
import type { Handlers } from '../src/queue/jobs.ts'
import { createWakeUp } from '../src/queue/wake-up.ts'
import { topUpSchedules } from '../src/schedules/service.ts'
import { sweepPartnerCalls } from '../src/scorecards/service.ts'
import type { Services } from '../src/services.ts'
import { auditLastDays } from '../src/usage/audit/service.ts'
import { recordPlatformEvents, sweepPlatformEvents } from '../src/usage/platform-events.ts'
import { createEntryIds } from '../src/usage/recording.ts'
import { makePartitionsAhead } from '../src/usage/storage-queries.ts'
import { createStoring } from '../src/usage/storing.ts'
import { sweepSignIns } from '../src/users/service.ts'
import { sweepWorkflows } from '../src/workflows/sweep.ts'

const monthsAhead = 3
const auditedDays = 7

/** Does work in steps until there is none left, and gives how much it was. */
async function untilNone(step: () => Promise<number>): Promise<number> {
  let sum = 0
  for (let done = await step(); done > 0; done = await step()) sum += done
  return sum
}

export function jobHandlers(services: Services): Handlers {
  const { sql, log, config, state, queue, metrics } = services
  const wakeEvents = createWakeUp(queue, 'platform-events.record')
  const wakeEmails = createWakeUp(queue, 'emails.send')
  const takeIds = createEntryIds(sql)
  return {
    'schedules.top-up': () => topUpSchedules(sql, config.SCHEDULE_HORIZON_DAYS),
    'idempotency-keys.sweep': () => untilNone(() => sweepIdempotencyKeys(sql)),
    'sign-ins.sweep': () => sweepSignIns(sql),
    'usage.store': createStoring(services, state),
    'usage.make-partitions': () => makePartitionsAhead(sql, monthsAhead),
    'usage.audit': () => auditLastDays(sql, auditedDays, log),
    'bookings.audit': () => auditPlaces(sql, log),
    'partner-calls.sweep': () => sweepPartnerCalls(sql),
    'personal-data.erase-old': () => eraseOldCustomers(sql, config),
    'erasures.finish': () => finishErasures(sql, config.DATA_DIR),
    'emails.sweep': () => untilNone(() => sweepEmails(sql, config)),
    'platform-events.record': () =>
      recordPlatformEvents(sql, takeIds, (meter) => metrics.eventsRecorded.inc({ meter })),
    'platform-events.sweep': () => untilNone(() => sweepPlatformEvents(sql)),
    'holds.sweep': async () => {
      const ended = await untilNone(() => sweepExpiredHolds(sql))
      // What was freed may have been offered to somebody.
      if (ended > 0) wakeEmails()
      return ended
    },
    'workflows.sweep': () => sweepWorkflows(sql, wakeEmails),
    'emails.send': createSending({
      ...{ sql, log, config, state, wakeEvents },
      processed: (outcome) => metrics.emails.inc({ outcome }),
    }),
  }
}
