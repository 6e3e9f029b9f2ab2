/**
 * Responds to requests that take too long, so that clients do not wait for a store that does not respond. One
 * timer serves all requests: Fastify's handlerTimeout makes a timer and an AbortController for each, which
 * doubles the cost of a request.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { afterResponses } from './after-responses.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the request got the error for requests that take too long. */
    tookTooLong: boolean
  }
  interface FastifyReply {
    /** The index of this request among those under way. */
    place: number
  }
}

/**
 * @param tooLate makes the error, which is sent `milliseconds` after the request came, or up to a quarter of that
 * later.
 */
export function respondWithin(app: FastifyInstance, milliseconds: number, tooLate: () => Error): void {
  // Slots that are reused. A Map leaves a copy of itself each time it grows or is compacted, and such a copy
  // keeps every finished request alive until a full collection.
  const underWay: (FastifyReply | undefined)[] = []
  const arrivedAt: number[] = []
  const vacant: number[] = []
  const leave = (reply: FastifyReply) => {
    if (underWay[reply.place] !== reply) return
    underWay[reply.place] = undefined
    vacant.push(reply.place)
  }
  const search = setInterval(() => {
    const late = performance.now() - milliseconds
    for (const [place, reply] of underWay.entries()) {
      if (!reply || arrivedAt[place]! > late) continue
      // No hook runs if the client disconnects during the response, or while the request still waits behind
      // others on the same connection.
      if (reply.raw.destroyed || reply.request.raw.socket.destroyed) leave(reply)
      // A response that is being sent needs no other: it is a long list, or a stream of events.
      else if (!reply.sent && !reply.raw.headersSent) {
        reply.request.tookTooLong = true
        reply.send(tooLate())
      }
    }
  }, milliseconds / 4)
  app.decorateReply('place', 0)
  app.decorateRequest('tookTooLong', false)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.place = vacant.pop() ?? underWay.length
    underWay[reply.place] = reply
    arrivedAt[reply.place] = performance.now()
    done()
  })
  afterResponses(app, (_request, reply) => leave(reply))
  app.addHook('onClose', async () => clearInterval(search))
}

/**
 * Whether the client still waits for a response: it is connected, and has not got the error for a timeout.
 */
export function isAwaited({ tookTooLong, socket }: FastifyRequest): boolean {
  return !tookTooLong && !socket.destroyed
}
