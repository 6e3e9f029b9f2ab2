/** Ends a request without a response. */
import type { FastifyReply } from 'fastify'
import { stopCounting } from './load-shedding.ts'

/** Closes the client's connection before the first byte of the response. Hooks after responses do not run. */
export function dropConnection(reply: FastifyReply): FastifyReply {
  reply.hijack()
  stopCounting(reply)
  reply.request.raw.socket.destroy()
  return reply
}
