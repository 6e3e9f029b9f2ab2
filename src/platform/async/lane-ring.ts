/**
 * The part of lanes.ts with the lanes that are ready for a batch. It serves owners in turn: from each owner
 * it takes one item, of the lane that became ready first.
 */
import { Fifo } from './fifo.ts'

/** Items that need the same resource, and their owner. */
export type RingLane<Entry> = { owner: unknown; entries: Fifo<Entry> }

export type LaneRing<Entry, Lane extends RingLane<Entry>> = {
  /** Adds a lane that is not in the ring and has items. */
  push(lane: Lane): void
  /**
   * Takes at most `maxSize` items and removes their lanes from the ring, even lanes that have more items. The
   * items of a lane come in their order.
   */
  take(maxSize: number): { lane: Lane; entry: Entry }[]
  /** How many lanes there are. */
  readonly length: number
}

type Turns<Lane> = { owner: unknown; lanes: Fifo<Lane> }

export function createLaneRing<Entry, Lane extends RingLane<Entry>>(): LaneRing<Entry, Lane> {
  const ring = new Fifo<Turns<Lane>>()
  const byOwner = new Map<unknown, Turns<Lane>>()
  let length = 0

  function rotate(): void {
    const turns = ring.shift()!
    if (turns.lanes.length > 0) ring.push(turns)
    else byOwner.delete(turns.owner)
  }

  /** Removes the owner's first lane. An owner without lanes stays in the ring until rotate() reaches it. */
  function drop(turns: Turns<Lane>): void {
    turns.lanes.shift()
    length--
  }

  return {
    push(lane) {
      length++
      const turns = byOwner.get(lane.owner)
      if (turns) return turns.lanes.push(lane)
      const opened = { owner: lane.owner, lanes: new Fifo<Lane>() }
      opened.lanes.push(lane)
      byOwner.set(lane.owner, opened)
      ring.push(opened)
    },
    take(maxSize) {
      const taken: { lane: Lane; entry: Entry }[] = []
      const partly = new Set<Lane>()
      for (let turns = ring.first(); turns && taken.length < maxSize; turns = ring.first()) {
        const lane = turns.lanes.first()
        if (lane) {
          taken.push({ lane, entry: lane.entries.shift()! })
          if (lane.entries.length > 0) partly.add(lane)
          else {
            partly.delete(lane)
            drop(turns)
          }
        }
        rotate()
      }
      for (const { owner } of partly) drop(byOwner.get(owner)!)
      return taken
    },
    get length() {
      return length
    },
  }
}
