/** The queues of a process that adds jobs. */
import type { Logger } from 'pino'
import type { Store, StoreQueue } from './connections.ts'
import type { QueueName } from './queues.ts'

/** BullMQ's queues, made at their first use. A queue whose start failed never recovers, so it is replaced. */
export function cacheQueues(store: Store, log: Logger) {
  const made = new Map<QueueName, StoreQueue>()
  return {
    get(name: QueueName): StoreQueue {
      const existing = made.get(name)
      if (existing) return existing
      const queue = store.makeQueue(name)
      queue.on('error', (error) => log.debug({ err: error }, 'queue'))
      queue.waitUntilReady().catch(() => {
        if (made.get(name) === queue) made.delete(name)
      })
      made.set(name, queue)
      return queue
    },
    async close() {
      // A queue that never became ready has nothing to close.
      await Promise.allSettled([...made.values()].map((queue) => queue.close()))
    },
  }
}
