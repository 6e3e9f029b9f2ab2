/**
 * A queue that serves its owners in turn, so no owner waits for all items of another. The items of one owner
 * are served first come, first served. The queue does not limit how many items wait.
 */
import { Fifo } from './fifo.ts'

/** The size of an item or of several. `bytes` is 0 if only the count is limited. */
export type Measure = { count: number; bytes: number }

export type FairQueue<Item> = {
  push(owner: unknown, item: Item): void
  /**
   * Takes one item of each owner in turn, while the next one fits. It takes the first item even if that does
   * not fit. The owner whose item did not fit is first the next time.
   * @param fits gets the total size of the taken items and the next item, and returns whether they fit.
   */
  take(fits: (sum: Measure) => boolean): Item[]
  readonly length: number
  /** The total size of all items. */
  readonly load: Readonly<Measure>
  /** The total size of the items of one owner. */
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
    // With one owner, the order of turns does not change.
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
