/** While one store is down or hangs, entries are accepted as long as the other store can keep them. */
import t, { type Test } from 'tap'
import { openDatabase } from '../../src/platform/postgres/database.ts'
import { createAuthentication } from '../../src/surfaces/authentication.ts'
import { buildOn, createDatabase, makeCaller } from '../helper.ts'
import { proxyTo, throughProxy } from '../proxy.ts'
import { until } from '../until.ts'
import { buildUsage, everyDay, redisUrl, startWorker } from './fixtures.ts'

const skip = redisUrl ? false : 'there is no Redis here'
const body = { Meter: 'm', Usage: 1 }
const key = (value: string) => ({ 'idempotency-key': value })

/** An app and a worker that reach Redis by way of a proxy. */
async function buildBehindProxy(t: Test) {
  const redis = await proxyTo(t, redisUrl)
  const built = await buildUsage(t, 'redis', { environment: { REDIS_URL: redis.url } })
  await until(() => built.services.queue.state().reasons.length === 0)
  const ready = async () => (await built.app.inject('/readyz')).json()
  return { redis, ready, ...built }
}

t.test(
  'while Redis is out of reach, entries go directly to PostgreSQL; entries before and after the outage count too',
  { skip },
  async (t) => {
    const { redis, record, summarize, services, ready } = await buildBehindProxy(t)
    t.equal((await record(body)).statusCode, 201)
    await until(async () => (await services.queue.listUnfinished()).size === 0)
    await redis.cut()
    for (let sent = 0; sent < 5; sent++) t.equal((await record(body, key(`k${sent}`))).statusCode, 201)
    const { data } = await ready()
    t.match(data, { Status: 'degraded', Missing: ['redis'], Backlog: null })
    t.match(data.Reasons, [/Redis is out of reach/])
    const { summary, answer } = await summarize(everyDay)
    t.equal(answer.headers['usage-pending'], 'unknown')
    t.equal(summary.Totals.Events, 6)
    await redis.restore()
    await until(async () => (await ready()).data.Status === 'ready')
    t.equal((await record(body)).statusCode, 201)
    await until(async () => (await services.queue.listUnfinished()).size === 0)
    const after = await summarize(everyDay)
    t.equal(after.answer.headers['usage-pending'], '0')
    t.equal(after.summary.Totals.Events, 7)
  },
)

t.test(
  'while Redis does not respond, entries are stored without it, and it gets no more of them',
  { skip },
  async (t) => {
    const { redis, record, summarize, ready, services } = await buildBehindProxy(t)
    const { queue } = services
    const { addText } = queue
    let given = 0
    queue.addText = (...job) => {
      given++
      return addText(...job)
    }
    redis.block()
    // Each would be answered 503 if it waited for Redis until its request times out.
    const answers = await Promise.all(Array.from({ length: 50 }, () => record(body)))
    t.ok(answers.every(({ statusCode }) => statusCode === 201))
    t.ok(given > 0, 'Redis got entries before it was known to hang')
    given = 0
    t.equal((await record(body)).statusCode, 201)
    t.equal(given, 0, 'Redis gets no more entries while it hangs')
    await redis.restore()
    await until(async () => (await ready()).data.Status === 'ready')
    await until(async () => (await summarize(everyDay)).answer.headers['usage-pending'] === '0')
    t.equal((await summarize(everyDay)).summary.Totals.Events, 51)
  },
)

