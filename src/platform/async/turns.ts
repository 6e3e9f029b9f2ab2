/** How many things of each owner may be under way at once. The others wait for their turn, first come first served. */

export type Turn = {
  /** Resolves when it may begin; never, if it is ended before. */
  began: Promise<void>
  /** To be called once, when it is done, or is not waited for any longer. */
  end(): void
}

type KeyLane = { underWay: number; waiting: Set<() => void> }

export function createTurns(mostUnderWay: number): { take(owner: string): Turn } {
  const lanes = new Map<string, KeyLane>()

  function laneOf(owner: string): KeyLane {
    const lane = lanes.get(owner) ?? { underWay: 0, waiting: new Set() }
    lanes.set(owner, lane)
    return lane
  }

  function leave(owner: string, lane: KeyLane): void {
    const [next] = lane.waiting
    // Its place is handed on.
    if (next) {
      lane.waiting.delete(next)
      next()
    } else if (--lane.underWay === 0) lanes.delete(owner)
  }

  return {
    take(owner) {
      const lane = laneOf(owner)
      if (lane.underWay < mostUnderWay) {
        lane.underWay++
        return { began: Promise.resolve(), end: () => leave(owner, lane) }
      }
      let begin = () => {}
      const began = new Promise<void>((resolve) => {
        begin = resolve
      })
      lane.waiting.add(begin)
      return { began, end: () => lane.waiting.delete(begin) || leave(owner, lane) }
    },
  }
}
