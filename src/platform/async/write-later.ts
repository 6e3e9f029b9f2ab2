/**
 * Writes data in the background after a delay, so that the caller does not wait. Only for data that may be
 * lost. The caller keeps the data until it is written.
 */
import type { Logger } from 'pino'

export type LaterWrites = {
  /** Schedules one call of `write`. Cheap enough to call on each request: further calls until then do nothing. */
  due(): void
  /** Writes at once if a write is due, and never again. */
  close(): Promise<void>
}

/** @param write runs `seconds` after due(), and again after the same time if it fails. Calls never overlap. */
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
        log.debug({ err: error }, 'a background write failed and will be retried')
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
      if (waits)
        await write().catch((error: unknown) => log.debug({ err: error }, 'the last background write failed'))
    },
  }
}
