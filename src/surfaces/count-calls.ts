/**
 * Counts the responses to requests, after they are sent: for partners' scorecards (src/reports/scorecards),
 * and for /metrics.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Counter } from 'prom-client'
import { type Caller, isTestAccount } from '../accounts/model.ts'
import { countedOperations, operationsOfTests, type RequestOutcome } from '../reports/scorecards/model.ts'
import type { CallCounter } from '../reports/scorecards/service.ts'

type BookingCounter = Counter<'operation' | 'outcome'>

/**
 * Counts the responses of a surface for partners, for the scorecards. Also counts the responses of
 * bookingOperations for /metrics, except those to test keys. Call it before the surface registers its routes.
 */
export function countCalls(
  app: FastifyInstance,
  { calls, bookings }: { calls: CallCounter; bookings: BookingCounter },
): void {
  const countBooking = bookingCounterOf(bookings)
  afterOperations(app, (name) => {
    const [counted, ofTests] = [countedOperations[name], operationsOfTests[name]]
    const countsBooking = bookingOperations.includes(name)
    if (!counted && !ofTests && !countsBooking) return null
    return (outcome, { caller }, reply) => {
      if (countsBooking) countBooking(name, outcome, caller)
      // Without a valid key, the partner is unknown.
      const operation = caller && (counted ?? (isTestAccount(caller.accountId) ? ofTests : undefined))
      if (operation) calls.count(caller, operation, outcome, reply.elapsedTime)
    }
  })
}

/** The operations that take, move or free places, by operation ID. */
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

/**
 * Counts the responses of bookingOperations by operation and outcome for /metrics, without those to test
 * keys. Call it before the routes of the surface are registered.
 */
export function countBookings(app: FastifyInstance, counter: BookingCounter): void {
  const count = bookingCounterOf(counter)
  afterOperations(app, (name) =>
    bookingOperations.includes(name) ? (outcome, { caller }) => count(name, outcome, caller) : null,
  )
}

function bookingCounterOf(counter: BookingCounter) {
  return (operation: string, outcome: RequestOutcome, caller: Caller | undefined): void => {
    if (!caller || !isTestAccount(caller.accountId)) counter.inc({ operation, outcome })
  }
}

type ResponseCounter = (outcome: RequestOutcome, request: FastifyRequest, reply: FastifyReply) => void

/**
 * Adds a hook to the routes that are registered after this call.
 * @param follow returns the function that runs after each response of an operation; null if the operation is
 * not counted.
 */
function afterOperations(app: FastifyInstance, follow: (operation: string) => ResponseCounter | null): void {
  app.addHook('onRoute', (route) => {
    const { operationId = '' } = (route.schema ?? {}) as { operationId?: string }
    const count = follow(operationId)
    if (!count) return
    route.onResponse = [
      ...[route.onResponse ?? []].flat(),
      (request, reply, done) => {
        const success = reply.hasHeader('idempotency-replayed') ? 'replayed' : 'done'
        count(reply.refusal ?? success, request, reply)
        done()
      },
    ]
  })
}
