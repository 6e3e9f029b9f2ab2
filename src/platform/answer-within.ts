/**
 * Answers requests that take too long, so that a store that hangs makes no caller hang. One timer for all of them:
 * Fastify's own handlerTimeout makes a timer and an AbortController for each, which doubles what a request costs.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'

/** @param tooLate makes the error that is answered after `milliseconds`, at most a quarter more. */
export function answerWithin(app: FastifyInstance, milliseconds: number, tooLate: () => Error): void {
  // In the order of their arrival: the first that is in time ends the search.
  const underWay = new Map<FastifyReply, number>()
  const search = setInterval(() => {
    const late = performance.now() - milliseconds
    for (const [reply, arrivedAt] of underWay) {
      if (arrivedAt > late) return
      underWay.delete(reply)
      if (!reply.sent) reply.send(tooLate())
    }
  }, milliseconds / 4)
  app.addHook('onRequest', (_request, reply, done) => {
    underWay.set(reply, performance.now())
    done()
  })
  app.addHook('onResponse', (_request, reply, done) => {
    underWay.delete(reply)
    done()
  })
  app.addHook('onClose', async () => clearInterval(search))
}
