/** Answering a little later whoever is refused: a client that asks again at once fills no event loop with refusals. */
import { setTimeout as delay } from 'node:timers/promises'

/**
 * Gives a function that resolves after about so many milliseconds, half as many and half again at the outside; at
 * once while `most` others wait, so that what is held stays bounded.
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
