/** Starts a batch when it is full, when a turn of the event loop has added no item, or after 2 ms. */

const maxGatheringMs = 2

/**
 * Returns a function that schedules one call of `leave`, which must take the items that wait. Further calls
 * do nothing until `leave` is called. The delay makes larger batches: clients that got their responses
 * together send their next requests together, within a few turns of the event loop.
 * @param count grows with each item that is added.
 * @param isFull whether the items that wait fill a batch.
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
