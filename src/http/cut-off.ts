/** Ends a request without an answer. */
import type { FastifyReply } from 'fastify'
import { leaveLoad } from './load-shedding.ts'

/** Closes the client's connection before a byte of the answer is sent. Hooks that follow answers are not called. */
export function cutOff(reply: FastifyReply): FastifyReply {
  reply.hijack()
  leaveLoad(reply)
  reply.request.raw.socket.destroy()
  return reply
}
