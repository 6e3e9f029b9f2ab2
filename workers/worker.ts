/** The worker process: takes jobs from the queues until it is told to stop, then finishes those in hand. */
import { runProcess } from '../src/platform/process.ts'
import { startJobWorker } from '../src/queue/queues.ts'
import { closeServices, openServices } from '../src/services.ts'
import { jobHandlers } from './handlers.ts'

await runProcess(async (config, databaseUrl) => {
  const services = openServices(config, databaseUrl, 'worker')
  const { log } = services
  const options = { redisUrl: config.REDIS_URL, databaseUrl, prefix: config.QUEUE_PREFIX, log }
  const worker = await startJobWorker(options, jobHandlers(services))
  log.info({ queues: config.REDIS_URL ? 'redis' : 'postgres' }, 'worker started')
  return {
    log,
    async close() {
      await worker.close()
      await closeServices(services)
    },
  }
})
