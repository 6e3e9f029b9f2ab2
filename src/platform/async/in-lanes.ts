/** Runs work on many items, a few at a time. */

/**
 * Returns the results in the order of the items. At most `lanes` items are worked on at once. After the first
 * error, no more items begin; it is thrown when those that had begun have ended.
 */
export async function inLanes<T, R>(
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
