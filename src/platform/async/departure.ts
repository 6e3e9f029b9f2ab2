/** When a batch leaves: as soon as a turn of the event loop brought no more, and after 2 ms at the latest. */

const maxGatheringMs = 2

/**
 * Gives a function that has `leave` called once the items that are waiting can go; calls in between change nothing.
 * Callers who were answered together come back together, over some turns of the event loop.
 * @param count grows with each item that comes.
 * @param isFull whether a batch has all that it can take.
 */
export function createDeparture(count: () => number, isFull: () => boolean, leave: () => void): () => void {
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
