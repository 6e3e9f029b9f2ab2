/** Delays refusals, so that a client that retries at once does not keep the event loop busy with refusals. */
import { setTimeout as delay } from 'node:timers/promises'

/**
 * Returns a function that resolves after about `milliseconds`: between half of that time and
 * one and a half times it. Resolves at once while `most` others wait, so the number of delayed responses has a limit.
 */
export function createHoldBack(milliseconds: number, most: number): () => Promise<void> {
  let held = 0
  return async () => {
    if (held >= most) return
    held++
    await delay(milliseconds * (0.5 + Math.random()))
    held--
  }
}
