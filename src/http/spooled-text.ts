/** Sends text that may be too long for memory. */
import type { FastifyReply } from 'fastify'
import type { SpooledText } from '../platform/text/spool.ts'
import { whenOver } from './when-over.ts'

/**
 * Sends the text as fast as the client reads. Destroys the text if the request already has a response, or its client
 * has disconnected.
 */
export function sendSpooled(reply: FastifyReply, text: SpooledText): FastifyReply {
  if (Buffer.isBuffer(text)) return reply.send(text)
  whenOver(reply, () => text.destroy())
  return reply.sent ? reply : reply.send(text)
}
