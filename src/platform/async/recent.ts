/** Reading what many ask for, seldom: so that asking often costs a store nothing. */
import { within } from './deadline.ts'

const keptMilliseconds = 5000
const mostMilliseconds = 2000

/**
 * Shares what `read` gives among all who ask within 5 seconds of it, and never begins a second before the first has
 * ended. Null when it failed, or has not ended after 2 seconds.
 */
export function shareRecent<T>(read: () => Promise<T>): () => Promise<T | null> {
  let latest: Promise<T> | null = null
  function forgetLater(): void {
    setTimeout(() => {
      latest = null
    }, keptMilliseconds).unref()
  }
  return async () => {
    if (!latest) {
      latest = read()
      // A failure is kept as well: a store that is away is not asked by everybody.
      latest.then(forgetLater, forgetLater)
    }
    try {
      return await within(mostMilliseconds, latest, () => new Error('took too long'))
    } catch {
      return null
    }
  }
}
