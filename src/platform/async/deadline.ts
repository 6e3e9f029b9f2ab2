/** A time limit for work that has none of its own. */

/** A timer that fires later than this shows that the process or its machine was suspended. */
const mostLateMs = 100

/**
 * The result of `work`, unless it takes longer than `milliseconds`; the work itself continues. When the
 * process was suspended, the work gets the lost time again, up to `milliseconds`, because the store may have
 * been suspended too. Data that arrived meanwhile is read before the work is abandoned.
 * @throws the error that `late` makes, when the work took too long.
 */
export async function within<T>(milliseconds: number, work: Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const due = performance.now() + milliseconds
  const deadline = new Promise<never>((_, reject) => {
    const giveUp = () => setImmediate(() => reject(late()))
    timer = setTimeout(() => {
      const lateMs = performance.now() - due
      if (lateMs < mostLateMs) giveUp()
      else timer = setTimeout(giveUp, Math.min(lateMs, milliseconds))
    }, milliseconds)
  })
  try {
    return await Promise.race([work, deadline])
  } finally {
    clearTimeout(timer)
  }
}
