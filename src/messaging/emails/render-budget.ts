/**
 * How much of a process the templates of each account take. One template stops the event loop for some milliseconds at
 * most; the budget keeps an account from having one rendered after the other.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'

export type RenderBudget = {
  /**
   * Does work that renders templates of an account, and counts its time. The event loop is free before it and after it.
   * @param work is given what the account owes then, as owedMs() has it.
   */
  take<T>(accountId: number, work: (owedMs: number) => T): Promise<T>
  /** Milliseconds until the account has taken no more than its share of the time. */
  owedMs(accountId: number): number
}

/** An account's templates take one tenth of the time at most. */
const share = 0.1

/** Past so much an account's previews are refused: four templates that reached the limit of time. */
export const previewToleranceMs = 2000

/** Past so much a worker waits before it goes on with the account's e-mails. */
export const sendingToleranceMs = 100

/** Milliseconds of the processor that this process has used. */
function readProcessorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Counts the time of the processor, if it is less than what passed: a busy machine is not the account's doing.
 * @param now Milliseconds; tests bring clocks of their own.
 */
export function createRenderBudget(
  now = () => performance.now(),
  processorMs = readProcessorMs,
): RenderBudget {
  /** When each account will have taken no more than its share. */
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
