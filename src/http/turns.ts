/** Turns of requests at a resource that accounts share. */
import type { FastifyReply } from 'fastify'
import type { Shares, TakeTurn, Turn } from '../platform/async/shares.ts'
import { isAwaited } from './respond-within.ts'
import { whenOver } from './when-over.ts'

/** Waits for the owner's turn to work on a request. If the request ends first, the promise never resolves. */
export async function awaitTurn(shares: Shares, owner: unknown, reply: FastifyReply): Promise<Turn> {
  const turn = shares.take(owner)
  let hasBegun = false
  whenOver(reply, () => hasBegun || turn.end())
  await turn.began
  hasBegun = true
  return turn
}

/** Turns that end when the work is done and the response is sent or abandoned, whichever is later. */
export function takeTurns(shares: Shares, owner: unknown, reply: FastifyReply): TakeTurn {
  return async () => {
    const turn = await awaitTurn(shares, owner, reply)
    let [isDone, isOver] = [false, false]
    whenOver(reply, () => {
      isOver = true
      if (isDone) turn.end()
    })
    return {
      isAwaited: () => isAwaited(reply.request),
      done() {
        isDone = true
        if (isOver) turn.end()
      },
    }
  }
}
