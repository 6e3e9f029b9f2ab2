/**
 * Gives connections up that fell silent. A socket's own timeout never comes while further questions are sent down
 * it, each of which counts as life, and it is lost when the socket is made secure.
 */
import type { Socket } from 'node:net'

type SilenceCounts = { read: number; written: number }
type WatchedSocket = {
  counts: SilenceCounts
  giveUp: () => void
  heardAt: number
  /** When it was first asked something that nothing has been heard since; null when there is no such thing. */
  askedAt: number | null
}

/**
 * Gives a function that watches a connection until it is destroyed. When nothing was heard of it for `milliseconds`
 * (at most two fifths more), asked or idle, it is given up. With one that was asked goes every other that nothing was
 * heard of since: what is idle is likely to be as dead, and whoever tries again should not find that out one
 * connection after the other.
 */
export function createSilenceWatch(milliseconds: number): (socket: Socket, giveUp: () => void) => void {
  const watched = new Map<Socket, WatchedSocket>()
  let timer: NodeJS.Timeout | undefined

  function look(): void {
    const now = performance.now()
    for (const [socket, state] of watched) {
      if (socket.destroyed) watched.delete(socket)
      else note(state, count(socket), now)
    }
    const late = now - milliseconds
    // The last question that has had no answer for too long; minus infinity when there is none.
    let unanswered = Number.NEGATIVE_INFINITY
    for (const { askedAt } of watched.values())
      if (askedAt !== null && askedAt < late) unanswered = Math.max(unanswered, askedAt)
    for (const { askedAt, heardAt, giveUp } of watched.values())
      if (heardAt <= unanswered || (askedAt === null && heardAt < late)) giveUp()
    if (watched.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return (socket, giveUp) => {
    watched.set(socket, { counts: count(socket), giveUp, heardAt: performance.now(), askedAt: null })
    // A process that was held up first reads what came meanwhile.
    timer ??= setInterval(() => setImmediate(look), milliseconds / 5).unref()
  }
}

function note(state: WatchedSocket, counts: SilenceCounts, now: number): void {
  if (counts.read !== state.counts.read) Object.assign(state, { heardAt: now, askedAt: null })
  else if (counts.written !== state.counts.written) state.askedAt ??= now
  state.counts = counts
}

/** What went over the wire. A socket that was made secure does not count what is written; its handle does. */
function count(socket: Socket): SilenceCounts {
  const { _handle: handle } = socket as { _handle?: { bytesWritten: number } | null }
  return { read: socket.bytesRead, written: handle?.bytesWritten ?? socket.bytesWritten }
}
