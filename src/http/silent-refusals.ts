/**
 * Sends a problem to requests that Node would refuse with an empty response: those with an unsupported Expect header,
 * and those without a Host header.
 */
import type { FastifyInstance } from 'fastify'

/**
 * The server must be made with `requireHostHeader: false`.
 * @param refuse makes the error for the response from the reason.
 */
export function explainRefusals(app: FastifyInstance, refuse: (detail: string) => Error): void {
  // Without a listener Node answers 417 by itself.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.addHook('onRequest', ({ headers, raw }, _reply, done) => {
    // Node itself responds to `100-continue`, the only expectation that it knows.
    if (headers.expect !== undefined && !/100-continue/i.test(headers.expect))
      return done(refuse('The request has an Expect header that cannot be met.'))
    if (headers.host === undefined && raw.httpVersion === '1.1')
      return done(refuse('The request has no Host header.'))
    done()
  })
}
