/** Ends a request without a response. */
import type { FastifyReply } from 'fastify'
import { endLoad } from './load-shedding.ts'

/** Closes the client's connection before the first byte of the response. Hooks after responses do not run. */
export function dropConnection(reply: FastifyReply): FastifyReply {
  reply.hijack()
  endLoad(reply)
  reply.request.raw.socket.destroy()
  return reply
}
