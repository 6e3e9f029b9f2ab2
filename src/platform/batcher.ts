/**
 * Turns many callers' single items into few batches: what arrives while a batch is in flight forms the next
 * one, so a batch is as large as the load and a lone caller waits for nobody. It knows nothing of its items.
 */
export type BatcherOptions<In, Out> = {
  /** Works on a batch; gives one outcome for each item, in order. An Error as an outcome fails that caller. */
  run: (items: In[]) => Promise<(Out | Error)[]>
  /** Most items in one batch. */
  maxSize: number
  /** Most batches in flight at once. */
  concurrency: number
  /** Most items that wait; one more is refused at once. */
  maxWaiting: number
  /** What a refused caller is told. */
  refusal: () => Error
}

export type Batcher<In, Out> = {
  /** Joins the next batch. Rejects with the refusal when too many wait, or with what failed the item. */
  add(item: In): Promise<Out>
  /** Resolves when everything added so far has its outcome. */
  drain(): Promise<void>
}

type Waiting<In, Out> = { item: In; resolve: (outcome: Out) => void; reject: (error: unknown) => void }

export function createBatcher<In, Out>(options: BatcherOptions<In, Out>): Batcher<In, Out> {
  let waiting: Waiting<In, Out>[] = []
  const inFlight = new Set<Promise<void>>()
  let scheduled = false

  // A turn of the event loop later, the requests that were read from the sockets together are here together.
  function schedule(): void {
    if (scheduled || waiting.length === 0 || inFlight.size >= options.concurrency) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      const batch = waiting.slice(0, options.maxSize)
      waiting = waiting.slice(options.maxSize)
      const running = settle(options.run, batch).finally(() => {
        inFlight.delete(running)
        schedule()
      })
      inFlight.add(running)
      schedule()
    })
  }

  return {
    add(item) {
      if (waiting.length >= options.maxWaiting) return Promise.reject(options.refusal())
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
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
  run: BatcherOptions<In, Out>['run'],
  batch: Waiting<In, Out>[],
): Promise<void> {
  try {
    const outcomes = await run(batch.map(({ item }) => item))
    for (const [index, { resolve, reject }] of batch.entries()) {
      const outcome = outcomes[index]
      if (outcome instanceof Error) reject(outcome)
      else resolve(outcome as Out)
    }
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}
