/**
 * How many requests of each account use connections to PostgreSQL at once. Requests that wait for a lock, or for a slow
 * query, leave connections to the other accounts.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createShares } from '../platform/async/shares.ts'
import { whenOver } from './when-over.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It takes no connection of these: its queries are batched with others', have others, or it stays open for long. */
    takesNoTurn?: boolean
  }
}

// The rest is for batches: see the lanes of bookings.
const requestPart = 0.6

/**
 * An owner may have as many requests under way as are left for the others, and one at least. What is more waits for its
 * turn, before its handler begins. Has to be called before the routes are registered.
 * @param ownerOf the account of a request, or its network address; called after authentication.
 */
export function shareConnections(
  app: FastifyInstance,
  poolSize: number,
  ownerOf: (request: FastifyRequest) => unknown,
): void {
  const shares = createShares(Math.max(1, Math.floor(poolSize * requestPart)), { firstAtOnce: true })

  async function awaitTurn(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const turn = shares.take(ownerOf(request))
    whenOver(reply, turn.end)
    await turn.began
  }

  app.addHook('onRoute', (route) => {
    if (route.config?.alwaysAnswered || route.config?.takesNoTurn) return
    const own = route.preHandler ?? []
    route.preHandler = [awaitTurn, ...(Array.isArray(own) ? own : [own])]
  })
}
