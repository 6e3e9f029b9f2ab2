/** What happens when a worker starts, or a process opens queues, while the store of the queues cannot be used. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { pino } from 'pino'
import t from 'tap'
import { openStore } from '../../src/queue/connections.ts'
import { openQueuePool } from '../../src/queue/postgres-pool.ts'
import { cacheQueues } from '../../src/queue/queue-cache.ts'
import { createDatabase } from '../helper.ts'
import { buildUsage, everyDay, redisUrl, startWorker } from '../metering/fixtures.ts'
import { startProcess } from '../processes.ts'
import { proxyTo } from '../proxy.ts'
import { until } from '../until.ts'

// No server listens there.
const nowhere = 'postgres://127.0.0.1:1/none'

t.test('a worker whose queues are in a database that does not exist says so, and ends', async (t) => {
  const { url } = await createDatabase(t)
  const missing = new URL(url)
  missing.pathname = '/no_such_database'
  const { child, ended, output } = startProcess(t, 'workers/worker.js', {
    DATABASE_URL: url,
    DATABASE_DIRECT_URL: missing.href,
    REDIS_URL: '',
    WORKER_PORT: '0',
    LOG_LEVEL: 'silent',
  })
  await until(() => child.exitCode !== null)
  t.equal(await ended, 1)
  t.match(output(), /^database "no_such_database" does not exist\n$/)
})

t.test('a refused connection of a worker fails only after half a second, to slow down retries', async (t) => {
  const { url } = await createDatabase(t)
  const missing = new URL(url)
  missing.pathname = '/no_such_database'
  const pool = openQueuePool(missing.href, 'endless', pino({ level: 'silent' }))
  t.teardown(() => pool.end())
  const began = performance.now()
  await t.rejects(pool.connect(), { code: '3D000' })
  t.ok(performance.now() - began > 400)
})

t.test('queues that are opened again and again during an outage leave no listeners', async (t) => {
  const warnings: string[] = []
  const note = ({ name }: Error) => warnings.push(name)
  process.on('warning', note)
  t.teardown(() => process.off('warning', note))
  const log = pino({ level: 'silent' })
  const store = openStore({ redisUrl: undefined, databaseUrl: nowhere, prefix: '{test}', log }, 'brief')
  const queues = cacheQueues(store, log)
  for (let opened = 0; opened < 50; opened++) await t.rejects(queues.get('usage').waitUntilReady())
  await queues.close()
  await store.close()
  t.same(warnings, [])
})

t.test(
  'a worker that starts while Redis is down runs jobs as soon as Redis is back',
  { skip: redisUrl ? false : 'there is no Redis here' },
  async (t) => {
    const { services, record, summarize, url } = await buildUsage(t, 'redis', { workers: 0 })
    t.equal((await record({ Meter: 'm', Usage: 1 })).statusCode, 201)
    const proxy = await proxyTo(t, redisUrl)
    await proxy.cut()
    const refusing = createServer((socket) => socket.destroy()).listen(
      Number(new URL(proxy.url).port),
      '127.0.0.1',
    )
    const refused = once(refusing, 'connection')
    const starting = startWorker(t, { config: { ...services.config, REDIS_URL: proxy.url } }, url)
    await refused
    await new Promise((resolve) => refusing.close(resolve))
    await proxy.restore()
    await starting
    await until(async () => (await summarize(everyDay)).answer.headers['usage-pending'] === '0')
    t.match((await summarize(everyDay)).summary.Totals, { Events: 1 })
  },
)
