/**
 * A queue that serves its owners in turn, each first come first served, so that none waits for all that another has
 * put there. It bounds nothing, and knows of its items only whose they are and what they count for.
 */
import { Fifo } from './fifo.ts'

/** What an item counts for: in number, and in bytes where they matter. */
export type Measure = { count: number; bytes: number }

export type FairQueue<Item> = {
  push(owner: unknown, item: Item): void
  /**
   * Takes one item of each owner in turn, while the next one fits; the first is taken even if it does not. Whose item
   * did not fit is first the next time.
   * @param fits is told what is taken, the next item included.
   */
  take(fits: (sum: Measure) => boolean): Item[]
  /** How many items there are. */
  readonly length: number
  /** What all of them come to. */
  readonly load: Readonly<Measure>
  /** What those of one owner come to. */
  loadOf(owner: unknown): Readonly<Measure>
}

type OwnerLane<Item> = { owner: unknown; items: Fifo<Item>; load: Measure }

const nothing: Measure = { count: 0, bytes: 0 }

export function createFairQueue<Item extends { size: Measure }>(): FairQueue<Item> {
  // Owners with items, in the order of their turns.
  const lanes = new Fifo<OwnerLane<Item>>()
  const byOwner = new Map<unknown, OwnerLane<Item>>()
  const load = { ...nothing }
  let length = 0

  function open(owner: unknown): OwnerLane<Item> {
    const lane = { owner, items: new Fifo<Item>(), load: { ...nothing } }
    byOwner.set(owner, lane)
    lanes.push(lane)
    return lane
  }

  function takeFrom(lane: OwnerLane<Item>): Item {
    const item = lane.items.shift()!
    length--
    add(lane.load, item.size, -1)
    add(load, item.size, -1)
    // While it is alone its turn comes at once.
    if (lane.items.length > 0 && lanes.length === 1) return item
    lanes.shift()
    if (lane.items.length > 0) lanes.push(lane)
    else byOwner.delete(lane.owner)
    return item
  }

  return {
    push(owner, item) {
      const lane = byOwner.get(owner) ?? open(owner)
      lane.items.push(item)
      length++
      add(lane.load, item.size, 1)
      add(load, item.size, 1)
    },
    take(fits) {
      const taken: Item[] = []
      const sum = { ...nothing }
      for (let lane = lanes.first(); lane; lane = lanes.first()) {
        add(sum, lane.items.first()!.size, 1)
        if (taken.length > 0 && !fits(sum)) break
        taken.push(takeFrom(lane))
      }
      return taken
    },
    get length() {
      return length
    },
    load,
    loadOf: (owner) => byOwner.get(owner)?.load ?? nothing,
  }
}

function add(sum: Measure, { count, bytes }: Measure, times: 1 | -1): void {
  sum.count += times * count
  sum.bytes += times * bytes
}
