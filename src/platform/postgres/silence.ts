/**
 * Closes connections that have gone silent. The timeout of a socket does not work here: each query that is
 * sent counts as activity, and TLS loses the timeout.
 */
import type { Socket } from 'node:net'

type SilenceCounts = { read: number; written: number }
type WatchedSocket = {
  counts: SilenceCounts
  giveUp: () => void
  receivedAt: number
  /** When the first query since the last received data was sent; null if none was. */
  querySentAt: number | null
}

/**
 * Returns a function that watches a connection until it is destroyed. An idle connection is closed when it
 * has received nothing for `milliseconds`, or up to two fifths longer. If a query waits, this time begins
 * when the query was sent. When the time has passed, all other connections that have received nothing since
 * the query was sent are closed too: they are probably dead as well, and the next queries should not find
 * that out one connection at a time.
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
    // The time at which the latest of the timed-out queries was sent; minus infinity when there is none.
    let unanswered = Number.NEGATIVE_INFINITY
    for (const { querySentAt } of watched.values())
      if (querySentAt !== null && querySentAt < late) unanswered = Math.max(unanswered, querySentAt)
    for (const { querySentAt, receivedAt, giveUp } of watched.values())
      if (receivedAt <= unanswered || (querySentAt === null && receivedAt < late)) giveUp()
    if (watched.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return (socket, giveUp) => {
    watched.set(socket, { counts: count(socket), giveUp, receivedAt: performance.now(), querySentAt: null })
    // setImmediate() lets a process that was suspended read the data that arrived meanwhile, before look()
    // runs.
    timer ??= setInterval(() => setImmediate(look), milliseconds / 5).unref()
  }
}

function note(state: WatchedSocket, counts: SilenceCounts, now: number): void {
  if (counts.read !== state.counts.read) Object.assign(state, { receivedAt: now, querySentAt: null })
  else if (counts.written !== state.counts.written) state.querySentAt ??= now
  state.counts = counts
}

/** The bytes of the connection. A TLS socket does not count what it writes; its handle does. */
function count(socket: Socket): SilenceCounts {
  const { _handle: handle } = socket as { _handle?: { bytesWritten: number } | null }
  return { read: socket.bytesRead, written: handle?.bytesWritten ?? socket.bytesWritten }
}
