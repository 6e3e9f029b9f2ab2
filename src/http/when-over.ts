/** When a request is over, however it ends. */
import type { FastifyReply } from 'fastify'

/** Calls `end` once: when the answer is sent, or nobody is there to read it. */
export function whenOver({ raw, request }: FastifyReply, end: () => void): void {
  const { socket } = request.raw
  const over = () => {
    raw.off('close', over)
    socket.off('close', over)
    end()
  }
  raw.once('close', over)
  if (raw.destroyed || socket.destroyed) over()
  // What is pipelined behind other requests is not told that its connection is gone, and there may be many of them.
  else if (!raw.socket) socket.setMaxListeners(0).once('close', over)
}
