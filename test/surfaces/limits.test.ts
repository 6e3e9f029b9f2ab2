/**
 * The limits of a key and an account: what is accepted, what is refused, and that no other account is
 * affected.
 */
import { randomBytes } from 'node:crypto'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import type { Scope } from '../../src/accounts/model.ts'
import { bookingPath, build, buildOn, createDatabase, makeCaller, makeProduct } from '../helper.ts'
import { proxyTo } from '../proxy.ts'
import { until } from '../until.ts'

const redisUrl = process.env.TEST_REDIS_URL ?? ''
const skip = redisUrl ? false : 'there is no Redis here'
const products = '/api/v2/ota/marketplace/products'
const summary = '/api/v2/usage/meters?from=2030-01-01&to=2030-01-02'

type Headers = Record<string, string>

/** Sends requests one after another, and returns their statuses. */
async function ask(app: FastifyInstance, headers: Headers, times: number, url = products) {
  const statuses: number[] = []
  for (let asked = 0; asked < times; asked++) statuses.push((await app.inject({ url, headers })).statusCode)
  return statuses
}

/**
 * Runs `use` again until a run takes less than one window, and returns the result of that run. `use` must begin with
 * a new key.
 */
async function inOneWindow<T>(use: () => Promise<T>): Promise<T> {
  let result: T
  let tookMs: number
  do {
    const began = performance.now()
    result = await use()
    tookMs = performance.now() - began
  } while (tookMs > 4900)
  return result
}

/** Sends a request, and returns the number of requests that remain in the window. */
async function leftOf(app: FastifyInstance, headers: Headers): Promise<number> {
  const answer = await app.inject({ url: products, headers })
  return Number(/^"key";r=(\d+);t=[1-5]$/.exec(String(answer.headers.ratelimit))?.[1])
}

/** An app whose keys may send one request a second, which is five in a window, and the headers of a key. */
async function limited(t: Test, environment: Headers = {}) {
  const built = await build(t, { environment: { RATE_LIMIT_PER_SECOND: '1', ...environment } })
  const { headers } = await makeCaller(built.sql, { scopes: ['ota', 'usage:read'] })
  return { ...built, headers }
}

t.test('without a limit, a response has no RateLimit header', async (t) => {
  const { app, sql } = await build(t)
  const { headers } = await makeCaller(sql)
  const answer = await app.inject({ url: products, headers })
  t.equal(answer.headers.ratelimit, undefined, 'RateLimit')
})

t.test('with a limit', async (t) => {
  const { app, sql, headers } = await limited(t)
  const scopes: Scope[] = ['ota', 'usage:read']

  t.test(
    'each response to a key says how many requests remain, as draft-ietf-httpapi-ratelimit-headers defines',
    async (t) => {
      const { first, left } = await inOneWindow(async () => {
        const caller = await makeCaller(sql, { scopes })
        const first = await app.inject({ url: products, headers: caller.headers })
        return { first, left: await leftOf(app, caller.headers) }
      })
      t.equal(first.headers['ratelimit-policy'], '"key";q=5;w=5')
      t.equal(first.headers.ratelimit, '"key";r=4;t=5')
      t.equal(left, 3)
    },
  )

  t.test('requests to different surfaces count together', async (t) => {
    const { statuses, left } = await inOneWindow(async () => {
      const caller = await makeCaller(sql, { scopes })
      const statuses = await ask(app, caller.headers, 1, summary)
      return { statuses, left: await leftOf(app, caller.headers) }
    })
    t.same(statuses, [200])
    t.equal(left, 3)
  })

  t.test('above the limit, 429 with Retry-After comes before the body is read', async (t) => {
    const { statuses, answer } = await inOneWindow(async () => {
      const caller = await makeCaller(sql)
      const statuses = await ask(app, caller.headers, 5)
      const answer = await app.inject({
        method: 'POST',
        url: bookingPath,
        headers: { ...caller.headers, 'content-type': 'application/json' },
        payload: '{broken',
      })
      return { statuses, answer }
    })
    t.same(statuses, [200, 200, 200, 200, 200])
    t.equal(answer.statusCode, 429)
    t.match(answer.headers['retry-after'], /^[1-5]$/)
    t.equal(answer.headers.ratelimit, `"key";r=0;t=${answer.headers['retry-after']}`)
    t.match(answer.headers['content-type'], 'application/problem+json')
    t.match(answer.json(), { type: /rate-limited$/, status: 429, instance: bookingPath })
  })

  t.test('a key above its limit does not affect another key of the same account', async (t) => {
    const statuses = await inOneWindow(async () => {
      const [noisy, quiet] = [await makeCaller(sql), await makeCaller(sql)]
      return [(await ask(app, noisy.headers, 6)).at(-1), ...(await ask(app, quiet.headers, 1))]
    })
    t.same(statuses, [429, 200])
  })

  t.test('a key without the scope is counted as well', async (t) => {
    const statuses = await inOneWindow(async () => {
      const caller = await makeCaller(sql, { scopes: ['usage:read'] })
      return ask(app, caller.headers, 6)
    })
    t.same(statuses, [403, 403, 403, 403, 403, 429])
  })

  t.test('health checks and unknown keys are not limited', async (t) => {
    t.ok((await ask(app, headers, 7, '/healthz')).every((status) => status === 200))
    const none = { authorization: `Bearer abs_1_${'x'.repeat(43)}` }
    t.ok((await ask(app, none, 7)).every((status) => status === 401))
  })
})

