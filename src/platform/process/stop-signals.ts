/** Signals that stop a process, or make it stop at once. */

export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export type Stop = {
  /** Aborts at the first SIGINT, SIGTERM or SIGHUP. */
  told: AbortSignal
  whenTold: Promise<void>
  /** Aborts at the second one. */
  hurried: AbortSignal
}

/** Listens from now on. The signals then have no other effect. */
export function listenForStop(): Stop {
  const told = new AbortController()
  const hurried = new AbortController()
  const whenTold = new Promise<void>((resolve) => {
    told.signal.addEventListener('abort', () => resolve())
  })
  let toldAt = 0
  const hear = () => {
    // One Ctrl-C arrives twice: from the terminal, which sends it to all processes, and from npm.
    if (told.signal.aborted && Date.now() - toldAt > 1000) hurried.abort()
    if (!told.signal.aborted) toldAt = Date.now()
    told.abort()
  }
  for (const name of stopSignals) process.on(name, hear)
  return { told: told.signal, whenTold, hurried: hurried.signal }
}
