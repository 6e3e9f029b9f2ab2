/**
 * Puts items of many callers into few batches, like batcher.ts, for items that need a resource which may be
 * locked. Items that need the same resource form a lane, first come, first served. When a batch finds the
 * resource of a lane locked, it sets that lane aside, so other lanes are not delayed. Lanes set aside run
 * separately, and these runs may wait for locks.
 *
 * | a lane is | its items                               | until                                                     |
 * |-----------|-----------------------------------------|-----------------------------------------------------------|
 * | ready     | wait for the next batch                 | a batch takes some of them                                |
 * | running   | are in a batch, or in a run of their own, or wait behind it | it ends: the lane is ready, aside, or gone |
 * | aside     | wait for a run of their own             | their turn comes, or they waited too long and are refused |
 */

import { inBatchSpan } from '../tracing/batch.ts'
import { activeSpan, type TracedSpan } from '../tracing/tracing.ts'
import { createAside } from './aside-lanes.ts'
import type { BatchObserver } from './batcher.ts'
import { isWithinShare } from './fair-share.ts'
import { Fifo } from './fifo.ts'
import { createFlushScheduler } from './flush-scheduler.ts'
import { createLaneRing } from './lane-ring.ts'
import { outcomesOf } from './outcomes.ts'
import type { Turn } from './shares.ts'

/** The outcome of an item whose resource is locked: it waits in the lane of this name. */
export class SetAside {
  readonly lane: string
  constructor(lane: string) {
    this.lane = lane
  }
}

export type LanesOptions<In, Out> = {
  /** Names the resource that an item needs. Two runs at once never have items of the same lane. */
  laneOf: (item: In) => string
  /** The owner of an item. All items of a lane have the same owner. Owners are served in turn. */
  ownerOf: (item: In) => unknown
  /** Works on a batch without waiting for locks. Returns one outcome for each item, in order. */
  run: (items: In[]) => Promise<(Out | Error | SetAside)[]>
  /** Works on items of a lane that was set aside. It may wait for a lock, for a short time. */
  runAlone: (items: In[], lane: string) => Promise<(Out | Error | SetAside)[]>
  /** The most items in one run. */
  maxSize: number
  /** The most batches at once. */
  maxBatches: number
  /** The most runs of set-aside lanes at once. One owner gets at most half of them, rounded up. */
  maxAlone: number
  /** The most items that wait. One owner may have at most four times as many as there are free places. */
  maxWaiting: number
  /** The longest time that an item waits in a lane that is set aside. */
  maxAsideMs: number
  /** The error for an item that finds no room. */
  refusal: () => Error
  /** The error for an item that waited too long in a lane that is set aside. */
  tooLate: () => Error
  observe?: BatchObserver
  observeAlone?: BatchObserver
}

export type Lanes<In, Out> = {
  /**
   * Rejects with `refusal`, with `tooLate`, with the error of the item or of its run, or with the code
   * ETIMEDOUT if the run takes longer than 30 seconds.
   */
  add(item: In): Promise<Out>
  /** Resolves when every item has its outcome, including the items that are added meanwhile. */
  drain(): Promise<void>
}

type LaneEntry<In, Out> = {
  item: In
  since: number
  /** The time at which the item is refused; 0 until its lane is set aside. */
  deadline: number
  /** The span that waits for the outcome, if it is traced. */
  span: TracedSpan | null
  resolve: (outcome: Out) => void
  reject: (error: unknown) => void
}
type Lane<In, Out> = {
  name: string
  owner: unknown
  entries: Fifo<LaneEntry<In, Out>>
  state: 'empty' | 'ready' | 'running' | 'aside'
  /** Whether a run has found the resource locked. Reset when the lane runs. */
  isLocked: boolean
  /** The turn to run alone that the lane has, or waits for. */
  turn: Turn | null
}
type Taken<In, Out> = { lane: Lane<In, Out>; entry: LaneEntry<In, Out> }

const maxRunMs = 30_000

