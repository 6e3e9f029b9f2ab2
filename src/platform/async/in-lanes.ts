/** Does work for many items, some at a time. */

/**
 * The results in the order of the items, of which at most `lanes` are worked on at once. The first error stops what
 * has not begun, and is thrown once all that had begun has ended.
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
