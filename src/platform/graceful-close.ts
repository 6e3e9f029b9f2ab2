/** Closing without cutting anybody off: what is under way is answered, and its connection then ended. */
import type { FastifyInstance } from 'fastify'

const sweepMilliseconds = 50

export function closeGracefully(app: FastifyInstance): void {
  let sweep: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => {
    // Fastify ends the connections that are idle now; these become idle with their answer.
    sweep = setInterval(() => app.server.closeIdleConnections(), sweepMilliseconds)
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (sweep) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('onClose', async () => clearInterval(sweep))
}
