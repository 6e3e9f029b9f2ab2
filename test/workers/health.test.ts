/** When a worker reports that it is unhealthy, and when it does not. */
import t from 'tap'
import { buildHealth, stuckAfterMs, watchProgress } from '../../workers/health.ts'
import { buildUsage } from '../metering/fixtures.ts'
import { until } from '../until.ts'

t.test(
  'a worker is unhealthy when usage jobs wait, the stores respond, and it finished none for a minute',
  async (t) => {
    const { services, record } = await buildUsage(t, 'postgres', { workers: 0 })
    let now = Date.now()
    const watch = watchProgress(services, () => now)
    t.teardown(watch.stop)
    const health = buildHealth(services, watch)
    t.teardown(() => health.close())
    const status = async () => (await health.inject('/healthz')).statusCode
    const pass = async (milliseconds: number) => {
      now += milliseconds
      await watch.look()
    }
    await pass(10 * stuckAfterMs)
    t.equal(await status(), 200, 'nothing waits')
    await record({ Meter: 'm', Usage: 1 })
    await until(() => (services.queue.state().backlog?.waiting ?? 0) > 0)
    await pass(stuckAfterMs)
    t.equal(await status(), 200)
    await pass(1)
    t.equal(await status(), 503)
    t.match((await health.inject('/healthz')).json(), { status: 503, detail: /no usage job for a minute/ })
    watch.finished()
    t.equal(await status(), 200, 'the worker finished a job')
    await pass(stuckAfterMs / 2)
    services.sql.end()
    await pass(stuckAfterMs)
    t.equal(await status(), 200, 'PostgreSQL does not respond')
  },
)
