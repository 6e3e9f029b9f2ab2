/** The health checks, and the responses while PostgreSQL is down. */
import t, { type Test } from 'tap'
import { findPoolUse } from '../../src/platform/postgres/database.ts'
import {
  bookingBody,
  bookingPath,
  build,
  buildOn,
  createDatabase,
  makeCaller,
  makeProduct,
} from '../helper.ts'
import { proxyTo } from '../proxy.ts'
import { until } from '../until.ts'

t.test('healthz answers alive, and readyz ready', async (t) => {
  const { app } = await build(t)
  t.match(await app.inject('/healthz'), { statusCode: 200 })
  // On a busy machine the first look at the queue may take too long.
  let ready: object = {}
  await until(async () => {
    ready = (await app.inject('/readyz')).json()
    return 'data' in ready && (ready.data as { Status: string }).Status === 'ready'
  })
  t.match(ready, { data: { Status: 'ready', Missing: [] } })
})

t.test('readyz checks PostgreSQL once for all requests at the same time', async (t) => {
  const { url } = await createDatabase(t)
  const { block, restore, ...proxy } = await proxyTo(t, url)
  const { app, services } = await buildOn(t, proxy.url, {}, 'web')
  await until(async () => (await app.inject('/readyz')).json().data?.Status === 'ready')
  block('store')
  const asked = Promise.all(Array.from({ length: 50 }, () => app.inject('/readyz')))
  const used = () => findPoolUse(services.selling!)
  await until(() => used().used > 0)
  t.match(used(), { used: 1, waiting: 0 })
  await restore()
  await asked
})

t.test('readyz is ready while other work keeps all connections but those for sales', async (t) => {
  const { app, services } = await build(t, { isOwn: true, environment: { DATABASE_POOL_SIZE: '2' } })
  const { sql } = services
  const reserved = await Promise.all(Array.from({ length: sql.options.max }, () => sql.reserve()))
  t.teardown(() => reserved.map((connection) => connection.release()))
  t.match(findPoolUse(sql), { idle: 0, used: 2 })
  // The limit is less than a minute, because the pool closes a connection that is silent for a minute.
  await until(async () => (await app.inject('/readyz')).json().data?.Status === 'ready', 30_000)
})

t.test('readyz is 503 while the process drains', async (t) => {
  const { app, services } = await build(t)
  services.state.draining = true
  const answer = await app.inject('/readyz')
  t.equal(answer.statusCode, 503)
  t.equal(answer.headers['retry-after'], '1')
  t.match(answer.json(), { type: /unavailable$/, Missing: ['draining'] })
  const alive = await app.inject('/healthz')
  t.equal(alive.statusCode, 200)
  t.equal(alive.headers.connection, 'close', 'the client must use another connection for its next request')
})

/** An app that reaches its database through a proxy, with which the test makes an outage. */
async function startBehindProxy(t: Test) {
  const { sql, url } = await createDatabase(t)
  const caller = await makeCaller(sql)
  const product = await makeProduct(sql, caller.accountId, { slots: { '2030-06-15 10:00': 8 } })
  const proxy = await proxyTo(t, url)
  const { app } = await buildOn(t, proxy.url, {}, 'web')
  const book = () =>
    app.inject({
      method: 'POST',
      url: bookingPath,
      headers: caller.headers,
      payload: bookingBody(product.activityId),
    })
  const list = () => app.inject({ url: '/api/v2/ota/marketplace/products', headers: caller.headers })
  return { app, sql, ...proxy, book, list }
}

t.test('while PostgreSQL is down, bookings, lists and readyz get 503 with Retry-After at once', async (t) => {
  const { app, cut, book, list } = await startBehindProxy(t)
  await until(async () => (await book()).statusCode === 201)
  await cut()
  for (const answer of await Promise.all([book(), list(), app.inject('/readyz')])) {
    t.equal(answer.statusCode, 503)
    t.equal(answer.headers['retry-after'], '1')
    t.match(answer.json(), { type: /unavailable$/ })
    t.notMatch(answer.json(), { detail: /did not respond in time/ }, 'it waits for no timeout')
  }
  t.equal((await app.inject('/healthz')).statusCode, 200)
})

t.test(
  'when PostgreSQL is back, requests succeed without a restart, and the counters are right',
  async (t) => {
    const { app, sql, cut, restore, book, list } = await startBehindProxy(t)
    await book()
    await cut()
    t.equal((await book()).statusCode, 503)
    await restore()
    await until(async () => (await app.inject('/readyz')).statusCode === 200)
    await until(async () => (await book()).statusCode === 201)
    t.equal((await list()).statusCode, 200)
    const [sums] = await sql`select booked, (select sum(participants) from bookings) as places from timeslots`
    t.equal(sums!.booked, sums!.places)
  },
)

t.test('a connection that is lost during a booking does not end the process', async (t) => {
  const { cut, restore, book } = await startBehindProxy(t)
  await book()
  const answers = Promise.all(Array.from({ length: 20 }, book))
  await cut()
  for (const { statusCode } of await answers) t.ok([201, 409, 503].includes(statusCode))
  await restore()
  await until(async () => (await book()).statusCode !== 503)
})

t.test('silent connections are closed, and bookings go on with new ones', async (t) => {
  const { freeze, restore, book } = await startBehindProxy(t)
  // On a busy machine the first look-up of the key may take too long.
  await until(async () => (await book()).statusCode === 201)
  freeze()
  await until(async () => (await book()).statusCode === 201)
  await restore()
})
