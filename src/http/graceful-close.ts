/** Closing without cutting anybody off: what is under way is answered, and its connection then ended. */
import type { FastifyInstance } from 'fastify'

const sweepMilliseconds = 50

/** From when `state.draining` is true, each answer ends its connection, so that few are left when the server closes. */
export function closeGracefully(app: FastifyInstance, state: { draining: boolean }): void {
  let sweep: NodeJS.Timeout | undefined
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (state.draining) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('preClose', async () => {
    // Fastify ends the connections that are idle now; these become idle with their answer.
    sweep = setInterval(() => app.server.closeIdleConnections(), sweepMilliseconds)
  })
  app.addHook('onClose', async () => clearInterval(sweep))
}
