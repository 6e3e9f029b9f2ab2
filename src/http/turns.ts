/** Requests that take turns at something that accounts share, until each is answered. */
import type { FastifyReply } from 'fastify'
import type { Shares, TakeTurn } from '../platform/async/shares.ts'
import { isAwaited } from './answer-within.ts'
import { whenOver } from './when-over.ts'

/**
 * Waits for the owner's turn to work on a request. The turn ends when the work is done and the response is sent or
 * given up. For a request that is given up before its turn, it never begins.
 */
export function takeTurns(shares: Shares, owner: unknown, reply: FastifyReply): TakeTurn {
  return async () => {
    const turn = shares.take(owner)
    let [isWorking, isOver] = [false, false]
    whenOver(reply, () => {
      isOver = true
      if (!isWorking) turn.end()
    })
    await turn.began
    isWorking = true
    return {
      isAwaited: () => isAwaited(reply.request),
      done() {
        isWorking = false
        if (isOver) turn.end()
      },
    }
  }
}
