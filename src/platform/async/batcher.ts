/**
 * Puts single items of many callers into few batches. Items that arrive while a batch runs form the next one,
 * so batches grow with the load, and a single caller hardly waits. When another batch may run, it starts as soon
 * as it is full, when a turn of the event loop has added no item, or after 2 ms. With `ownerOf`, the owners
 * are served in turn, and one owner alone can fill at most four fifths of the places for waiting items.
 */

import { inBatchSpan } from '../tracing/batch.ts'
import { activeSpan, type TracedSpan } from '../tracing/tracing.ts'
import { createFairQueue, type Measure } from './fair-queue.ts'
import { isWithinShare } from './fair-share.ts'
import { createFlushScheduler } from './flush-scheduler.ts'
import { outcomesOf } from './outcomes.ts'

export type BatcherOptions<In, Out> = {
  /**
   * Works on a batch and returns one outcome for each item, in order. An Error as an outcome rejects that
   * caller's promise.
   */
  run: (items: In[]) => Promise<(Out | Error)[]>
  /** The most items in one batch. An item larger than the limit is sent in a batch of its own. */
  maxSize: number
  /** The most batches that run at once. */
  concurrency: number
  /**
   * The least time between the starts of two batches that are not full; no limit when left out. It makes
   * fewer and larger batches under load. A full batch starts without this wait. If this time has already
   * passed since the last start, the batch of a new item starts without it too.
   */
  intervalMs?: number
  /**
   * The most items that wait. Further items are rejected at once. With `ownerOf`, one owner may have at most
   * four times as many as there are free places.
   */
  maxWaiting: number
  /**
   * The longest time for a batch; 30 seconds when left out. After it, the batch rejects its callers and makes
   * room for the next one. The work itself may still finish.
   */
  timeoutMs?: number
  /** The owner of an item. When left out, all items have the same owner. */
  ownerOf?: (item: In) => unknown
  /**
   * The size of an item; a count of 1 and no bytes when left out. For items with several parts or different
   * lengths.
   */
  measure?: (item: In) => Measure
  /**
   * The most bytes in one batch, and the most bytes that wait; no limits when left out. They need `measure`.
   */
  maxBytes?: number
  maxWaitingBytes?: number
  /** The error for a caller whose item is rejected for lack of room. */
  refusal: () => Error
  /** Called after each batch, whether it succeeded or failed. */
  observe?: BatchObserver
}

/**
 * Gets each finished batch: the sum of the counts of its items, how long its first item waited, and how long
 * the batch took.
 */
export type BatchObserver = {
  (batch: { count: number; waitedMs: number; tookMs: number }): void
  /** The name of the batcher in traces. Without a name, its batches are not traced. */
  readonly batcher?: string
}

/** Makes an observer for the batcher with this name. */
export type ObserveBatches = (batcher: string) => BatchObserver

export type Batcher<In, Out> = {
  /**
   * Adds an item to the next batch. Rejects with the refusal if too many items of this owner, or of all
   * owners, wait; with the error of the item or of its batch; or with the code ETIMEDOUT if the batch took
   * too long.
   */
  add(item: In): Promise<Out>
  /** Resolves when no item waits and no batch runs. It also waits for items that are added meanwhile. */
  drain(): Promise<void>
}

type WaitingItem<In, Out> = {
  item: In
  size: Measure
  since: number
  /** The span that waits for the outcome, if it is traced. */
  span: TracedSpan | null
  resolve: (outcome: Out) => void
  reject: (error: unknown) => void
}

const single: Measure = { count: 1, bytes: 0 }
const one = () => single
const defaultTimeoutMs = 30_000

export function createBatcher<In, Out>(options: BatcherOptions<In, Out>): Batcher<In, Out> {
  const { measure = one, ownerOf, maxBytes = Number.POSITIVE_INFINITY } = options
  const { maxWaitingBytes = Number.POSITIVE_INFINITY, timeoutMs = defaultTimeoutMs } = options
  const { intervalMs = 0 } = options
  const fits = ({ count, bytes }: Measure) => count <= options.maxSize && bytes <= maxBytes
  const waiting = createFairQueue<WaitingItem<In, Out>>()
  const inFlight = new Set<Promise<void>>()
  const isFull = () => waiting.load.count >= options.maxSize
  const depart = createFlushScheduler(() => waiting.load.count, isFull, dispatch)
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
    const running = settle(batch, options, timeoutMs).finally(() => {
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
    return isWithinShare(own.count + size.count, count) && isWithinShare(own.bytes + size.bytes, bytes)
  }

  return {
    add(item) {
      const size = measure(item)
      const owner = ownerOf?.(item)
      // An item that is larger than the limit for waiting items is accepted when no other item waits, because
      // it would never fit otherwise.
      if (waiting.length > 0 && !hasRoom(owner, size)) return Promise.reject(options.refusal())
      return new Promise((resolve, reject) => {
        const since = performance.now()
        waiting.push(owner, { item, size, since, span: activeSpan(), resolve, reject })
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
  { run, observe }: Pick<BatcherOptions<In, Out>, 'run' | 'observe'>,
  timeoutMs: number,
): Promise<void> {
  const items = batch.map(({ item }) => item)
  const spans = () => batch.map(({ span }) => span)
  const outcomes = await inBatchSpan(observe?.batcher, spans, () => outcomesOf(items, run, timeoutMs))
  for (const [index, { resolve, reject }] of batch.entries()) {
    const outcome = outcomes[index]
    if (outcome instanceof Error) reject(outcome)
    else resolve(outcome as Out)
  }
}
