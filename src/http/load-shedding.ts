/**
 * Refuses new requests while too many recent ones are being processed. Without this, each request would wait
 * for all others until its client has given up, and no request would succeed.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isWithinShare } from '../platform/async/fair-share.ts'
import { createHoldBack } from '../platform/async/hold-back.ts'
import { afterResponses } from './after-responses.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Always answered, under any load: routes that report the state of the process. */
    alwaysAnswered?: boolean
  }
  interface FastifyReply {
    /** The window of time in which the request came; null if the request is not counted. */
    loadWindow: LoadWindow | null
    /** The owner of the request, once it is known. */
    loadOwner: unknown
  }
}

/** How many requests under way came in this window of time, in all and by owner. */
type LoadWindow = { count: number; byOwner: Map<unknown, number> }

export type Bounds = {
  /** The most requests under way that came in the current or the previous window of `milliseconds`. */
  most: number
  milliseconds: number
}

// A process at full speed answers 1000 requests in about a tenth of a second. Requests of earlier windows do not count:
// they wait for a slow store, or keep a stream of changes open for a page, and do not slow down other requests.
const defaults: Bounds = { most: 1000, milliseconds: 1000 }

// About as long as the refused requests would have waited for a response.
const refusalDelayMs = 500
const maxDelayedRefusals = 5000

export type LoadSheddingOptions = {
  /** Makes the error for refused requests. */
  refusal: () => Error
  /**
   * The owner of a request, after authentication. An owner may have at most four times as many requests under
   * way as there are free places for further requests.
   */
  ownerOf: (request: FastifyRequest) => unknown
  bounds?: Bounds
}

export function shedLoad(
  app: FastifyInstance,
  { refusal, ownerOf, bounds = defaults }: LoadSheddingOptions,
): void {
  const holdBack = createHoldBack(refusalDelayMs, maxDelayedRefusals)
  let [current, last] = [createWindow(), createWindow()]
  const next = setInterval(() => {
    last = current
    current = createWindow()
  }, bounds.milliseconds)
  // A request that is held back before its refusal does not count.
  const refuse = (reply: FastifyReply, done: (error: Error) => void) => {
    stopCounting(reply)
    holdBack().then(() => done(refusal()))
  }
  app.addHook('onClose', async () => clearInterval(next))
  app.decorateReply('loadWindow', null)
  app.decorateReply('loadOwner', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.alwaysAnswered) return done()
    if (current.count + last.count >= bounds.most) return refuse(reply, done)
    reply.loadWindow = current
    current.count++
    done()
  })
  // This hook runs after authentication, so that the owner is known, and before the body is read.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (!reply.loadWindow) return done()
    const owner = ownerOf(request)
    const own = ownCount(current, owner) + ownCount(last, owner)
    // Free places without this request, which is counted already. `own` does not include this request either.
    const left = bounds.most - (current.count + last.count) + 1
    if (!isWithinShare(own, left)) return refuse(reply, done)
    reply.loadOwner = owner
    reply.loadWindow.byOwner.set(owner, ownCount(reply.loadWindow, owner) + 1)
    done()
  })
  // No hook runs when a client disconnects before its response: such a request counts until its window and
  // the next one are over.
  afterResponses(app, (_request, reply) => stopCounting(reply))
}

/** Stops counting a request as under way. */
export function stopCounting(reply: FastifyReply): void {
  const { loadWindow, loadOwner } = reply
  if (!loadWindow) return
  reply.loadWindow = null
  loadWindow.count--
  if (loadOwner !== undefined) loadWindow.byOwner.set(loadOwner, ownCount(loadWindow, loadOwner) - 1)
}

function createWindow(): LoadWindow {
  return { count: 0, byOwner: new Map() }
}

function ownCount(loadWindow: LoadWindow, owner: unknown): number {
  return loadWindow.byOwner.get(owner) ?? 0
}
