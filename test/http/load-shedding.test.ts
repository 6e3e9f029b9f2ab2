/** An overloaded process refuses new requests until it is no longer overloaded. */
import { type FastifyInstance, fastify } from 'fastify'
import t, { type Test } from 'tap'
import { dropConnection } from '../../src/http/drop-connection.ts'
import { errorHandler } from '../../src/http/error-handler.ts'
import { type Bounds, shedLoad } from '../../src/http/load-shedding.ts'
import { problems } from '../../src/http/problems.ts'
import type { Services } from '../../src/services.ts'
import { healthSurface } from '../../src/surfaces/health.ts'
import { until } from '../until.ts'

const long = 60_000

/**
 * An app that by default accepts three requests at a time, and has the health checks of a process that shuts down.
 * The requests to `/work` get their responses when the test calls `finish`.
 */
function createApp(t: Test, bounds: Bounds = { most: 3, milliseconds: long }) {
  const ends: (() => void)[] = []
  const app = fastify()
  app.setErrorHandler(errorHandler('http://booking.test/problems'))
  shedLoad(app, { refusal: problems.overloaded, ownerOf: ({ headers }) => headers.account, bounds })
  app.get('/quick', async () => 'done')
  app.get('/lost', (_request, reply) => dropConnection(reply))
  app.get('/work', () => new Promise((resolve) => ends.push(() => resolve('done'))))
  app.register(healthSurface, { services: { state: { draining: true } } as Services })
  const finish = () => {
    for (const end of ends.splice(0)) end()
  }
  t.teardown(() => {
    finish()
    return app.close()
  })
  /** Sends three requests, and returns the promises of their statuses when all three are under way. */
  const fill = async () => {
    const answers = Array.from({ length: 3 }, () => app.inject('/work').then(({ statusCode }) => statusCode))
    await until(() => ends.length === 3)
    return answers
  }
  return { app, fill, finish, underWay: () => ends.length }
}

const statusOf = async (app: FastifyInstance, url = '/quick') => (await app.inject(url)).statusCode

t.test(
  'a request above the limit gets 503 with Retry-After, until earlier requests get their responses',
  async (t) => {
    const { app, fill, finish } = createApp(t)
    const answers = await fill()
    const answer = await app.inject('/quick')
    t.equal(answer.statusCode, 503)
    t.match(answer.headers['retry-after'], /^[123]$/)
    t.match(answer.headers['content-type'], 'application/problem+json')
    t.match(answer.json(), { type: /unavailable$/, detail: /overloaded/ })
    finish()
    t.same(await Promise.all(answers), [200, 200, 200])
    for (let asked = 0; asked < 5; asked++) t.equal(await statusOf(app), 200)
  },
)

t.test('a request whose connection the service drops on purpose no longer counts', async (t) => {
  const { app } = createApp(t)
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  for (let asked = 0; asked < 4; asked++) await t.rejects(fetch(`${address}/lost`))
  t.equal(await statusOf(app), 200)
})

t.test('health checks get a response from an overloaded process, and do not count', async (t) => {
  const { app, fill } = createApp(t)
  for (let asked = 0; asked < 5; asked++) t.equal(await statusOf(app, '/healthz'), 200)
  await fill()
  t.equal(await statusOf(app), 503, 'health checks make no room for other requests')
  t.equal(await statusOf(app), 503, 'a refused request makes no room either')
  t.equal(await statusOf(app, '/healthz'), 200)
  t.match(
    (await app.inject('/readyz')).json(),
    { detail: /shutting down/ },
    'the readiness check gives its own response',
  )
})

t.test('requests that take long stop counting after a time, so that they do not block others', async (t) => {
  const { app, fill, finish } = createApp(t, { most: 3, milliseconds: 20 })
  const answers = await fill()
  await until(async () => (await statusOf(app)) === 200)
  finish()
  t.same(await Promise.all(answers), [200, 200, 200])
})

t.test('a single account cannot fill a process with requests, and its refusals are delayed', async (t) => {
  const { app, finish, underWay } = createApp(t, { most: 10, milliseconds: long })
  const ask = (account: string) =>
    app.inject({ url: '/work', headers: { account } }).then(({ statusCode }) => statusCode)
  const began = performance.now()
  const noisy = Array.from({ length: 10 }, () => ask('noisy'))
  await until(() => underWay() === 9)
  t.equal((await app.inject({ url: '/quick', headers: { account: 'quiet' } })).statusCode, 200)
  t.equal(await Promise.any(noisy), 503, 'the tenth request is refused while nine are under way')
  // The delay is half a second on average, and at least half of that.
  t.ok(performance.now() - began > 240, 'the refusal is delayed')
  finish()
  t.same((await Promise.all(noisy)).toSorted(), [...Array(9).fill(200), 503])
})
