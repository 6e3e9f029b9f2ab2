/** The longest time to answer a request, for every route but those that see to it more cheaply themselves. */
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route's work has a deadline of its own: a timer for each request costs a tenth of its throughput. */
    ownDeadline?: true
  }
}

/** Call before any route is registered. */
export function boundHandlers(app: FastifyInstance, milliseconds: number): void {
  app.addHook('onRoute', (route) => {
    if (!route.config?.ownDeadline) route.handlerTimeout = milliseconds
  })
}
