/** A time limit for synchronous work. It interrupts the work, which would block the event loop otherwise. */
import { createContext, Script } from 'node:vm'
import { processorClock } from './processor-time.ts'

/** Thrown for work that takes longer than its limit. */
export class TimeLimitError extends Error {}

const maxTries = 4

const limited: { work: () => void } = { work() {} }
const context = createContext(limited)
const script = new Script('work()')

/**
 * Runs `work` and returns its result. Interrupts the work after `limitMs`, and then runs it again, so it must
 * be safe to repeat. Gives up after two tries in which the work had the processor for most of the time (in
 * the first one, V8 may have spent the time compiling code), or after four tries. If the processor was busy
 * with something else, the further tries may take twice as long, so all tries together block the event loop for at
 * most seven times the limit.
 * @param clock counts processor time. If it cannot count this thread alone, a third try must use up the time too,
 * because other threads may have used it in the first two. Tests replace it.
 * @throws TimeLimitError if the work takes too long; otherwise the error of `work`.
 */
export function withinTime<T>(limitMs: number, work: () => T, clock = processorClock): T {
  let triesLeft = clock.ofThread ? 2 : 3
  let waitMs = limitMs
  for (let tried = 1; ; tried++) {
    const before = clock.readMs()
    try {
      return interruptAfter(waitMs, work)
    } catch (error) {
      if (!isTimeout(error)) throw error
      const hadProcessor = clock.readMs() - before > (limitMs * 3) / 4
      if (hadProcessor) triesLeft--
      else waitMs = 2 * limitMs
      if (triesLeft === 0 || tried === maxTries) throw new TimeLimitError('it takes too long')
    }
  }
}

/**
 * Runs `work` and returns its result. Interrupts the work after `milliseconds`. The context is used only for
 * its time limit. It does not isolate: `work` can do all that this process can.
 */
function interruptAfter<T>(milliseconds: number, work: () => T): T {
  let result: T | undefined
  limited.work = () => {
    result = work()
  }
  script.runInContext(context, { timeout: milliseconds })
  return result as T
}

function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
