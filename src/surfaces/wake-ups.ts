/** Telling the workers after a change that it may have left them something: an event to meter, an e-mail to send. */
import type { FastifyInstance } from 'fastify'
import type { JobQueue } from '../queue/producer.ts'
import { createWakeUp } from '../queue/wake-up.ts'

/** For every route of a scope: any change may have freed places, and so made an offer. */
export function wakeAfterChanges(app: FastifyInstance, queue: JobQueue): void {
  const wakeEvents = createWakeUp(queue, 'platform-events.record')
  const wakeEmails = createWakeUp(queue, 'emails.send')
  app.addHook('onResponse', (request, reply, done) => {
    if (request.method !== 'GET' && reply.statusCode < 400) {
      wakeEvents()
      wakeEmails()
    }
    done()
  })
}
