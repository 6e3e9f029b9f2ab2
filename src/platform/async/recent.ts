/** Shares one read of a store among many callers. */
import { within } from './deadline.ts'

const cacheMs = 5000
const maxMs = 2000

/**
 * Returns a function whose callers share the result of a `read` until 5 seconds after its end. Only one read runs
 * at a time. The function returns null if the read failed, or if a caller has waited for it for 2 seconds.
 */
export function shareRecent<T>(read: () => Promise<T>): () => Promise<T | null> {
  let latest: Promise<T> | null = null
  function forgetLater(): void {
    setTimeout(() => {
      latest = null
    }, cacheMs).unref()
  }
  return async () => {
    if (!latest) {
      latest = read()
      // A failure is shared too, so that not every caller tries a store that is down.
      latest.then(forgetLater, forgetLater)
    }
    try {
      return await within(maxMs, latest, () => new Error('took too long'))
    } catch {
      return null
    }
  }
}
