/** When a batch leaves: as soon as a turn of the event loop brought no more, and after 2 ms at the latest. */

const maxGatheringMs = 2

/**
 * Gives a function that has `leave` called once the items that are waiting can go; calls in between change nothing.
 * Callers who were answered together come back together, over some turns of the event loop.
 * @param waiting how many items wait now.
 * @param maxSize with so many waiting, it leaves at once.
 */
export function createDeparture(waiting: () => number, maxSize: number, leave: () => void): () => void {
  let isScheduled = false

  function gather(until: number): void {
    const before = waiting()
    setImmediate(() => {
      const now = waiting()
      if (now > before && now < maxSize && performance.now() < until) return gather(until)
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
