/** Limits how often a key may ask, on every surface that has keys: before the body is read, and by the key's id. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { problems } from '../http/problems.ts'
import { createRateLimit, type RateLimit, windowSeconds } from '../http/rate-limit.ts'
import { whenOver } from '../http/when-over.ts'
import { createHoldBack } from '../platform/async/hold-back.ts'
import { createTurns } from '../platform/async/turns.ts'
import type { Config } from '../platform/config/config.ts'
import { connectRedis } from '../platform/redis/connection.ts'
import type { Authenticate } from './authentication.ts'

// What Redis is waited for: about what a request takes by itself.
const redisMilliseconds = 50
const holdMilliseconds = 100
const mostHeld = 1000
// Requests of a key under way at once: enough for its pace when each takes so long, and few beside the others'.
const paceSeconds = 0.05
const fewest = 4

/** The limit that the configuration sets; null for none. Closed with the application. */
export function openRateLimit(app: FastifyInstance, config: Config): RateLimit | null {
  const { RATE_LIMIT_PER_SECOND: perSecond, REDIS_URL: url, QUEUE_PREFIX } = config
  if (perSecond === 0) return null
  const redis = url ? connectRedis(url, 'brief', redisMilliseconds) : null
  redis?.on('error', (error) => app.log.debug({ err: error }, 'redis of the rate limit'))
  app.addHook('onClose', async () => redis?.disconnect())
  // The queues' first part, so that a Redis Cluster keeps it where their connections lead.
  return createRateLimit(perSecond, { redis, prefix: `${QUEUE_PREFIX}:rate-limit` })
}

/**
 * Counts each request of a live key, whatever becomes of it, and tells what is left by the headers of
 * draft-ietf-httpapi-ratelimit-headers. Refused with the problem rate-limited; of what is granted, a few of a key are
 * under way at once, so that no burst takes the event loop and all connections to PostgreSQL.
 */
export function limitRate(authenticate: Authenticate, limit: RateLimit): Authenticate {
  const policy = `"key";q=${limit.quota};w=${windowSeconds}`
  const turns = createTurns(Math.max(fewest, Math.ceil(limit.perSecond * paceSeconds)))
  const holdBack = createHoldBack(holdMilliseconds, mostHeld)

  async function admit(key: string, reply: FastifyReply): Promise<void> {
    const { granted, left, seconds } = await limit.take(key)
    reply.header('ratelimit-policy', policy)
    reply.header('ratelimit', `"key";r=${left};t=${seconds}`)
    if (!granted) {
      await holdBack()
      throw problems.rateLimited(seconds)
    }
    const turn = turns.take(key)
    whenOver(reply, turn.end)
    await turn.began
  }

  return (scope) => {
    const identify = authenticate(scope)
    return async function (this: FastifyInstance, request, reply) {
      try {
        await identify.call(this, request, reply)
      } finally {
        const { caller } = request
        // A live key without the scope asks as well.
        if (caller) await admit(`${caller.accountId}:${caller.keyId}`, reply)
      }
    }
  }
}
