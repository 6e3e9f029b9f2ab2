/**
 * The parts that the OTA interface and OCTO share in a process: the request counts for the scorecards, and
 * the simulated responses to test bookings. The limits of simulated responses apply to both interfaces
 * together.
 */
import type { FastifyInstance } from 'fastify'
import { logRequest } from '../http/request-log.ts'
import { countedOperations } from '../reports/scorecards/model.ts'
import { type CallCounter, createCallCounter } from '../reports/scorecards/service.ts'
import type { Services } from '../services.ts'
import { createSimulation, type Simulation } from '../test-mode/simulating.ts'

export type PartnerCalls = { calls: CallCounter; simulation: Simulation }

/** Opens the counter and the simulation. The counter is closed with the application. */
export function openPartnerCalls(app: FastifyInstance, { sql, log }: Services): PartnerCalls {
  const calls = createCallCounter(sql, log)
  app.addHook('onClose', () => calls.close())
  const simulation = createSimulation({
    noteLost(request, reply) {
      const { operationId = '' } = request.routeOptions.schema as { operationId?: string }
      const counted = countedOperations[operationId]
      if (counted) calls.count(request.caller, counted, 'done', reply.elapsedTime)
      logRequest(log, request, reply, null)
    },
  })
  return { calls, simulation }
}
