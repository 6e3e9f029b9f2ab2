/**
 * Limits how many requests each key may make. Redis counts for all processes together; without Redis, or
 * while it does not respond, each process counts alone. A window begins with a key's first request, so the
 * windows of keys end at different times.
 */
import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'

export type Allowance = {
  granted: boolean
  /** How many more requests the key may make in this window. */
  left: number
  /** Whole seconds until the next window, at least 1. */
  seconds: number
}

export type RateLimit = {
  perSecond: number
  /** How many requests a key may make in a window of `windowSeconds`. */
  quota: number
  /** Counts one request. Takes at most some tens of milliseconds in any state of Redis, and never fails. */
  take(key: string): Promise<Allowance>
}

/** Long enough for a burst: a client may send the requests of these seconds all at once. */
export const windowSeconds = 5
// After Redis did not respond, it is not used for this long, so that few requests wait for it.
const distrustMs = 1000

/**
 * @param redis Must time out by itself within some tens of milliseconds. If it is null, each process counts
 * alone.
 * @param prefix First part of the keys in Redis, which expire.
 */
export function createRateLimit(
  perSecond: number,
  { redis, prefix }: { redis: Redis | null; prefix: string },
): RateLimit {
  const quota = perSecond * windowSeconds
  const window = { points: quota, duration: windowSeconds, keyPrefix: prefix }
  const alone = new RateLimiterMemory(window)
  const shared =
    redis &&
    new RateLimiterRedis({
      ...window,
      storeClient: redis,
      rejectIfRedisNotReady: true,
      // A key over its limit costs Redis nothing for the rest of the window.
      inMemoryBlockOnConsumed: quota,
    })
  let distrustedUntil = 0

  return {
    perSecond,
    quota,
    async take(key) {
      if (shared && performance.now() >= distrustedUntil) {
        try {
          return await count(shared, key)
        } catch {
          distrustedUntil = performance.now() + distrustMs
        }
      }
      return count(alone, key)
    },
  }
}

/** @throws the error of the store. */
async function count(limiter: RateLimiterMemory | RateLimiterRedis, key: string): Promise<Allowance> {
  try {
    return describe(await limiter.consume(key), true)
  } catch (error) {
    if (error instanceof RateLimiterRes) return describe(error, false)
    throw error
  }
}

function describe({ remainingPoints, msBeforeNext }: RateLimiterRes, granted: boolean): Allowance {
  return { granted, left: remainingPoints, seconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) }
}
