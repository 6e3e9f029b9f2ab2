/** Signals that stop a process. A second signal, more than a second later, stops it at once. */

export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export type Stop = {
  /** Aborts at the first SIGINT, SIGTERM or SIGHUP. */
  requested: AbortSignal
  whenRequested: Promise<void>
  /** Aborts at a further signal, more than a second after the first. */
  urgent: AbortSignal
}

/** Starts to listen for the signals, which then no longer end the process by themselves. */
export function listenForStop(): Stop {
  const requested = new AbortController()
  const urgent = new AbortController()
  const whenRequested = new Promise<void>((resolve) => {
    requested.signal.addEventListener('abort', () => resolve())
  })
  let requestedAt = 0
  const hear = () => {
    // One Ctrl-C arrives twice: from the terminal, which sends it to all processes, and from npm.
    if (requested.signal.aborted && Date.now() - requestedAt > 1000) urgent.abort()
    if (!requested.signal.aborted) requestedAt = Date.now()
    requested.abort()
  }
  for (const name of stopSignals) process.on(name, hear)
  return { requested: requested.signal, whenRequested, urgent: urgent.signal }
}
