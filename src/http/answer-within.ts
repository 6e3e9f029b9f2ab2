/**
 * Answers requests that take too long, so that a store that hangs makes no caller hang. One timer for all of them:
 * Fastify's own handlerTimeout makes a timer and an AbortController for each, which doubles what a request costs.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { afterAnswers } from './after-answers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether it was answered because it took too long. */
    tookTooLong: boolean
  }
  interface FastifyReply {
    /** Where this one is among those under way. */
    place: number
  }
}

/** @param tooLate makes the error that is answered after `milliseconds`, at most a quarter more. */
export function answerWithin(app: FastifyInstance, milliseconds: number, tooLate: () => Error): void {
  // Slots that are used again and again. A Map would do, but each time it grows or is tidied it leaves a copy of
  // itself, which in the garbage collector's eyes keeps every answered request alive.
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
      // Whoever left while it was sent to them, or before it was its turn on their connection, is told to no hook.
      if (reply.raw.destroyed || reply.request.raw.socket.destroyed) leave(reply)
      // What is being sent has been answered: a long list, or events as they come.
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
  afterAnswers(app, (_request, reply) => leave(reply))
  app.addHook('onClose', async () => clearInterval(search))
}

/** Whether the client still waits for an answer: it is there, and was not told that it took too long. */
export function isAwaited({ tookTooLong, socket }: FastifyRequest): boolean {
  return !tookTooLong && !socket.destroyed
}
