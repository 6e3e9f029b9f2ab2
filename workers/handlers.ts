/**
 * The handler of every job. Handlers are idempotent, because a job may run twice.
 */
import type { Logger } from 'pino'
import { AccountsFailed } from '../src/accounts/each-account.ts'
import { sweepSignIns } from '../src/accounts/users/sign-in.ts'
import { topUpSchedules } from '../src/catalogue/schedules/editing/applying.ts'
import { finishSchedules } from '../src/catalogue/schedules/editing/following.ts'
import { finishErasures } from '../src/customers/erasing.ts'
import { eraseOldCustomers, sweepEmails } from '../src/customers/retention.ts'
import { createPump } from '../src/events/pump/pump.ts'
import { sweepEvents } from '../src/events/retention.ts'
import { sweepExpiredHolds } from '../src/inventory/expiry.ts'
import { createSending } from '../src/messaging/emails/sending.ts'
import { deleteOldDeliveries, listNeeded } from '../src/messaging/webhooks/deliveries/service.ts'
import { sweepWorkflows } from '../src/messaging/workflows/sweep.ts'
import { auditLastDays } from '../src/metering/audit/service.ts'
import { makePartitionsAhead } from '../src/metering/store/queries.ts'
import { createStoring } from '../src/metering/store/storing.ts'
import { checkAllThresholds } from '../src/metering/thresholds/service.ts'
import { sweepIdempotencyKeys } from '../src/platform/postgres/idempotency.ts'
import type { Handlers } from '../src/queue/jobs.ts'
import { createPumpWakeUp } from '../src/queue/wake-up.ts'
import { auditAllTotals } from '../src/reports/sales/totals/audit.ts'
import { updateTotals } from '../src/reports/sales/totals/counting.ts'
import { auditPlaces } from '../src/reports/sales-audit/service.ts'
import { sweepPartnerCalls } from '../src/reports/scorecards/service.ts'
import { checkOwing } from '../src/sales/booking/desk/checking.ts'
import { fillSearchWords } from '../src/sales/booking/search/service.ts'
import { settleOldRefunds } from '../src/sales/ledger/settling-old.ts'
import type { Services } from '../src/services.ts'
import { followLive } from '../src/test-mode/following.ts'
import { sweepTestBookings } from '../src/test-mode/purging.ts'
import { eventConsumers } from './consumers.ts'

const monthsAhead = 3
const auditedDays = 7

/** Runs a step until it returns 0, and returns the sum of its results. */
async function untilNone(step: () => Promise<number>): Promise<number> {
  let sum = 0
  for (let done = await step(); done > 0; done = await step()) sum += done
  return sum
}

export function jobHandlers(services: Services): Handlers {
  const { sql, log, config, state, queue, metrics, renders } = services
  const pump = createPump({
    ...{ sql, log },
    consumers: eventConsumers(sql),
    postponed: createPumpWakeUp(queue),
  })
  const handlers: Handlers = {
    'schedules.top-up': () => topUpSchedules(sql, config.SCHEDULE_HORIZON_DAYS),
    'schedules.finish': () => finishSchedules(sql, config.SCHEDULE_HORIZON_DAYS),
    'idempotency-keys.sweep': () => untilNone(() => sweepIdempotencyKeys(sql)),
    'sign-ins.sweep': () => sweepSignIns(sql),
    'usage.store': createStoring(services, state),
    'usage.make-partitions': () => makePartitionsAhead(sql, monthsAhead),
    'usage.audit': () => auditLastDays(sql, auditedDays, log),
    'usage.check-thresholds': () => checkAllThresholds(sql),
    'bookings.audit': () => auditPlaces(sql, log),
    'sales-totals.keep': () => updateTotals(sql),
    'sales-totals.audit': () => auditAllTotals(sql, log),
    'bookings.check-owing': () => checkOwing(sql),
    'refunds.settle': () => settleOldRefunds(sql),
    'bookings.fill-words': () => fillSearchWords(sql),
    'partner-calls.sweep': () => sweepPartnerCalls(sql),
    'personal-data.erase-old': () => eraseOldCustomers(sql, config),
    'erasures.finish': () => finishErasures(sql, config.DATA_DIR),
    'emails.sweep': () => untilNone(() => sweepEmails(sql, config)),
    'events.number': ({ Accounts }) => pump(Accounts),
    'events.sweep': () => untilNone(async () => sweepEvents(sql, config, await listNeeded(sql))),
    'test-accounts.follow': ({ Accounts: accountIds }) =>
      followLive(sql, { accountIds, dataDir: config.DATA_DIR }),
    'test-bookings.sweep': () => untilNone(() => sweepTestBookings(sql, config.DATA_DIR)),
    'holds.sweep': () => untilNone(() => sweepExpiredHolds(sql)),
    'workflows.sweep': () => sweepWorkflows(sql),
    'webhooks.deliver': ({ Accounts }) => services.webhooks.run(Accounts),
    'webhooks.sweep': () => untilNone(() => deleteOldDeliveries(sql)),
    'emails.send': createSending({
      ...{ sql, log, config, state, renders },
      processed: (outcome) => metrics.emails.inc({ outcome }),
    }),
  }
  const reporting = Object.entries<(payload: never) => Promise<unknown>>(handlers).map(([name, handle]) => [
    name,
    (payload: never) => handle(payload).catch((error) => logAccounts(log, name, error)),
  ])
  return Object.fromEntries(reporting)
}

/** Logs the error of each account for which a job failed, and throws the error again. */
function logAccounts(log: Logger, job: string, error: unknown): never {
  if (error instanceof AccountsFailed)
    for (const { accountId, error: err, errors } of error.failures)
      log.error({ job, accountId, errors, err }, 'a job failed for an account')
  throw error
}