export function createLanes<In, Out>(options: LanesOptions<In, Out>): Lanes<In, Out> {
  type OwnLane = Lane<In, Out>
  type OwnEntry = LaneEntry<In, Out>
  const { maxSize, maxAsideMs } = options
  const lanes = new Map<string, OwnLane>()
  const ready = createLaneRing<OwnEntry, OwnLane>()
  const waitingOf = new Map<unknown, number>()
  const onIdle: (() => void)[] = []
  let [added, waiting, undecided, batches] = [0, 0, 0, 0]
  const aside = createAside<OwnEntry, OwnLane>({
    maxAlone: options.maxAlone,
    maxAsideMs,
    begin: runAlone,
    refuse(lane, entry) {
      countWaiting(lane, -1)
      decide(entry, options.tooLate())
    },
    close: (lane) => void lanes.delete(lane.name),
  })
  const depart = createFlushScheduler(
    () => added,
    () => ready.length >= maxSize,
    runBatch,
  )

  function schedule(): void {
    if (ready.length > 0 && batches < options.maxBatches) depart()
  }

  function countWaiting({ owner }: OwnLane, change: number): void {
    waiting += change
    const own = (waitingOf.get(owner) ?? 0) + change
    if (own > 0) waitingOf.set(owner, own)
    else waitingOf.delete(owner)
  }

  function findLane(name: string, owner: unknown): OwnLane {
    let lane = lanes.get(name)
    lane ??= { name, owner, entries: new Fifo(), state: 'empty', isLocked: false, turn: null }
    lanes.set(name, lane)
    return lane
  }

  /** Removes a lane if it is empty, sets it aside if its resource is locked, and otherwise makes it ready. */
  function place(lane: OwnLane): void {
    if (lane.entries.length === 0) return void lanes.delete(lane.name)
    lane.state = lane.isLocked ? 'aside' : 'ready'
    if (lane.isLocked) aside.add(lane)
    else ready.push(lane)
  }

  function runBatch(): void {
    const taken = ready.take(maxSize)
    if (taken.length === 0) return
    batches++
    run(taken, options.run, options.observe).then(() => {
      batches--
      schedule()
    })
    schedule()
  }

  function runAlone(lane: OwnLane): void {
    const taken: Taken<In, Out>[] = []
    while (taken.length < maxSize && lane.entries.length > 0)
      taken.push({ lane, entry: lane.entries.shift()! })
    const work = (items: In[]) => options.runAlone(items, lane.name)
    run(taken, work, options.observeAlone).then(schedule)
  }

  /** Runs items taken from lanes, settles them with their outcomes, and places the lanes. */
  async function run(
    taken: Taken<In, Out>[],
    work: LanesOptions<In, Out>['run'],
    observe?: BatchObserver,
  ): Promise<void> {
    const running = new Set(taken.map(({ lane }) => lane))
    for (const { lane } of taken) {
      lane.state = 'running'
      lane.isLocked = false
      countWaiting(lane, -1)
    }
    const began = performance.now()
    const items = taken.map(({ entry }) => entry.item)
    const spans = () => taken.map(({ entry }) => entry.span)
    const outcomes = await inBatchSpan(observe?.batcher, spans, () => outcomesOf(items, work, maxRunMs))
    for (const lane of running) aside.endTurn(lane)
    for (const [place, { lane, entry }] of taken.entries()) {
      const outcome = outcomes[place]!
      if (!(outcome instanceof SetAside)) decide(entry, outcome)
      else if (outcome.lane !== lane.name) moveTo(findLane(outcome.lane, lane.owner), entry)
    }
    // Backwards, so that these items keep their order, and stay ahead of items that came meanwhile.
    for (const [place, { lane, entry }] of [...taken.entries()].reverse()) {
      const outcome = outcomes[place]!
      if (outcome instanceof SetAside && outcome.lane === lane.name) putBack(lane, entry)
    }
    for (const lane of running) place(lane)
    const waitedMs = began - taken[0]!.entry.since
    observe?.({ count: taken.length, waitedMs, tookMs: performance.now() - began })
  }

  function putBack(lane: OwnLane, entry: OwnEntry): void {
    countWaiting(lane, 1)
    lane.isLocked = true
    lane.entries.unshift(entry)
  }

  function moveTo(lane: OwnLane, entry: OwnEntry): void {
    countWaiting(lane, 1)
    lane.isLocked = true
    lane.entries.push(entry)
    if (lane.state === 'empty') place(lane)
    else if (lane.turn) entry.deadline ||= performance.now() + maxAsideMs
  }

  function decide(entry: OwnEntry, outcome: Out | Error): void {
    if (outcome instanceof Error) entry.reject(outcome)
    else entry.resolve(outcome)
    if (--undecided === 0) for (const resolve of onIdle.splice(0)) resolve()
  }

  return {
    add(item) {
      const owner = options.ownerOf(item)
      const left = options.maxWaiting - waiting - 1
      if (!isWithinShare((waitingOf.get(owner) ?? 0) + 1, left)) return Promise.reject(options.refusal())
      return new Promise((resolve, reject) => {
        const lane = findLane(options.laneOf(item), owner)
        const since = performance.now()
        const deadline = lane.turn ? since + maxAsideMs : 0
        lane.entries.push({ item, since, deadline, span: activeSpan(), resolve, reject })
        countWaiting(lane, 1)
        added++
        undecided++
        if (lane.state === 'empty') place(lane)
        schedule()
      })
    },
    async drain() {
      while (undecided > 0) {
        await new Promise<void>((resolve) => onIdle.push(resolve))
        // A caller may add its item again when it gets its outcome.
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}
