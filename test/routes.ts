/** Every route of an application with its methods, as the router lists them. */
import type { FastifyInstance } from 'fastify'

export type Route = { path: string; methods: string[] }

/** Routes that serve files by name (`*`) are omitted. */
export function listRoutes(app: FastifyInstance): Route[] {
  const trail: string[] = []
  const routes = new Map<string, Set<string>>()
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent, part, methods] = /^((?:│ {3}| {4})*)[├└]── (\S+)(?: \((.*)\))?/.exec(line) ?? []
    if (indent === undefined || part === undefined) continue
    trail.length = indent.length / 4
    trail.push(part)
    const path = trail.join('')
    if (!methods || path.includes('*')) continue
    const known = routes.get(path) ?? new Set()
    for (const method of methods.split(', ')) known.add(method)
    routes.set(path, known)
  }
  return [...routes].map(([path, methods]) => ({ path, methods: [...methods] }))
}
