/** Collects the allowed methods of each address, so that other methods get 405 with `Allow` (RFC 9110, 15.5.6). */
import { METHODS } from 'node:http'
import type { FastifyInstance } from 'fastify'
import createRouter from 'find-my-way'

const usual = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
// All other methods that Node reads, except CONNECT, which is not a request for an address.
const others = METHODS.filter((method) => method !== 'CONNECT' && !usual.includes(method))

/**
 * Call before any route is registered.
 * @returns a function for the not-found handler: it returns the methods that the address allows, or null if no
 * route has this address.
 */
export function watchMethods(app: FastifyInstance): (url: string) => string[] | null {
  // Registered without a body, so that Fastify does not read one before it answers 405.
  for (const method of others) app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  const allowed = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const known = allowed.get(url) ?? new Set()
    for (const one of [method].flat()) known.add(one)
    allowed.set(url, known)
  })
  // A separate router, made at its first use, with one route for each address.
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
