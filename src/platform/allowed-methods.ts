/** Answers 405 with `Allow` (RFC 9110, 15.5.6) wherever an address exists, but not with the method asked. */
import { METHODS } from 'node:http'
import type { FastifyInstance, HTTPMethods } from 'fastify'

const usual: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
// Whatever else Node reads, except for CONNECT, which is no request for an address.
const others = METHODS.filter((method) => method !== 'CONNECT' && !usual.includes(method))

/**
 * Call before any route is registered; call what it gives after all of them are loaded.
 * @param refuse makes the error to throw, from the methods that the address does answer.
 */
export function watchMethods(app: FastifyInstance, refuse: (allowed: string[]) => Error): () => void {
  // Not of interest enough for their bodies to be read.
  for (const method of others) app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  const allowed = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const known = allowed.get(url) ?? new Set()
    for (const one of [method].flat()) known.add(one)
    allowed.set(url, known)
  })
  return () => {
    for (const [url, known] of [...allowed]) {
      const refused = [...usual, ...others].filter((method) => !app.hasRoute({ url, method }))
      if (url.includes('*')) continue
      const answer = [...known]
      app.route({
        url,
        method: refused,
        exposeHeadRoute: false,
        schema: { hide: true },
        handler: async () => {
          throw refuse(answer)
        },
      })
    }
  }
}
