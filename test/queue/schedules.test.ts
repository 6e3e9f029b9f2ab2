/** The jobs that come by the clock, when workers start. */
import { buildUsage, onBothStores, startWorker } from '../metering/fixtures.ts'

await onBothStores('workers that start at one moment all take the schedules up', async (t, store) => {
  const { services, url } = await buildUsage(t, store, { workers: 0 })
  const started = await Promise.allSettled(Array.from({ length: 8 }, () => startWorker(t, services, url)))
  t.same(
    started.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : [])),
    [],
  )
})
