/** The worker process: runs jobs from the queues until a signal, then finishes the running ones. */
import { measureProcess } from '../src/metrics.ts'
import { runProcess } from '../src/platform/process/process.ts'
import { openTraces } from '../src/platform/process/traces.ts'
import { closeTracing } from '../src/platform/tracing/tracing.ts'
import { startJobWorker } from '../src/queue/worker.ts'
import { measureStores } from '../src/reports/store-gauges.ts'
import { closeServices, openServices, queueOptions } from '../src/services.ts'
import { countJobs } from './counting.ts'
import { jobHandlers } from './handlers.ts'
import { buildHealth, watchProgress } from './health.ts'

await runProcess('job', async (config, databaseUrl) => {
  await openTraces(config, 'worker')
  const services = openServices(config, databaseUrl, 'worker')
  const { log, metrics } = services
  measureProcess(metrics)
  measureStores(metrics.registry, { ...services, replica: null })
  const queues = queueOptions(config, databaseUrl, log)
  const worker = await startJobWorker(queues, jobHandlers(services), countJobs(metrics))
  const watch = watchProgress(services)
  worker.onFinished('usage', watch.finished)
  const health = buildHealth(services, watch)
  if (config.WORKER_PORT > 0) {
    // Several workers on one machine need different ports. A worker without a port still works.
    await health.listen({ host: config.HOST, port: config.WORKER_PORT }).catch((error: Error) => {
      log.warn({ reason: error.message }, 'the worker runs without /healthz and /metrics')
    })
  }
  log.info({ queues: config.REDIS_URL ? 'redis' : 'postgres' }, 'worker started')
  return {
    log,
    async close() {
      services.state.draining = true
      await worker.close()
      watch.stop()
      await health.close()
      await closeServices(services)
      await closeTracing()
    },
  }
})
