/** Waits for a condition instead of a time. */
import { setTimeout as delay } from 'node:timers/promises'

/**
 * Resolves as soon as the condition is true. The limit only ends a test that would wait for ever: it leaves a
 * slow machine the time to start processes while other tests run. @throws when the condition is not true
 * within the limit.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  milliseconds = 120_000,
): Promise<void> {
  const deadline = Date.now() + milliseconds
  while (!(await condition())) {
    if (Date.now() > deadline)
      throw new Error(`the condition was not true within ${milliseconds} ms: ${condition}`)
    await delay(20)
  }
}
