/**
 * Queues on a Redis Cluster: usage is counted exactly once, whichever node the URL names, and even when a
 * node is killed or replaced.
 */
import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { buildUsage, everyDay, redisUrl, startWorker } from '../metering/fixtures.ts'
import { type Cluster, startCluster } from '../redis-cluster.ts'
import { until } from '../until.ts'

const skip = redisUrl ? false : 'there is no Redis here'
const body = { Meter: 'm', Usage: 1 }
// A cluster takes seconds to agree that a node is down or back; on a slow machine far longer.
const agreementMs = 120_000

/** An app whose queue is on the cluster, and the node that has it. */
async function buildOnCluster(
  t: Test,
  cluster: Cluster,
  QUEUE_PREFIX = `{${randomBytes(8).toString('hex')}}`,
) {
  const owner = await cluster.findOwner(QUEUE_PREFIX)
  const environment = { REDIS_URL: cluster.urls(), QUEUE_PREFIX }
  const usage = await buildUsage(t, 'redis', { environment, workers: 0 })
  const ready = async () => (await usage.app.inject('/readyz')).json().data
  const isReady = async () => (await ready()).Status === 'ready'
  await until(isReady)
  const stored = async () => (await usage.sql`select from meter_entries`).length
  let last = ''
  const counts = async (events: number) => {
    const { answer, summary } = await usage.summarize(everyDay)
    const pending = answer.headers['usage-pending']
    last = `${summary.Totals.Events} of ${events} counted, ${pending} pending`
    return pending === '0' && summary.Totals.Events === events
  }
  t.teardown(() => t.comment(last))
  return { owner, ready, isReady, stored, counts, ...usage }
}

t.test('a Redis Cluster with three primaries', { skip }, async (t) => {
  const cluster = await startCluster(t)
  if (!cluster) return t.pass('own Redis', { skip: 'there is no redis-server on the PATH' })

  await t.test('usage goes through the node that has the queue, and is counted once', async (t) => {
    const { record, recordBatch, stored, counts, services, url } = await buildOnCluster(t, cluster)
    for (let sent = 0; sent < 5; sent++) t.equal((await record(body)).statusCode, 201)
    t.equal((await recordBatch([body, body])).statusCode, 201)
    t.equal(await stored(), 0)
    t.equal((await services.queue.listUnfinished()).size, 6)
    await startWorker(t, services, url)
    await until(() => counts(7))
  })

  await t.test('the URL of any node is enough to find the queue', async (t) => {
    const { owner, record, services, counts, url } = await buildOnCluster(t, cluster)
    const other = cluster.nodes.find((node) => node !== owner)!
    await record(body)
    await startWorker(t, { config: { ...services.config, REDIS_URL: other.url } }, url)
    await until(() => counts(1))
  })

  await t.test(
    'while the node of the queue may lose data, usage is not sent to it, and /readyz says why',
    async (t) => {
      const { owner, record, stored, ready, isReady, services } = await buildOnCluster(t, cluster)
      await owner.client.config('SET', 'appendfsync', 'everysec')
      await until(async () => (await ready()).Status === 'degraded')
      t.match((await ready()).Reasons, [/appendfsync everysec/])
      t.equal((await record(body)).statusCode, 201)
      t.equal(await stored(), 1)
      t.equal((await services.queue.listUnfinished()).size, 0)
      await owner.client.config('SET', 'appendfsync', 'always')
      await until(isReady)
    },
  )

  await t.test(
    'while the node of the queue is down, usage goes directly to PostgreSQL, and queued usage is counted later',
    async (t) => {
      const { owner, record, stored, counts, ready, isReady, services, url } = await buildOnCluster(
        t,
        cluster,
      )
      const { worker } = await startWorker(t, services, url)
      let finished = 0
      worker.onFinished('usage', () => finished++)
      await record(body)
      await until(() => finished === 1)
      await owner.crash()
      for (let sent = 0; sent < 4; sent++) t.equal((await record(body)).statusCode, 201)
      t.equal(await stored(), 5)
      t.match(await ready(), { Status: 'degraded', Missing: ['redis'] })
      await owner.restart()
      await until(isReady, agreementMs)
      t.equal((await record(body)).statusCode, 201)
      await until(() => counts(6), agreementMs)
      t.ok(finished > 1, 'the worker that ran before the crash works again')
    },
  )

  await t.test('a worker that starts while the node of the queue is down waits for the node', async (t) => {
    const { owner, record, counts, isReady, services, url } = await buildOnCluster(t, cluster)
    for (let sent = 0; sent < 3; sent++) await record(body)
    await owner.crash()
    const starting = startWorker(t, services, url)
    await owner.restart()
    await starting
    await until(isReady, agreementMs)
    await until(() => counts(3), agreementMs)
  })
})

t.test('a Redis Cluster with a replica', { skip }, async (t) => {
  const cluster = await startCluster(t, { nodeTimeoutMs: 5000 })
  if (!cluster) return t.pass('own Redis', { skip: 'there is no redis-server on the PATH' })
  const primary = await cluster.findOwner('{replicated}')
  const replica = await cluster.addReplica(primary)

  await t.test(
    'while a replica is behind, usage goes directly to PostgreSQL, because the replica may replace the primary',
    async (t) => {
      const { record, stored, ready, isReady } = await buildOnCluster(t, cluster, 'behind{replicated}')
      replica.signal('SIGSTOP')
      t.equal((await record(body)).statusCode, 201)
      t.equal(await stored(), 1)
      await until(async () =>
        (await ready()).Reasons.some((reason: string) => /1 of 1 replicas/.test(reason)),
      )
      replica.signal('SIGCONT')
      await until(isReady, agreementMs)
    },
  )

  await t.test('when the replica takes the primary’s place, it has every acknowledged entry', async (t) => {
    const { owner, record, stored, counts, isReady, services, url } = await buildOnCluster(
      t,
      cluster,
      'replaced{replicated}',
    )
    for (let sent = 0; sent < 5; sent++) t.equal((await record(body)).statusCode, 201)
    await replica.client.config('SET', 'cluster-replica-no-failover', 'no')
    await owner.crash()
    t.equal((await record(body)).statusCode, 201)
    t.equal(await stored(), 1)
    await until(isReady, agreementMs)
    await replica.client.config('SET', 'cluster-replica-no-failover', 'yes')
    t.match(await replica.client.info('replication'), /role:master/)
    t.equal((await record(body)).statusCode, 201)
    t.equal(await stored(), 1)
    await startWorker(t, services, url)
    await until(() => counts(7), agreementMs)
  })

  await t.test('after a planned failover, a worker processes the queue on the new primary', async (t) => {
    const { record, counts, services, url } = await buildOnCluster(t, cluster, 'handed{replicated}')
    const { worker } = await startWorker(t, services, url)
    let finished = 0
    worker.onFinished('usage', () => finished++)
    await record(body)
    await until(() => finished === 1)
    await primary.restart()
    await until(
      async () => /master_link_status:up/.test(await primary.client.info('replication')),
      agreementMs,
    )
    // A node without processor time for five seconds would be replaced again, and entries that only this node
    // has would be lost.
    for (const { client } of [primary, replica])
      await client.config('SET', 'cluster-replica-no-failover', 'yes')
    await primary.client.cluster('FAILOVER', 'TAKEOVER')
    await until(async () => /role:slave/.test(await replica.client.info('replication')), agreementMs)
    let sent = 1
    await until(async () => {
      t.equal((await record(body)).statusCode, 201)
      sent++
      return finished > 1
    }, agreementMs)
    await until(() => counts(sent))
  })
})
