/** Counting how partners' calls are answered, after they are: see src/scorecards. */
import type { FastifyInstance } from 'fastify'
import { toProblem } from '../error-handler.ts'
import type { ProblemSlug } from '../problem-types.ts'
import { countedOperations } from '../scorecards/model.ts'
import type { CallCounter } from '../scorecards/service.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Why a counted call was refused, if it was. */
    refusal: ProblemSlug | null
  }
}

/** For the counted operations of a scope; call before its routes are registered. Other routes cost nothing. */
export function countCalls(app: FastifyInstance, calls: CallCounter): void {
  app.decorateReply('refusal', null)
  app.addHook('onRoute', (route) => {
    const { operationId = '' } = (route.schema ?? {}) as { operationId?: string }
    const operation = countedOperations[operationId]
    if (!operation) return
    route.onError = (request, reply, error, done) => {
      reply.refusal = toProblem(error, request).slug
      done()
    }
    route.onResponse = (request, reply, done) => {
      const success = reply.hasHeader('idempotency-replayed') ? 'replayed' : 'done'
      // Whoever brought no live key is nobody's partner.
      if (request.caller) calls.count(request.caller, operation, reply.refusal ?? success, reply.elapsedTime)
      done()
    }
  })
}
