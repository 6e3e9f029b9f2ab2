/** One log line for each request, under the id that its answer carries. No address is logged with its query. */
import type { FastifyInstance } from 'fastify'

export function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('request-id', request.id)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const line = {
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime * 100) / 100,
      keyId: request.caller?.keyId,
      accountId: request.caller?.accountId,
    }
    request.log.info(line, 'request')
    done()
  })
}
