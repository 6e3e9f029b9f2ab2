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
 * Adds the routes of a feature to the scope of a surface, with its guards and hooks. It is a function and not
 * a plugin, because each plugin makes a scope, which takes time at the start of a process.
 */
export type Routes<Options> = (app: RouteScope, options: Options) => void

/** The types of its handlers follow from their schemas. */
type RouteScope = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>