/** An operator, and a lock that its requests to `url` wait for. */
async function lockedOut(t: Test) {
  const { app, sql } = await build(t)
  const noisy = await makeCaller(sql, { scopes: ['operator'] })
  await makeProduct(sql, noisy.accountId, { slots: { '2030-06-15 10:00': 8 } })
  const [slot] = await sql<{ id: number }[]>`select id from timeslots`
  const url = `/api/v2/operator/timeslots/${slot!.id}`
  /** Runs `use` while the lock is held. `use` can wait until a request waits for the lock. */
  const hold = (use: (waited: () => Promise<void>, isWaiting: () => Promise<boolean>) => Promise<unknown>) =>
    sql.begin(async (tx) => {
      await tx`select from timeslots for update`
      const isWaiting = async () => {
        const waiting = await tx`
          select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
        return waiting.length > 0
      }
      await use(() => until(isWaiting), isWaiting)
    })
  return { app, sql, noisy, url, hold }
}

t.test('requests of an account that wait for a lock leave connections to the others', async (t) => {
  const { app, sql, noisy, url, hold } = await lockedOut(t)
  const quiet = await makeCaller(sql, { slug: 'quiet' })
  let answered = 0
  const change = async () => {
    const payload = { Capacity: 9 }
    const { statusCode } = await app.inject({ method: 'PATCH', url, headers: noisy.headers, payload })
    answered++
    return statusCode
  }
  let changes: Promise<number>[] = []
  await hold(async (waited) => {
    changes = Array.from({ length: 20 }, change)
    await waited()
    t.same(await ask(app, quiet.headers, 1), [200])
    t.equal(answered, 0, 'all changes still wait')
  })
  t.ok((await Promise.all(changes)).every((status) => status === 200))
})

t.test('clients that disconnect use no more connections than those that stay', async (t) => {
  const { app, sql, noisy, url, hold } = await lockedOut(t)
  const quiet = await makeCaller(sql, { slug: 'quiet' })
  await app.listen({ port: 0 })
  const head = `PATCH ${url} HTTP/1.1\r\nHost: x\r\nAuthorization: ${noisy.headers.authorization}\r\n`
  const one = `${head}Content-Type: application/json\r\nContent-Length: 14\r\n\r\n{"Capacity":9}`
  await hold(async (_waited, isWaiting) => {
    for (let round = 0; round < 10; round++) {
      const sockets: Socket[] = []
      let answered = 0
      // On a machine that is suspended, requests may be refused after two seconds, before the test sees them
      // wait.
      await until(async () => {
        for (; sockets.length < answered + 3; ) {
          const socket = connect((app.server.address() as AddressInfo).port)
          socket.once('data', () => answered++)
          socket.write(one)
          sockets.push(socket)
        }
        return isWaiting()
      })
      for (const socket of sockets) socket.destroy()
    }
    t.same(await ask(app, quiet.headers, 1), [200])
    const waiting = await sql`
      select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    t.ok(waiting.length <= 3)
  })
})

t.test('requests of a client that disconnects do not delay its later requests', async (t) => {
  const { app, noisy, url, hold } = await lockedOut(t)
  await app.listen({ port: 0 })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  await hold(async (waited) => {
    const head = `PATCH ${url} HTTP/1.1\r\nHost: x\r\nAuthorization: ${noisy.headers.authorization}\r\n`
    const one = `${head}Content-Type: application/json\r\nContent-Length: 14\r\n\r\n{"Capacity":9}`
    socket.write(one.repeat(20))
    await waited()
    socket.destroy()
  })
  t.same(await ask(app, noisy.headers, 9, '/api/v2/operator/products'), Array(9).fill(200))
})

t.test('with Redis', { skip }, async (t) => {
  const proxy = await proxyTo(t, redisUrl)
  const { url, sql } = await createDatabase(t)
  const environment = {
    RATE_LIMIT_PER_SECOND: '1000',
    REDIS_URL: proxy.url,
    QUEUE_PREFIX: `{test-${randomBytes(8).toString('hex')}}`,
  }
  const { app: one } = await buildOn(t, url, environment)
  const { app: other } = await buildOn(t, url, environment)
  /** Whether the two applications share their counts: a request to one reduces what is left at the other. */
  const together = () =>
    inOneWindow(async () => {
      const { headers } = await makeCaller(sql)
      await ask(one, headers, 3)
      return (await leftOf(other, headers)) === 5000 - 4
    })
  /** The statuses of three requests to one application, and what is left of the window there and at the other. */
  const apart = () =>
    inOneWindow(async () => {
      const { headers } = await makeCaller(sql)
      const statuses = await ask(one, headers, 3)
      return { statuses, left: [await leftOf(one, headers), await leftOf(other, headers)] }
    })
  await until(together)

  t.test('when Redis is down, no request fails: each process counts by itself', async (t) => {
    await proxy.cut()
    t.same(await apart(), { statuses: [200, 200, 200], left: [5000 - 4, 5000 - 1] })
    await proxy.restore()
    await until(together)
  })

  t.test('when Redis does not respond, no request fails either', async (t) => {
    proxy.block()
    t.same(await apart(), { statuses: [200, 200, 200], left: [5000 - 4, 5000 - 1] })
    await proxy.restore()
    await until(together)
  })
})
