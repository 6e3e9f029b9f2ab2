/** Waiting for a condition, instead of for a time. */
import { setTimeout as delay } from 'node:timers/promises'

/** Resolves as soon as the condition holds. @throws when it still does not after `milliseconds`. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  milliseconds = 10_000,
): Promise<void> {
  const deadline = Date.now() + milliseconds
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not so within ${milliseconds} ms: ${condition}`)
    await delay(20)
  }
}
