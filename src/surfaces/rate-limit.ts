/**
 * Limits the requests of each API key, on every surface that uses keys. Requests are counted by the id of the
 * key, before the body is read.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { stopCounting } from '../http/load-shedding.ts'
import { problems } from '../http/problems.ts'
import { createRateLimit, type RateLimit, windowSeconds } from '../http/rate-limit.ts'
import { createHoldBack } from '../platform/async/hold-back.ts'
import type { Config } from '../platform/config/config.ts'
import { connectRedis } from '../platform/redis/connection.ts'
import type { Authenticate } from './authentication.ts'

// The longest wait for Redis: about the time of a request itself.
const redisMs = 50
const refusalDelayMs = 100
const maxDelayedRefusals = 1000

/**
 * Creates the rate limit of the configuration; null if RATE_LIMIT_PER_SECOND is 0. Its connection to Redis is
 * closed with the application.
 */
export function openRateLimit(app: FastifyInstance, config: Config): RateLimit | null {
  const { RATE_LIMIT_PER_SECOND: perSecond, REDIS_URL: url, QUEUE_PREFIX } = config
  if (perSecond === 0) return null
  const redis = url ? connectRedis(url, 'brief', redisMs) : null
  redis?.on('error', (error) => app.log.debug({ err: error }, 'redis of the rate limit'))
  app.addHook('onClose', async () => redis?.disconnect())
  // With the prefix of the queues, the Redis keys of the limit have the same hash tag, so a Redis Cluster
  // keeps them on the node of the queues.
  return createRateLimit(perSecond, { redis, prefix: `${QUEUE_PREFIX}:rate-limit` })
}

/**
 * Wraps `authenticate` with the rate limit. It counts every request with a valid key, also one that is then
 * refused. The headers of draft-ietf-httpapi-ratelimit-headers state the requests that remain.
 * @returns a function that also throws the problem `rate-limited` above the limit.
 */
export function limitRate(authenticate: Authenticate, limit: RateLimit): Authenticate {
  const policy = `"key";q=${limit.quota};w=${windowSeconds}`
  const holdBack = createHoldBack(refusalDelayMs, maxDelayedRefusals)

  async function admit(key: string, reply: FastifyReply): Promise<void> {
    const { granted, left, seconds } = await limit.take(key)
    reply.header('ratelimit-policy', policy)
    reply.header('ratelimit', `"key";r=${left};t=${seconds}`)
    if (!granted) {
      // During its delay, a refused request does not count as a request under way (load shedding).
      stopCounting(reply)
      await holdBack()
      throw problems.rateLimited(seconds)
    }
  }

  return (scope) => {
    const identify = authenticate(scope)
    return async (request, reply) => {
      try {
        await identify(request, reply)
      } finally {
        const { caller } = request
        // Requests that are refused because their key lacks the scope are counted too.
        if (caller) await admit(`${caller.accountId}:${caller.keyId}`, reply)
      }
    }
  }
}
