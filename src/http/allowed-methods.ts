/** Knows which methods each address has, for the answer to any other: 405 with `Allow` (RFC 9110, 15.5.6). */
import { METHODS } from 'node:http'
import type { FastifyInstance } from 'fastify'
import createRouter from 'find-my-way'

const usual = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
// Whatever else Node reads, except for CONNECT, which is no request for an address.
const others = METHODS.filter((method) => method !== 'CONNECT' && !usual.includes(method))

/**
 * Call before any route is registered.
 * @returns what tells, of an address that a request found no route at, the methods that it does answer; null when
 * there are none, and so no such address.
 */
export function watchMethods(app: FastifyInstance): (url: string) => string[] | null {
  // Not of interest enough for their bodies to be read.
  for (const method of others) app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  const allowed = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const known = allowed.get(url) ?? new Set()
    for (const one of [method].flat()) known.add(one)
    allowed.set(url, known)
  })
  // A router of its own, made when it is first asked: one route for each address, not one for each method refused.
  let router: createRouter.Instance<createRouter.HTTPVersion.V1> | undefined
  return (url) => {
    router ??= routerOf(allowed)
    const found = router.find('GET', url)
    return found && (found.store as string[])
  }
}

function routerOf(allowed: ReadonlyMap<string, ReadonlySet<string>>) {
  const router = createRouter()
  for (const [url, methods] of allowed) router.on('GET', url, () => {}, [...methods])
  return router
}
