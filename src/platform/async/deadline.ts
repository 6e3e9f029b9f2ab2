/** Not waiting for ever for something that has no bound of its own. */

/** A timer that fires later than this shows that the process, or its machine, stood still. */
const mostLateMs = 100

/**
 * What `work` comes to, unless that takes longer than `milliseconds`; the work itself goes on. After a standstill of the
 * process the work has the lost time once more, up to `milliseconds`, since the store may have stood still as well. What
 * came meanwhile is read before the work is given up.
 * @throws what `late` makes when it took too long.
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
