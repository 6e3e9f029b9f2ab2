/** Counting how calls are answered, after they are: for partners' scorecards (src/reports/scorecards), and for /metrics. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Counter } from 'prom-client'
import { isTestAccount } from '../accounts/model.ts'
import { type CallOutcome, countedOperations, operationsOfTests } from '../reports/scorecards/model.ts'
import type { CallCounter } from '../reports/scorecards/service.ts'

/** For the counted operations of a scope; call before its routes are registered. */
export function countCalls(app: FastifyInstance, calls: CallCounter): void {
  afterAnswers(app, Object.keys(countedOperations), (name, outcome, request, reply) => {
    // Whoever brought no live key is nobody's partner.
    if (request.caller) calls.count(request.caller, countedOperations[name]!, outcome, reply.elapsedTime)
  })
  afterAnswers(app, Object.keys(operationsOfTests), (name, outcome, { caller }, reply) => {
    if (caller && isTestAccount(caller.accountId))
      calls.count(caller, operationsOfTests[name]!, outcome, reply.elapsedTime)
  })
}

/** What takes, moves or frees places, by the name of the operation in the reference. */
export const bookingOperations = [
  'createBooking',
  'cancelOwnBooking',
  'octoReserve',
  'octoConfirmBooking',
  'octoUpdateBooking',
  'octoCancelBooking',
  'octoDeleteBooking',
  'sellAtTill',
  'cancelBooking',
  'moveBooking',
  'amendBooking',
  'createBasket',
  'addBasketLines',
  'removeBasketLine',
  'cancelBasket',
  'payBasket',
  'takeWaitlist',
  'leaveWaitlist',
  'close',
]

/** The same for /metrics, by operation and outcome, without the calls of test keys. */
export function countBookings(app: FastifyInstance, counter: Counter<'operation' | 'outcome'>): void {
  afterAnswers(app, bookingOperations, (operation, outcome, { caller }) => {
    if (!caller || !isTestAccount(caller.accountId)) counter.inc({ operation, outcome })
  })
}

type Answered = (
  operation: string,
  outcome: CallOutcome,
  request: FastifyRequest,
  reply: FastifyReply,
) => void

function afterAnswers(app: FastifyInstance, operations: readonly string[], answered: Answered): void {
  app.addHook('onRoute', (route) => {
    const { operationId = '' } = (route.schema ?? {}) as { operationId?: string }
    if (!operations.includes(operationId)) return
    route.onResponse = [
      ...[route.onResponse ?? []].flat(),
      (request, reply, done) => {
        const success = reply.hasHeader('idempotency-replayed') ? 'replayed' : 'done'
        answered(operationId, reply.refusal ?? success, request, reply)
        done()
      },
    ]
  })
}
