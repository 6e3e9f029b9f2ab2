/** Workers schedule the repeated jobs when they start. */
import { buildUsage, onBothStores, startWorker } from '../metering/fixtures.ts'

await onBothStores('workers that start at the same moment all start without an error', async (t, store) => {
  const { services, url } = await buildUsage(t, store, { workers: 0 })
  // Only four workers, because the PostgreSQL of the tests, which also has the queues, has few connections.
  const started = await Promise.allSettled(Array.from({ length: 4 }, () => startWorker(t, services, url)))
  t.same(
    started.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : [])),
    [],
  )
})
