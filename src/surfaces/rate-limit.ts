/**
 * Limits the requests of a key, on every surface that has keys: before the body is read, and by the key's id.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { leaveLoad } from '../http/load-shedding.ts'
import { problems } from '../http/problems.ts'
import { createRateLimit, type RateLimit, windowSeconds } from '../http/rate-limit.ts'
import { createHoldBack } from '../platform/async/hold-back.ts'
import type { Config } from '../platform/config/config.ts'
import { connectRedis } from '../platform/redis/connection.ts'
import type { Authenticate } from './authentication.ts'

// The longest wait for Redis: about the time of a request itself.
const redisMilliseconds = 50
const holdMilliseconds = 100
const mostHeld = 1000

/** The limit that the configuration sets; null for none. Closed with the application. */
export function openRateLimit(app: FastifyInstance, config: Config): RateLimit | null {
  const { RATE_LIMIT_PER_SECOND: perSecond, REDIS_URL: url, QUEUE_PREFIX } = config
  if (perSecond === 0) return null
  const redis = url ? connectRedis(url, 'brief', redisMilliseconds) : null
  redis?.on('error', (error) => app.log.debug({ err: error }, 'redis of the rate limit'))
  app.addHook('onClose', async () => redis?.disconnect())
  // The prefix of the queues, so that a Redis Cluster has it on the node of their connections.
  return createRateLimit(perSecond, { redis, prefix: `${QUEUE_PREFIX}:rate-limit` })
}

/**
 * Counts each request with a live key, with any outcome, and reports what is left in the headers of
 * draft-ietf-httpapi-ratelimit-headers. Above the limit, the problem is rate-limited.
 */
export function limitRate(authenticate: Authenticate, limit: RateLimit): Authenticate {
  const policy = `"key";q=${limit.quota};w=${windowSeconds}`
  const holdBack = createHoldBack(holdMilliseconds, mostHeld)

  async function admit(key: string, reply: FastifyReply): Promise<void> {
    const { granted, left, seconds } = await limit.take(key)
    reply.header('ratelimit-policy', policy)
    reply.header('ratelimit', `"key";r=${left};t=${seconds}`)
    if (!granted) {
      leaveLoad(reply)
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
        // A live key without the scope counts too.
        if (caller) await admit(`${caller.accountId}:${caller.keyId}`, reply)
      }
    }
  }
}
