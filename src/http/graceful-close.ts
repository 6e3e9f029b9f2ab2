/** Closes the server without interrupting requests: each gets its response, and then its connection ends. */
import type { FastifyInstance } from 'fastify'

const sweepMs = 50

/**
 * While `state.draining` is true, each response closes its connection, so that few are open when the server
 * closes.
 */
export function closeGracefully(app: FastifyInstance, state: { draining: boolean }): void {
  let sweep: NodeJS.Timeout | undefined
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (state.draining) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('preClose', async () => {
    // Fastify closes connections that are idle now; this closes those that become idle later.
    sweep = setInterval(() => app.server.closeIdleConnections(), sweepMs)
  })
  app.addHook('onClose', async () => clearInterval(sweep))
}
