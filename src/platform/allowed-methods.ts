/** Answers 405 with `Allow` (RFC 9110, 15.5.6) wherever an address exists, but not with the method asked. */
import type { FastifyInstance, HTTPMethods } from 'fastify'

const methods: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/**
 * Call before any route is registered; call what it gives after all of them are loaded.
 * @param refuse makes the error to throw, from the methods that the address does answer.
 */
export function watchMethods(app: FastifyInstance, refuse: (allowed: string[]) => Error): () => void {
  const allowed = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const known = allowed.get(url) ?? new Set()
    for (const one of [method].flat()) known.add(one)
    allowed.set(url, known)
  })
  return () => {
    for (const [url, known] of [...allowed]) {
      const others = methods.filter((method) => !app.hasRoute({ url, method }))
      if (url.includes('*') || others.length === 0) continue
      const answer = [...known]
      app.route({
        url,
        method: others,
        exposeHeadRoute: false,
        schema: { hide: true },
        handler: async () => {
          throw refuse(answer)
        },
      })
    }
  }
}
