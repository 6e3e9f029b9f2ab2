/** How a feature gives its routes to a surface. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'

/**
 * Adds the routes of a feature to the scope of a surface, whose guards and hooks they have. A function and no plugin: a
 * plugin is a scope of its own, which costs each process time at its start.
 */
export type Routes<Options> = (app: RouteScope, options: Options) => void

/** Its handlers' types follow from their schemas. */
type RouteScope = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>
