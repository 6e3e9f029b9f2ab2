/** What follows every answer, as one hook: a hook of its own costs as much as most of what is done in one. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

type Answered = (request: FastifyRequest, reply: FastifyReply) => void

const listeners = new WeakMap<FastifyInstance, Answered[]>()

/** Calls `answered` after each answer of the application, after those that were given before it. It must not throw. */
export function afterAnswers(app: FastifyInstance, answered: Answered): void {
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
