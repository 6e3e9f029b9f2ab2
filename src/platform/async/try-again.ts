/** Beginning anew what somebody else was in the way of. */
import { setTimeout as delay } from 'node:timers/promises'

type Tries = {
  tries: number
  when: (error: unknown) => boolean
  /** How long to wait before each further try; left out, it begins at once. */
  pauseMilliseconds?: number
}

/** What `work` comes to, begun up to `tries` times in all as long as `when` holds for its error. */
export async function tryAgain<T>(
  work: () => Promise<T>,
  { tries, when, pauseMilliseconds }: Tries,
): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work()
    } catch (error) {
      if (tried === tries || !when(error)) throw error
      if (pauseMilliseconds) await delay(pauseMilliseconds)
    }
  }
}
