/** The web process: listens, and after a signal finishes the requests under way before it ends. */
import { setTimeout as delay } from 'node:timers/promises'
import { buildApp } from './app.ts'
import { measureProcess } from './metrics.ts'
import { runProcess } from './platform/process/process.ts'
import { openTraces } from './platform/process/traces.ts'
import { closeTracing } from './platform/tracing/tracing.ts'
import { closeServices, openServices } from './services.ts'
import { buildMetricsApp } from './surfaces/metrics.ts'

await runProcess('request', async (config, databaseUrl) => {
  await openTraces(config, 'web')
  const services = openServices(config, databaseUrl, 'web')
  measureProcess(services.metrics)
  const app = await buildApp(services)
  const metrics = buildMetricsApp(services)
  await app.listen({ host: config.HOST, port: config.PORT })
  if (config.METRICS_PORT > 0) await metrics.listen({ host: config.HOST, port: config.METRICS_PORT })
  return {
    log: services.log,
    async close() {
      services.state.draining = true
      await delay(config.SHUTDOWN_DELAY_SECONDS * 1000)
      // The application is closed before the services, because some of its parts write to the database when
      // they close.
      await app.close()
      await metrics.close()
      await closeServices(services)
      await closeTracing()
    },
  }
})
