/** Not waiting for ever for something that has no bound of its own. */

/**
 * What `work` comes to, unless that takes longer than `milliseconds`; the work itself goes on. A process that was held up
 * reads what came meanwhile before it gives up.
 * @throws what `late` makes when it took too long.
 */
export async function within<T>(milliseconds: number, work: Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => setImmediate(() => reject(late())), milliseconds)
  })
  try {
    return await Promise.race([work, deadline])
  } finally {
    clearTimeout(timer)
  }
}
