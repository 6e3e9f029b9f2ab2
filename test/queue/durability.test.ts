/**
 * Usage goes into the queue only while its store has room. The store must also keep what it acknowledges, unless
 * ALLOW_VOLATILE_QUEUE is set.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { buildUsage, everyDay, redisUrl } from '../metering/fixtures.ts'
import { startRedisServer } from '../redis-server.ts'
import { until } from '../until.ts'

const skip = redisUrl ? false : 'there is no Redis here'

/** A Redis for this test, whose settings it may change. */
async function startOwnRedis(t: Test) {
  const folder = await mkdtemp(path.join(tmpdir(), 'abs-test-'))
  const server = await startRedisServer(folder)
  if (!server) return null
  const client = new Redis(server.url)
  t.teardown(async () => {
    client.disconnect()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  })
  return { url: server.url, client }
}

t.test('usage is not sent to a Redis that may lose data, and /readyz says why', { skip }, async (t) => {
  const redis = await startOwnRedis(t)
  if (!redis) return t.pass('own Redis', { skip: 'there is no redis-server on the PATH' })
  const environment = { REDIS_URL: redis.url }
  const { app, services, record, summarize } = await buildUsage(t, 'redis', { environment, workers: 0 })
  const ready = async () => (await app.inject('/readyz')).json().data
  await until(async () => (await ready()).Status === 'ready')
  for (const [name, bad, good] of [
    ['appendonly', 'no', 'yes'],
    ['appendfsync', 'everysec', 'always'],
    ['maxmemory-policy', 'allkeys-lru', 'noeviction'],
  ] as const) {
    await redis.client.config('SET', name, bad)
    await until(async () =>
      (await ready()).Reasons.some((reason: string) => reason.includes(`${name} ${bad}`)),
    )
    t.match(await ready(), { Status: 'degraded', Missing: [] })
    t.equal((await record({ Meter: name, Usage: 1 })).statusCode, 201)
    t.same((await summarize(`${everyDay}&meter=${name}`)).summary.Totals, { Usage: 1, Events: 1 })
    t.equal((await services.queue.listUnfinished()).size, 0)
    await redis.client.config('SET', name, good)
    await until(async () => (await ready()).Status === 'ready')
  }
  await record({ Meter: 'queued', Usage: 1 })
  t.equal((await services.queue.listUnfinished()).size, 1)
})

t.test('a Redis that does not show its settings is not used', { skip }, async (t) => {
  const redis = await startOwnRedis(t)
  if (!redis) return t.pass('own Redis', { skip: 'there is no redis-server on the PATH' })
  await redis.client.acl('SETUSER', 'abs', 'on', '>secret', '~*', '&*', '+@all', '-config')
  const url = redis.url.replace('redis://', 'redis://abs:secret@')
  const { services, record } = await buildUsage(t, 'redis', { environment: { REDIS_URL: url }, workers: 0 })
  t.match(services.queue.state().reasons[0], /appendonly unknown/)
  t.equal((await record({ Meter: 'm', Usage: 1 })).statusCode, 201)
  t.equal((await services.queue.listUnfinished()).size, 0)
})

t.test('with ALLOW_VOLATILE_QUEUE, a Redis that may lose data is used', { skip }, async (t) => {
  const redis = await startOwnRedis(t)
  if (!redis) return t.pass('own Redis', { skip: 'there is no redis-server on the PATH' })
  await redis.client.config('SET', 'appendfsync', 'no')
  const environment = { REDIS_URL: redis.url, ALLOW_VOLATILE_QUEUE: '1' }
  const { services, record } = await buildUsage(t, 'redis', { environment, workers: 0 })
  t.same(services.queue.state().reasons, [])
  await record({ Meter: 'm', Usage: 1 })
  t.equal((await services.queue.listUnfinished()).size, 1)
})

t.test(
  'above 90 % of the memory of Redis, or at the backlog limit, usage goes directly to PostgreSQL',
  { skip },
  async (t) => {
    const redis = await startOwnRedis(t)
    if (!redis) return t.pass('own Redis', { skip: 'there is no redis-server on the PATH' })
    const environment = { REDIS_URL: redis.url, QUEUE_BACKLOG_LIMIT: '3' }
    const { app, services, record, sql } = await buildUsage(t, 'redis', { environment, workers: 0 })
    const stored = async () => (await sql`select from meter_entries`).length
    for (let sent = 0; sent < 3; sent++) await record({ Meter: 'm', Usage: 1 })
    await until(() => services.queue.state().reasons.some((reason) => /3 usage jobs/.test(reason)))
    t.match((await app.inject('/readyz')).json().data, { Status: 'degraded', Backlog: { Jobs: 3 } })
    await record({ Meter: 'm', Usage: 1 })
    t.equal(await stored(), 1)
    await redis.client.flushall()
    await until(() => services.queue.state().reasons.length === 0)
    await redis.client.config('SET', 'maxmemory', '1mb')
    await until(() => services.queue.state().reasons.some((reason) => /bytes/.test(reason)))
    await record({ Meter: 'm', Usage: 1 })
    t.equal(await stored(), 2)
  },
)
