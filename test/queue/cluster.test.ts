/** Queues on a Redis Cluster: counted exactly once whichever node is named, killed, or takes another’s place. */
import t, { type Test } from 'tap'
import { startCluster } from '../redis-cluster.ts'
import { until } from '../until.ts'
import { buildUsage, everyDay, redisUrl, startWorker } from '../usage/fixtures.ts'

const skip = redisUrl ? false : 'there is no Redis here'
const body = { Meter: 'm', Usage: 1 }

/** An app whose queue is on a cluster, and the node that keeps it. */
async function onCluster(t: Test, { workers = 0, replica = false } = {}) {
  const cluster = await startCluster(t)
  if (!cluster) throw new Error('there is no redis-server on the PATH')
  const QUEUE_PREFIX = `{${t.name.length}}`
  const owner = await cluster.findOwner(QUEUE_PREFIX)
  const standby = replica ? await cluster.addReplica(owner) : null
  const environment = { REDIS_URL: cluster.urls(), QUEUE_PREFIX }
  const usage = await buildUsage(t, 'redis', { environment, workers })
  const ready = async () => (await usage.app.inject('/readyz')).json().data
  const isReady = async () => (await ready()).Status === 'ready'
  await until(isReady)
  const stored = async () => (await usage.sql`select from meter_entries`).length
  const counted = async (events: number) =>
    (await summary()).answer.headers['usage-pending'] === '0' &&
    (await summary()).summary.Totals.Events === events
  const summary = () => usage.summarize(everyDay)
  return { cluster, owner, standby: standby!, ready, isReady, stored, counted, ...usage }
}

t.test('usage goes through the cluster, and is counted once by its worker', { skip }, async (t) => {
  const { record, recordBatch, stored, counted, services, url } = await onCluster(t)
  for (let sent = 0; sent < 5; sent++) t.equal((await record(body)).statusCode, 201)
  t.equal((await recordBatch([body, body])).statusCode, 201)
  t.equal(await stored(), 0)
  t.equal((await services.queue.listUnfinished()).size, 6)
  await startWorker(t, services, url)
  await until(() => counted(7))
})

t.test('one node is enough to find the one that keeps the queue', { skip }, async (t) => {
  const { cluster, owner, record, services, counted, url } = await onCluster(t)
  const other = cluster.nodes.find((node) => node !== owner)!
  await record(body)
  await startWorker(t, { config: { ...services.config, REDIS_URL: other.url } }, url)
  await until(() => counted(1))
})

t.test(
  'the owner killed: usage goes straight to PostgreSQL, and what waits is counted when it is back',
  { skip },
  async (t) => {
    const { owner, record, stored, counted, ready, isReady, services, url } = await onCluster(t)
    for (let sent = 0; sent < 3; sent++) await record(body)
    await owner.crash()
    for (let sent = 0; sent < 4; sent++) t.equal((await record(body)).statusCode, 201)
    t.equal(await stored(), 4)
    t.match(await ready(), { Status: 'degraded', Missing: ['redis'] })
    // It starts although its queue is away, and waits.
    const starting = startWorker(t, services, url)
    await owner.restart()
    await starting
    await until(isReady, 20_000)
    t.equal((await record(body)).statusCode, 201)
    await until(() => counted(8))
  },
)

t.test('a worker goes on after the owner came back', { skip }, async (t) => {
  const { owner, record, counted, isReady, services } = await onCluster(t, { workers: 1 })
  await record(body)
  await until(() => counted(1))
  await owner.crash()
  await until(() => !services.queue.state().reachable)
  await owner.restart()
  await until(isReady, 20_000)
  await record(body)
  await until(() => counted(2), 20_000)
})

t.test(
  'a replica that takes the owner’s place has every entry that was acknowledged',
  { skip },
  async (t) => {
    const { owner, standby, record, counted, isReady, services, url } = await onCluster(t, { replica: true })
    for (let sent = 0; sent < 5; sent++) t.equal((await record(body)).statusCode, 201)
    await owner.crash()
    t.equal((await record(body)).statusCode, 201)
    await until(isReady, 20_000)
    t.match(await standby.client.info('replication'), /role:master/)
    t.equal((await record(body)).statusCode, 201)
    t.equal((await services.queue.listUnfinished()).size, 6)
    await startWorker(t, services, url)
    await until(() => counted(7), 20_000)
  },
)

t.test('usage does not go where a replica lags, as that may take the owner’s place', { skip }, async (t) => {
  const { standby, record, stored, ready, isReady } = await onCluster(t, { replica: true })
  standby.signal('SIGSTOP')
  t.equal((await record(body)).statusCode, 201)
  t.equal(await stored(), 1)
  await until(async () => (await ready()).Reasons.some((reason: string) => /1 of 1 replicas/.test(reason)))
  standby.signal('SIGCONT')
  await until(isReady)
})

t.test('an owner that may forget is passed by, and readiness says why', { skip }, async (t) => {
  const { owner, record, stored, ready, isReady, services } = await onCluster(t)
  await owner.client.config('SET', 'appendfsync', 'everysec')
  await until(async () => (await ready()).Status === 'degraded')
  t.match((await ready()).Reasons, [/appendfsync everysec/])
  t.equal((await record(body)).statusCode, 201)
  t.equal(await stored(), 1)
  t.equal((await services.queue.listUnfinished()).size, 0)
  await owner.client.config('SET', 'appendfsync', 'always')
  await until(isReady)
})
