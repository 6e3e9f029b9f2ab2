/**
 * Refuses new requests while too many that came just before are under way. Otherwise each waits for all the others,
 * until they are answered when their clients have given up, and the process does nothing but that.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createHoldBack } from '../platform/async/hold-back.ts'
import { mayTakeMore } from '../platform/async/room.ts'
import { afterAnswers } from './after-answers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered however much there is to do: what tells others how the process is. */
    alwaysAnswered?: boolean
  }
  interface FastifyReply {
    /** The span of time in which its request came; null for one that is not counted. */
    span: LoadSpan | null
    /** Whose request it is, once that is known. */
    loadOwner: unknown
  }
}

/** Requests under way that came in the same span of time, in all and of each owner. */
type LoadSpan = { count: number; byOwner: Map<unknown, number> }

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

export type LoadSheddingOptions = {
  /** Makes the error that is answered instead. */
  refusal: () => Error
  /** Whose request it is, after authentication. An owner may have four times as many under way as are left. */
  ownerOf: (request: FastifyRequest) => unknown
  bounds?: Bounds
}

export function shedLoad(
  app: FastifyInstance,
  { refusal, ownerOf, bounds = defaults }: LoadSheddingOptions,
): void {
  const holdBack = createHoldBack(holdMilliseconds, mostHeld)
  let [current, last] = [createSpan(), createSpan()]
  const next = setInterval(() => {
    last = current
    current = createSpan()
  }, bounds.milliseconds)
  // What is held back before it is refused takes no place.
  const refuse = (reply: FastifyReply, done: (error: Error) => void) => {
    leaveLoad(reply)
    holdBack().then(() => done(refusal()))
  }
  app.addHook('onClose', async () => clearInterval(next))
  app.decorateReply('span', null)
  app.decorateReply('loadOwner', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.alwaysAnswered) return done()
    if (current.count + last.count >= bounds.most) return refuse(reply, done)
    reply.span = current
    current.count++
    done()
  })
  // Before the body is read.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (!reply.span) return done()
    const owner = ownerOf(request)
    const own = ownCount(current, owner) + ownCount(last, owner)
    // This request has its place already.
    const left = bounds.most - (current.count + last.count) + 1
    if (!mayTakeMore(own, left)) return refuse(reply, done)
    reply.loadOwner = owner
    reply.span.byOwner.set(owner, ownCount(reply.span, owner) + 1)
    done()
  })
  // No hook is called for a client that goes away without an answer: it counts until its time is over.
  afterAnswers(app, (_request, reply) => leaveLoad(reply))
}

/** From now on a request does not count as under way. */
export function leaveLoad(reply: FastifyReply): void {
  const { span, loadOwner } = reply
  if (!span) return
  reply.span = null
  span.count--
  if (loadOwner !== undefined) span.byOwner.set(loadOwner, ownCount(span, loadOwner) - 1)
}

function createSpan(): LoadSpan {
  return { count: 0, byOwner: new Map() }
}

function ownCount(span: LoadSpan, owner: unknown): number {
  return span.byOwner.get(owner) ?? 0
}
