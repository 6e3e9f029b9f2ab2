/** Answers test bookings as their customers' addresses ask for. What the real case answers is taken from where it is made. */
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../accounts/service.ts'
import { cutOff } from '../http/cut-off.ts'
import { Problem, problems } from '../http/problems.ts'
import type { Simulate } from '../sales/booking/routes.ts'
import type { BookingRequest } from '../sales/booking/schemas.ts'
import type { BookingService } from '../sales/booking/service.ts'
import { simulatedAddresses, simulationOf, slowSeconds, unavailableSeconds } from './simulation.ts'

// Of an account, in a process. A request that waits holds its connection to the client, and no other.
const mostSlow = 10

export type SimulationOptions = {
  bookings: BookingService
  /** Called with a request whose booking is made and whose answer is lost: no hook sees it. */
  noteLost: (request: FastifyRequest, reply: FastifyReply) => void
  /** Tests bring one of their own. */
  wait?: (milliseconds: number) => Promise<unknown>
}

export function createSimulation({ bookings, noteLost, wait = delay }: SimulationOptions): Simulate {
  const slow = new Map<number, number>()

  async function waitSlowly({ accountId }: Caller): Promise<void> {
    const count = slow.get(accountId) ?? 0
    if (count >= mostSlow) throw problems.rateLimited(slowSeconds)
    slow.set(accountId, count + 1)
    await wait(slowSeconds * 1000)
    const left = slow.get(accountId)! - 1
    if (left > 0) slow.set(accountId, left)
    else slow.delete(accountId)
  }

  return async (request, reply) => {
    const { caller } = request
    const body = request.body as BookingRequest
    const simulation = simulationOf(body.Customer.Email)
    if (simulation === null) return null
    if (simulation === 'unknown') throw problems.validation([unknownAddress])
    reply.isSimulated = true
    switch (simulation) {
      case 'sold-out':
        throw await bookings.refusalOf({ caller, request: body }, { onSale: true, available: 0 })
      case 'timeslot-closed':
        throw await bookings.refusalOf({ caller, request: body }, { onSale: false, available: 0 })
      case 'product-gone':
        throw problems.unknownActivity()
      case 'error':
        throw new Problem('internal', 'The service fails, as the customer’s address asks for in test mode.')
      case 'unavailable':
        throw problems.unavailable(undefined, unavailableSeconds)
      case 'slow':
        await waitSlowly(caller)
        return null
      case 'answer-lost':
        return () => {
          noteLost(request, reply)
          return cutOff(reply)
        }
    }
  }
}

const unknownAddress = {
  field: 'Customer.Email',
  message: `at simulated.test must be one of ${simulatedAddresses.join(', ')} in test mode`,
}
