/** Sending text that may be too long for memory. */
import type { FastifyReply } from 'fastify'
import type { SpooledText } from '../platform/text/spool.ts'
import { whenOver } from './when-over.ts'

/** Sends it as fast as the client reads; drops it where the request was answered in the meantime, or is given up. */
export function sendSpooled(reply: FastifyReply, text: SpooledText): FastifyReply {
  if (Buffer.isBuffer(text)) return reply.send(text)
  whenOver(reply, () => text.destroy())
  return reply.sent ? reply : reply.send(text)
}
