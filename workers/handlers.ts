/** The handler of every job: one service call each. A handler may run twice, and does its work once. */
import { sweepIdempotencyKeys } from '../src/platform/idempotency.ts'
import type { Handlers } from '../src/queue/jobs.ts'
import { topUpSchedules } from '../src/schedules/service.ts'
import type { Services } from '../src/services.ts'

export function jobHandlers({ sql, config }: Services): Handlers {
  return {
    'schedules.top-up': () => topUpSchedules(sql, config.SCHEDULE_HORIZON_DAYS),
    'idempotency-keys.sweep': () => sweepIdempotencyKeys(sql),
  }
}
