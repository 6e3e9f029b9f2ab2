/**
 * Runs work after every response in a single hook, because each further hook costs about as much as the work
 * in it.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

type Answered = (request: FastifyRequest, reply: FastifyReply) => void

const listeners = new WeakMap<FastifyInstance, Answered[]>()

/**
 * Calls `answered`, which must not throw, after each response of the application, in the order of
 * registration.
 */
export function afterResponses(app: FastifyInstance, answered: Answered): void {
  const known = listeners.get(app)
  if (known) {
    known.push(answered)
    return
  }
  const all = [answered]
  listeners.set(app, all)
  app.addHook('onResponse', (request, reply, done) => {
    for (const one of all) one(request, reply)
    done()
  })
}
