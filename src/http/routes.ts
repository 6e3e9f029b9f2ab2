/** The type of a function that adds the routes of a feature to a surface. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'

/**
 * Adds the routes of a feature to the scope of a surface, so that the guards and hooks of the surface apply
 * to them. It is a function and not a plugin, because each plugin makes a scope, which takes time at the
 * start of a process.
 */
export type Routes<Options> = (app: RouteScope, options: Options) => void

/** A scope in which the types of handlers follow from the schemas of their routes. */
type RouteScope = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>
