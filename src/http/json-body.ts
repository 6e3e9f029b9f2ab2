/** How bodies are read: JSON only, an empty one is `{}`, and a route without any body sees `{}` too. */
import type { FastifyInstance } from 'fastify'

export function parseJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'remove')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, {})
    else parse(request, body as string, done)
  })
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined && request.method === 'POST') request.body = {}
    done()
  })
}
