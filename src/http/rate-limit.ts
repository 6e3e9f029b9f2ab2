/**
 * How many requests each key may make: counted in Redis for all processes together, or in this one alone without
 * Redis and while it does not answer. Windows begin with a key's first request, so that no two keys' end together.
 */
import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'

export type Allowance = {
  granted: boolean
  /** Requests that are left in this window. */
  left: number
  /** Whole seconds until the next window, at least 1. */
  seconds: number
}

export type RateLimit = {
  perSecond: number
  /** Requests that a key may make in a window of `windowSeconds`. */
  quota: number
  /** Counts one request. Takes some tens of milliseconds at the most, whatever Redis does, and never fails. */
  take(key: string): Promise<Allowance>
}

/** So that whoever asks for several things at once may: as many requests as these seconds allow. */
export const windowSeconds = 5
// A Redis that did not answer is not asked again for as long, so that nobody waits for it again and again.
const distrustMilliseconds = 1000

/**
 * @param redis Must give up on a command by itself within some tens of milliseconds; null counts in this process.
 * @param prefix First part of the keys in Redis, which expire by themselves.
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
      // Whoever has used up a window costs Redis nothing for the rest of it.
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
          distrustedUntil = performance.now() + distrustMilliseconds
        }
      }
      return count(alone, key)
    },
  }
}

/** @throws what the store failed with. */
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
