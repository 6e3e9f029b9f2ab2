/**
 * Writing a little later what may be lost, so that whoever caused it waits for nothing. It knows nothing of what is
 * written: whoever writes keeps that until it is.
 */
import type { Logger } from 'pino'

export type LaterWrites = {
  /** Has `write` called within the time, once for however many callers. Costs next to nothing. */
  due(): void
  /** Writes what is due now, and no more from then on. */
  close(): Promise<void>
}

/** @param write is called again, as late, after it failed; it never runs twice at once. */
export function createLaterWrites(
  log: Logger,
  { seconds, write }: { seconds: number; write: () => Promise<void> },
): LaterWrites {
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let waits = false
  let closed = false

  function due(): void {
    waits = true
    if (!timer && !writing && !closed) timer = setTimeout(run, seconds * 1000).unref()
  }

  function run(): void {
    timer = undefined
    waits = false
    writing = write()
      .catch((error: unknown) => {
        log.debug({ err: error }, 'not written yet')
        waits = true
      })
      .finally(() => {
        writing = undefined
        if (waits) due()
      })
  }

  return {
    due,
    async close() {
      closed = true
      clearTimeout(timer)
      await writing
      if (waits) await write().catch((error: unknown) => log.debug({ err: error }, 'not written'))
    },
  }
}
