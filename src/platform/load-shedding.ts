/**
 * Refuses new requests while the process has more of them under way than it can answer soon. Without it each would
 * wait for all the others, and be answered when its client has given up.
 */
import type { EventLoopUtilization } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered however busy the process is: what tells others how it is. */
    alwaysAnswered?: boolean
  }
}

export type LoadShedding = {
  /** How many requests are under way, this one included. */
  underWay: () => number
  /** Whether the event loop has no time left; asked only when many requests are under way. */
  isSaturated: () => boolean
  /** The error that is answered instead. */
  refusal: () => Error
}

// At full speed this many are answered in about a tenth of a second. Pages that are kept live count as well.
const mostUnderWay = 1000

/** Call after what counts the requests under way, and before routes are registered. */
export function shedLoad(app: FastifyInstance, { underWay, isSaturated, refusal }: LoadShedding): void {
  app.addHook('onRequest', (request, _reply, done) => {
    // Many that wait for a store that hangs cost an idle event loop nothing: their own bounds hold them.
    const refused = underWay() > mostUnderWay && isSaturated() && !request.routeOptions.config.alwaysAnswered
    done(refused ? refusal() : undefined)
  })
}

const sampleMilliseconds = 200
const saturated = 0.95

/** Whether the event loop was busy for all of the last fifth of a second. Ends with the application. */
export function watchEventLoop(app: FastifyInstance): () => boolean {
  const { eventLoopUtilization } = performance
  let before: EventLoopUtilization = eventLoopUtilization()
  let busy = false
  const sample = setInterval(() => {
    const now = eventLoopUtilization()
    busy = eventLoopUtilization(now, before).utilization >= saturated
    before = now
  }, sampleMilliseconds)
  app.addHook('onClose', async () => clearInterval(sample))
  return () => busy
}
