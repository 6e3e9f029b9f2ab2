/** The jobs that come by the clock, when workers start. */
import { buildUsage, onBothStores, startWorker } from '../metering/fixtures.ts'

await onBothStores('workers that start at one moment all take the schedules up', async (t, store) => {
  const { services, url } = await buildUsage(t, store, { workers: 0 })
  // No more than the connections of the tests' PostgreSQL are enough for, with queues in it.
  const started = await Promise.allSettled(Array.from({ length: 4 }, () => startWorker(t, services, url)))
  t.same(
    started.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : [])),
    [],
  )
})
