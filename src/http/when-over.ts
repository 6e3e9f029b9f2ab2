/** Finds out when a request is over, however it ends. */
import type { FastifyReply } from 'fastify'

/** Calls `end` once: when the response is sent, or its client is gone. */
export function whenOver({ raw, request }: FastifyReply, end: () => void): void {
  const { socket } = request.raw
  const over = () => {
    raw.off('close', over)
    socket.off('close', over)
    end()
  }
  raw.once('close', over)
  if (raw.destroyed || socket.destroyed) over()
  // A request that is pipelined behind others gets no event when its connection closes, and there may be many
  // such requests.
  else if (!raw.socket) socket.setMaxListeners(0).once('close', over)
}
