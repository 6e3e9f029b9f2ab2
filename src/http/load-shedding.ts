/**
 * Refuses new requests while too many that came just before are under way. Otherwise each waits for all the others,
 * until they are answered when their clients have given up, and the process does nothing but that.
 */
import type { FastifyInstance } from 'fastify'
import { createHoldBack } from '../platform/async/hold-back.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered however much there is to do: what tells others how the process is. */
    alwaysAnswered?: boolean
  }
  interface FastifyReply {
    /** The span of time in which its request came; null for one that is not counted. */
    span: number | null
  }
}

export type Bounds = {
  /** Requests under way that came in this span of time or the last. */
  most: number
  milliseconds: number
}

// A process at full speed answers as many in about a tenth of a second. What came earlier than this does not count:
// it waits for a store that hangs, or for news, and takes nothing from what another store can still take.
const defaults: Bounds = { most: 1000, milliseconds: 1000 }

// About as long as those who were refused would have waited for an answer.
const holdMilliseconds = 500
const mostHeld = 5000

/** @param refusal makes the error that is answered instead. */
export function shedLoad(app: FastifyInstance, refusal: () => Error, bounds = defaults): void {
  const holdBack = createHoldBack(holdMilliseconds, mostHeld)
  let span = 0
  let [ofThis, ofLast] = [0, 0]
  const next = setInterval(() => {
    span++
    ofLast = ofThis
    ofThis = 0
  }, bounds.milliseconds)
  app.addHook('onClose', async () => clearInterval(next))
  app.decorateReply('span', null)
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.alwaysAnswered) return done()
    if (ofThis + ofLast >= bounds.most) return void holdBack().then(() => done(refusal()))
    reply.span = span
    ofThis++
    done()
  })
  // Who goes away without an answer is told to no hook, and counts until their time is over.
  app.addHook('onResponse', (_request, reply, done) => {
    if (reply.span === span) ofThis--
    else if (reply.span === span - 1) ofLast--
    done()
  })
}
