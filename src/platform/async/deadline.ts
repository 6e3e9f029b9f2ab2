/** A time limit for work that has none of its own. */

/** A timer that fires later than this shows that the process or its machine was suspended. */
const maxLateMs = 100

/**
 * Returns the result of `work`, or throws if it takes longer than `milliseconds`; the work itself continues.
 * If the timer fires late because the process was suspended, the limit is extended by the delay, at most by
 * `milliseconds`: the store that the work waits for may have been suspended too. Before it throws, the event
 * loop reads data that has arrived.
 * @throws the error that `late` makes, when the work took too long.
 */
export async function within<T>(milliseconds: number, work: Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const due = performance.now() + milliseconds
  const deadline = new Promise<never>((_, reject) => {
    const giveUp = () => setImmediate(() => reject(late()))
    timer = setTimeout(() => {
      const lateMs = performance.now() - due
      if (lateMs < maxLateMs) giveUp()
      else timer = setTimeout(giveUp, Math.min(lateMs, milliseconds))
    }, milliseconds)
  })
  try {
    return await Promise.race([work, deadline])
  } finally {
    clearTimeout(timer)
  }
}
