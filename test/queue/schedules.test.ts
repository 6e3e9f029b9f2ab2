/** The scheduled jobs, when workers start. */
import { buildUsage, onBothStores, startWorker } from '../metering/fixtures.ts'

await onBothStores('workers that start at one moment all take the schedules up', async (t, store) => {
  const { services, url } = await buildUsage(t, store, { workers: 0 })
  // Limited by the connections of the tests' PostgreSQL, which also has the queues.
  const started = await Promise.allSettled(Array.from({ length: 4 }, () => startWorker(t, services, url)))
  t.same(
    started.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : [])),
    [],
  )
})