t.test(
  'while PostgreSQL is down, usage without an Idempotency-Key is accepted, and stored later',
  { skip },
  async (t) => {
    const postgres = await proxyTo(t, process.env.TEST_DATABASE_URL!)
    const { app, services, url, headers, sql, accountId } = await buildUsage(t, 'redis', { workers: 0 })
    const through = throughProxy(postgres.url, url)
    const queue = { REDIS_URL: redisUrl, QUEUE_PREFIX: services.config.QUEUE_PREFIX }
    const { app: web, services: second } = await buildOn(t, through, queue)
    const worker = await startWorker(t, services, through)
    const record = (more: Record<string, string> = {}) =>
      web.inject({
        method: 'POST',
        url: '/api/v2/usage/meters',
        headers: { ...headers, ...more },
        payload: body,
      })
    await until(() => second.queue.state().reasons.length === 0 && second.queue.state().reachable)
    t.equal((await record()).statusCode, 201)

    await postgres.cut()
    for (let sent = 0; sent < 5; sent++) t.equal((await record()).statusCode, 201)
    const keyed = await record(key('k'))
    t.equal(keyed.statusCode, 503)
    t.ok(keyed.headers['retry-after'])
    const summary = await web.inject({ url: `/api/v2/usage/meters?${everyDay}`, headers })
    t.equal(summary.statusCode, 503)
    const ready = await web.inject('/readyz')
    t.equal(ready.statusCode, 200)
    t.match(ready.json().data, { Status: 'degraded', Missing: ['postgres'] })

    await postgres.restore()
    await until(async () => (await services.queue.listUnfinished()).size === 0)
    t.same(await sql`select total, events from meter_daily where account_id = ${accountId}`, [
      { total: '6', events: 6 },
    ])
    t.equal((await record(key('k'))).statusCode, 201)
    await until(async () => (await services.queue.listUnfinished()).size === 0)
    const whole = await app.inject({ url: `/api/v2/usage/meters?${everyDay}`, headers })
    t.equal(whole.json().data.Totals.Events, 7)
    await worker.close()
  },
)

t.test(
  'an API key that was used before is accepted for recording usage for 10 minutes without PostgreSQL',
  async (t) => {
    const { sql: direct, url } = await createDatabase(t)
    const { headers } = await makeCaller(direct, { scopes: ['usage:read', 'usage:write'] })
    const postgres = await proxyTo(t, process.env.TEST_DATABASE_URL!)
    const sql = openDatabase(throughProxy(postgres.url, url), { poolSize: 2, applicationName: 'test' })
    t.teardown(() => sql.end({ timeout: 1 }))
    let now = 1
    const authenticate = createAuthentication(sql, { clock: { now: () => now } })
    // biome-ignore lint/suspicious/noExplicitAny: only the headers are read
    const ask = async (scope: 'usage:write' | 'usage:read') => (authenticate(scope) as any)({ headers }, {})
    await ask('usage:write')
    await postgres.cut()
    // Wait longer than a look-up of a key is cached.
    now += 5001
    await t.resolves(ask('usage:write'))
    await t.rejects(ask('usage:read'))
    now = 10 * 60_000
    await t.resolves(ask('usage:write'))
    now += 5001
    await t.rejects(ask('usage:write'))
    await postgres.restore()
    await t.resolves(ask('usage:read'))
    await t.resolves(ask('usage:write'))
  },
)

t.test('while both stores are down, usage gets 503, and the process is not ready', { skip }, async (t) => {
  const postgres = await proxyTo(t, process.env.TEST_DATABASE_URL!)
  const redis = await proxyTo(t, redisUrl)
  const { services, url, headers } = await buildUsage(t, 'redis', { workers: 0 })
  const through = throughProxy(postgres.url, url)
  const queue = { REDIS_URL: redis.url, QUEUE_PREFIX: services.config.QUEUE_PREFIX }
  const { app: web, services: second } = await buildOn(t, through, queue)
  const record = () => web.inject({ method: 'POST', url: '/api/v2/usage/meters', headers, payload: body })
  await until(() => second.queue.state().reachable)
  t.equal((await record()).statusCode, 201)
  await redis.cut()
  await postgres.cut()
  const answer = await record()
  t.equal(answer.statusCode, 503)
  t.ok(answer.headers['retry-after'])
  const ready = await web.inject('/readyz')
  t.equal(ready.statusCode, 503)
  t.same(ready.json().Missing, ['postgres', 'redis'])
  await postgres.restore()
  await until(async () => (await record()).statusCode === 201)
})
