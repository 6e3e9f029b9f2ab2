/** How long an e-mail is claimed for: longer than everything its holder may wait for. */
import { smtpTimeoutsMs } from './transport.ts'

/** Longest time that one handover takes. */
export const handoverLimitMs = 30_000

/** Longest time from the claim to the handover; what is composed later is not handed over. */
export const composeLimitMs = 30_000

/** The limits added up, although most of them run at the same time. */
export const leaseMs =
  composeLimitMs +
  handoverLimitMs +
  Object.values(smtpTimeoutsMs).reduce((sum, timeoutMs) => sum + timeoutMs, 0)
