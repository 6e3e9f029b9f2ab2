/**
 * Turns many callers' single items into few batches: what arrives while a batch is in flight forms the next
 * one, so a batch is as large as the load and a lone caller waits for nobody. A batch leaves when a turn of the
 * event loop brought no more, or after 2 ms. It knows nothing of its items but whose they are, where that is told:
 * then their owners are served in turn, and none can take all the room.
 */
import { createDeparture } from './departure.ts'
import { createFairQueue, type Measure } from './fair-queue.ts'
import { outcomesOf } from './outcomes.ts'
import { mayTakeMore } from './room.ts'

export type BatcherOptions<In, Out> = {
  /** Works on a batch; gives one outcome for each item, in order. An Error as an outcome fails that caller. */
  run: (items: In[]) => Promise<(Out | Error)[]>
  /** Most items in one batch. An item that is larger than a batch may be forms one alone. */
  maxSize: number
  /** Most batches in flight at once. */
  concurrency: number
  /**
   * Least time from the start of a batch to that of the next; none when left out. It makes fewer and larger batches under
   * load. An item that comes later than that after the last batch waits for nothing, and a full batch never does.
   */
  intervalMs?: number
  /** Most items that wait; one more is refused at once. */
  maxWaiting: number
  /**
   * How long a batch may take, in milliseconds; 30 seconds when left out. Then it fails its callers and makes room
   * for the next, so that no answer that never comes stops all that come later; what it does may still be done.
   */
  patience?: number
  /** Whose an item is. Left out, all are of one owner. */
  ownerOf?: (item: In) => unknown
  /** For items that hold several things each, or of very different lengths: how each of them counts. */
  measure?: (item: In) => Measure
  /** Most bytes in one batch, and most that wait; unbounded unless `measure` tells them. */
  maxBytes?: number
  maxWaitingBytes?: number
  /** What a refused caller is told. */
  refusal: () => Error
  /** Told of each batch when it is over, whatever became of it. */
  observe?: BatchObserver
}

/** A batch that is over: what it counted for, how long its first item had waited, and how long it took. */
export type BatchObserver = (batch: { count: number; waitedMs: number; tookMs: number }) => void

/** Makes the observer of the batcher of this name. */
export type ObserveBatches = (batcher: string) => BatchObserver

export type Batcher<In, Out> = {
  /**
   * Joins the next batch. Rejects with the refusal when too many wait, or too many of its owner; with what failed the
   * item; or with the code ETIMEDOUT when its batch took too long.
   */
  add(item: In): Promise<Out>
  /** Resolves when everything added so far has its outcome. */
  drain(): Promise<void>
}

type WaitingItem<In, Out> = {
  item: In
  size: Measure
  since: number
  resolve: (outcome: Out) => void
  reject: (error: unknown) => void
}

const single: Measure = { count: 1, bytes: 0 }
const one = () => single
const patienceMilliseconds = 30_000

export function createBatcher<In, Out>(options: BatcherOptions<In, Out>): Batcher<In, Out> {
  const { measure = one, ownerOf, maxBytes = Number.POSITIVE_INFINITY } = options
  const { maxWaitingBytes = Number.POSITIVE_INFINITY, patience = patienceMilliseconds } = options
  const { intervalMs = 0 } = options
  const fits = ({ count, bytes }: Measure) => count <= options.maxSize && bytes <= maxBytes
  const waiting = createFairQueue<WaitingItem<In, Out>>()
  const inFlight = new Set<Promise<void>>()
  const isFull = () => waiting.load.count >= options.maxSize
  const depart = createDeparture(() => waiting.load.count, isFull, dispatch)
  let timer: NodeJS.Timeout | undefined
  let lastBegan = Number.NEGATIVE_INFINITY

  function schedule(): void {
    if (waiting.length === 0 || inFlight.size >= options.concurrency) return
    const restMs = intervalMs === 0 || isFull() ? 0 : lastBegan + intervalMs - performance.now()
    if (restMs <= 0) depart()
    else timer ??= setTimeout(depart, restMs)
  }

  function dispatch(): void {
    const batch = waiting.take(fits)
    const began = performance.now()
    lastBegan = began
    clearTimeout(timer)
    timer = undefined
    const running = settle(batch, options.run, patience).finally(() => {
      inFlight.delete(running)
      schedule()
      options.observe?.({
        count: batch.reduce((sum, { size }) => sum + size.count, 0),
        waitedMs: began - batch[0]!.since,
        tookMs: performance.now() - began,
      })
    })
    inFlight.add(running)
    schedule()
  }

  function hasRoom(owner: unknown, size: Measure): boolean {
    const count = options.maxWaiting - waiting.load.count - size.count
    const bytes = maxWaitingBytes - waiting.load.bytes - size.bytes
    if (!ownerOf) return count >= 0 && bytes >= 0
    const own = waiting.loadOf(owner)
    return mayTakeMore(own.count + size.count, count) && mayTakeMore(own.bytes + size.bytes, bytes)
  }

  return {
    add(item) {
      const size = measure(item)
      const owner = ownerOf?.(item)
      // Something larger than all that may wait is taken when nothing does: it would never be otherwise.
      if (waiting.length > 0 && !hasRoom(owner, size)) return Promise.reject(options.refusal())
      return new Promise((resolve, reject) => {
        waiting.push(owner, { item, size, since: performance.now(), resolve, reject })
        schedule()
      })
    },
    async drain() {
      while (waiting.length > 0 || inFlight.size > 0) {
        if (inFlight.size > 0) await Promise.race(inFlight)
        else await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}

async function settle<In, Out>(
  batch: WaitingItem<In, Out>[],
  run: BatcherOptions<In, Out>['run'],
  timeoutMs: number,
): Promise<void> {
  const items = batch.map(({ item }) => item)
  const outcomes = await outcomesOf(items, run, timeoutMs)
  for (const [index, { resolve, reject }] of batch.entries()) {
    const outcome = outcomes[index]
    if (outcome instanceof Error) reject(outcome)
    else resolve(outcome as Out)
  }
}
