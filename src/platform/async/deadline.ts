/** Not waiting for ever for something that has no bound of its own. */

/**
 * What `work` comes to, unless that takes longer than `milliseconds`; the work itself goes on.
 * @throws what `late` makes when it took too long.
 */
export async function within<T>(milliseconds: number, work: Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds)
  })
  try {
    return await Promise.race([work, deadline])
  } finally {
    clearTimeout(timer)
  }
}
