/** How long the lease of an e-mail lasts: as long as all limits and timeouts of one try together. */
import { smtpTimeoutsMs } from './transport.ts'

/** The time limit of one hand-over. */
export const handoverLimitMs = 30_000

/** The longest time from the claim to the hand-over. An e-mail that is composed later is not handed over. */
export const composeLimitMs = 30_000

/** The sum of all limits and timeouts, although most of the timeouts run at the same time. */
export const leaseMs =
  composeLimitMs +
  handoverLimitMs +
  Object.values(smtpTimeoutsMs).reduce((sum, timeoutMs) => sum + timeoutMs, 0)
