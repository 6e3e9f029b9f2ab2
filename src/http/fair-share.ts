/**
 * Limits how many requests of each account use PostgreSQL connections at once, so that requests that wait for
 * a lock or a slow query leave connections to other accounts.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createShares } from '../platform/async/shares.ts'
import { isAwaited } from './respond-within.ts'
import { awaitTurn } from './turns.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The route takes no turn, for example because its queries are batched with others, it limits its
     * connections itself, or it stays open for long.
     */
    takesNoTurn?: boolean | ((request: FastifyRequest) => boolean)
  }
}

// The share of the pool's connections that requests normally use, and the share that they may use if the account of a
// request has no turn yet. The rest is left for batches (see `lanePart` in src/sales/booking/service.ts).
const shared = 0.6
const limit = 0.8

/**
 * An owner may run at most as many handlers at once as turns are free. An owner without a turn also gets one of the
 * additional turns, if there are any. Other requests wait. A turn lasts as long as the handler, which may use a
 * connection even after its client has disconnected. Call this function before the routes are registered.
 * @param ownerOf the account of a request, or its network address; called after authentication.
 */
export function shareConnections(
  app: FastifyInstance,
  poolSize: number,
  ownerOf: (request: FastifyRequest) => unknown,
): void {
  const part = (of: number) => Math.max(1, Math.floor(poolSize * of))
  const shares = createShares(part(shared), part(limit))

  app.addHook('onRoute', (route) => {
    const { alwaysAnswered, takesNoTurn } = route.config ?? {}
    if (alwaysAnswered || takesNoTurn === true) return
    const { handler: given } = route
    // A handler that returns nothing sends the response itself. Fastify then waits for the reply, which hooks may
    // delay.
    const handler: typeof given = function (request, reply) {
      return given.call(this, request, reply) ?? reply
    }
    route.handler = async function (request, reply) {
      if (typeof takesNoTurn === 'function' && takesNoTurn(request)) return handler.call(this, request, reply)
      const turn = await awaitTurn(shares, ownerOf(request), reply)
      try {
        return isAwaited(request) ? await handler.call(this, request, reply) : reply
      } finally {
        turn.end()
      }
    }
  })
}
