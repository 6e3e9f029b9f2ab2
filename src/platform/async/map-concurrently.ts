/** Runs work on many items, a few at a time. */

/**
 * Calls `work` for each item, at most `lanes` at once, and returns the results in the order of the items.
 * After the first error, it starts no more calls, waits for the running calls to end, and throws that error.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  lanes: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length)
  const errors: unknown[] = []
  const waiting = items.entries()
  const lane = async () => {
    for (const [index, item] of waiting) {
      if (errors.length > 0) return
      try {
        results[index] = await work(item)
      } catch (error) {
        errors.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  if (errors.length > 0) throw errors[0]
  return results
}
