/**
 * How many requests of each account use connections to PostgreSQL at once. Requests that wait for a lock, or for a slow
 * query, leave connections to the other accounts.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createShares } from '../platform/async/shares.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It needs no connection of its own: its queries are batched with others', or it stays open for long. */
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

/** Calls `end` when the answer is sent, or nobody is there to read it. */
function whenOver({ raw, request }: FastifyReply, end: () => void): void {
  const { socket } = request.raw
  const over = () => {
    raw.off('close', over)
    socket.off('close', over)
    end()
  }
  raw.once('close', over)
  if (raw.destroyed || socket.destroyed) over()
  // What is pipelined behind other requests is not told that its connection is gone, and there may be many of them.
  else if (!raw.socket) socket.setMaxListeners(0).once('close', over)
}
