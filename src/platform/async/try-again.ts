/** Retries work that met a conflict. */
import { setTimeout as delay } from 'node:timers/promises'

type Tries = {
  tries: number
  when: (error: unknown) => boolean
  /** How long to wait before each retry; none when left out. */
  pauseMs?: number
}

/**
 * Runs `work`, and again while `when` returns true for its error, up to `tries` times in all.
 * @returns the result of `work`. @throws the last error.
 */
export async function tryAgain<T>(work: () => Promise<T>, { tries, when, pauseMs }: Tries): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work()
    } catch (error) {
      if (tried === tries || !when(error)) throw error
      if (pauseMs) await delay(pauseMs)
    }
  }
}
