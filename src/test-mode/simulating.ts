/**
 * Simulates the responses that test bookings request by the customer's e-mail address. The problems are made by the
 * same functions as real ones, except for the internal error, whose detail says that it is simulated.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../accounts/service.ts'
import { dropConnection } from '../http/drop-connection.ts'
import { Problem, problems } from '../http/problems.ts'
import type { Refusal } from '../inventory/alternatives.ts'
import { simulatedAddresses, simulationOf, slowSeconds, unavailableSeconds } from './simulation.ts'

// The limit for each account on `slow` requests that wait at the same time in this process. A request that
// waits holds only its client's connection.
const maxSlow = 10

export type SimulationOptions = {
  /** Called when a booking is made and its response is dropped: Fastify's hooks do not run for such a request. */
  noteLost: (request: FastifyRequest, reply: FastifyReply) => void
  /** Replaces the delay in tests. */
  wait?: (milliseconds: number) => Promise<unknown>
}

/** A test booking whose e-mail address may request a simulated response. */
export type RequestedSimulation = {
  email: string
  /** The name of the address field in the request. */
  field: string
  /** The problem for a booking that does not get its places. */
  refusalOf: (refusal: Refusal) => Promise<Problem>
}

/**
 * Throws the problem, or waits, as the e-mail address requests. For `answer-lost`, it returns a function to call
 * instead of sending the normal response; otherwise null.
 */
export type Simulation = (
  request: FastifyRequest,
  reply: FastifyReply,
  requested: RequestedSimulation,
) => Promise<(() => FastifyReply) | null>

export function createSimulation({ noteLost, wait = delay }: SimulationOptions): Simulation {
  const slow = new Map<number, number>()

  async function waitSlowly({ accountId }: Caller): Promise<void> {
    const count = slow.get(accountId) ?? 0
    if (count >= maxSlow) throw problems.rateLimited(slowSeconds)
    slow.set(accountId, count + 1)
    await wait(slowSeconds * 1000)
    const left = slow.get(accountId)! - 1
    if (left > 0) slow.set(accountId, left)
    else slow.delete(accountId)
  }

  return async (request, reply, { email, field, refusalOf }) => {
    const simulation = simulationOf(email)
    if (simulation === null) return null
    if (simulation === 'unknown') throw problems.validation([{ field, message: unknownAddress }])
    reply.isSimulated = true
    switch (simulation) {
      case 'sold-out':
        throw await refusalOf({ onSale: true, available: 0 })
      case 'timeslot-closed':
        throw await refusalOf({ onSale: false, available: 0 })
      case 'product-gone':
        throw problems.unknownActivity()
      case 'error':
        throw new Problem(
          'internal',
          'A simulated failure of the service, requested by the customer’s address in test mode.',
        )
      case 'unavailable':
        throw problems.unavailable(undefined, unavailableSeconds)
      case 'slow':
        await waitSlowly(request.caller)
        return null
      case 'answer-lost':
        return () => {
          noteLost(request, reply)
          return dropConnection(reply)
        }
    }
  }
}

const unknownAddress = `at simulated.test must be one of ${simulatedAddresses.join(', ')} in test mode`
