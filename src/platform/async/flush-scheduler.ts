/** When a batch starts: as soon as a turn of the event loop added no item, and after 2 ms at the latest. */

const maxGatheringMs = 2

/**
 * Returns a function that schedules `leave`, which takes the items that wait. Further calls do nothing until
 * `leave` has run. Callers that got their responses together send their next requests together, within a few
 * turns of the event loop.
 * @param count grows with each item that is added.
 * @param isFull whether a batch has all that it can take.
 */
export function createFlushScheduler(
  count: () => number,
  isFull: () => boolean,
  leave: () => void,
): () => void {
  let isScheduled = false

  function gather(until: number): void {
    const before = count()
    setImmediate(() => {
      if (count() > before && !isFull() && performance.now() < until) return gather(until)
      isScheduled = false
      leave()
    })
  }

  return () => {
    if (isScheduled) return
    isScheduled = true
    gather(performance.now() + maxGatheringMs)
  }
}
