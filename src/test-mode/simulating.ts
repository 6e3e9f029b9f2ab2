/** Answers test bookings as their customers' addresses ask for. What the real case answers is taken from where it is made. */
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../accounts/service.ts'
import { cutOff } from '../http/cut-off.ts'
import { Problem, problems } from '../http/problems.ts'
import type { Refusal } from '../inventory/alternatives.ts'
import { simulatedAddresses, simulationOf, slowSeconds, unavailableSeconds } from './simulation.ts'

// Of an account, in a process. A request that waits holds its connection to the client, and no other.
const mostSlow = 10

export type SimulationOptions = {
  /** Called with a request whose booking is made and whose answer is lost: no hook sees it. */
  noteLost: (request: FastifyRequest, reply: FastifyReply) => void
  /** Tests bring one of their own. */
  wait?: (milliseconds: number) => Promise<unknown>
}

/** A test booking that may ask for an answer. */
export type SimulationAsked = {
  email: string
  /** What the address is in its request. */
  field: string
  /** What it is answered that cannot have its places. */
  refusalOf: (refusal: Refusal) => Promise<Problem>
}

/** Acts as the address asks for; gives what is to be done instead of answering what was made, if anything. */
export type Simulation = (
  request: FastifyRequest,
  reply: FastifyReply,
  asked: SimulationAsked,
) => Promise<(() => FastifyReply) | null>

export function createSimulation({ noteLost, wait = delay }: SimulationOptions): Simulation {
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
        throw new Problem('internal', 'The service fails, as the customer’s address asks for in test mode.')
      case 'unavailable':
        throw problems.unavailable(undefined, unavailableSeconds)
      case 'slow':
        await waitSlowly(request.caller)
        return null
      case 'answer-lost':
        return () => {
          noteLost(request, reply)
          return cutOff(reply)
        }
    }
  }
}

const unknownAddress = `at simulated.test must be one of ${simulatedAddresses.join(', ')} in test mode`
