/**
 * Limits the time that the templates of each account take in a process. Each try to render a single template
 * can block the event loop for 50 ms, or longer on a busy machine, and a template that is too slow is tried two to
 * four times. The budget prevents an account from rendering one template right after another.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { processorClock } from '../../platform/async/processor-time.ts'

export type RenderBudget = {
  /**
   * Runs work that renders templates of an account, and counts its time. Between two calls of `work`, the
   * event loop can process other events.
   * @param work called with the current debt of the account in milliseconds, which owedMs() returns too.
   */
  take<T>(accountId: number, work: (owedMs: number) => T): Promise<T>
  /** Milliseconds until the account is within its share of the time again. */
  owedMs(accountId: number): number
}

/** The share of the time that the templates of an account may take. */
const share = 0.1

/**
 * Above this debt, an account's previews are refused. Two or three templates in a row that each take the
 * whole time limit in all their tries cause it.
 */
export const previewToleranceMs = 2000

/** Above this debt, a worker waits before it goes on with the account's e-mails. */
export const sendingToleranceMs = 100

/**
 * Counts the lesser of processor time and elapsed time. Elapsed time alone would use up the account's budget while
 * something else keeps the machine busy.
 * @param now a clock in milliseconds. Tests replace it and `processorMs`.
 */
export function createRenderBudget(
  now = () => performance.now(),
  processorMs = processorClock.readMs,
): RenderBudget {
  /** When each account will be within its share again. */
  const paidAt = new Map<number, number>()
  const owedMs = (accountId: number) => Math.max(0, (paidAt.get(accountId) ?? 0) - now())
  let before: Promise<unknown> = Promise.resolve()

  function count<T>(accountId: number, work: (owedMs: number) => T): T {
    const [begun, used] = [now(), processorMs()]
    try {
      return work(owedMs(accountId))
    } finally {
      const tookMs = Math.min(now() - begun, processorMs() - used)
      paidAt.set(accountId, now() + owedMs(accountId) + tookMs / share)
    }
  }

  return {
    owedMs,
    async take(accountId, work) {
      const turn = before.then(() => nextTurn())
      before = turn
      await turn
      return count(accountId, work)
    },
  }
}
