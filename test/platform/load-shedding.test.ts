/** A process with too much to do refuses what is new, and only while it has. */
import { type FastifyInstance, fastify } from 'fastify'
import t, { type Test } from 'tap'
import { errorHandler } from '../../src/error-handler.ts'
import { shedLoad, watchEventLoop } from '../../src/platform/load-shedding.ts'
import { problems } from '../../src/problems.ts'
import type { Services } from '../../src/services.ts'
import { healthSurface } from '../../src/surfaces/health.ts'
import { until } from '../until.ts'

/** An app whose load is what the test says, with the real health checks of a process that shuts down. */
function loaded(t: Test) {
  const load = { underWay: 1, saturated: false }
  const app = fastify()
  app.setErrorHandler(errorHandler('http://booking.test/problems'))
  shedLoad(app, {
    underWay: () => load.underWay,
    isSaturated: () => load.saturated,
    refusal: problems.overloaded,
  })
  app.get('/work', async () => 'done')
  app.register(healthSurface, { services: { state: { draining: true } } as Services })
  t.teardown(() => app.close())
  return { app, load }
}

const statusOf = async (app: FastifyInstance, url = '/work') => (await app.inject(url)).statusCode

t.test('503 with Retry-After answers while many are under way and no time is left', async (t) => {
  const { app, load } = loaded(t)
  Object.assign(load, { underWay: 1001, saturated: true })
  const answer = await app.inject('/work')
  t.equal(answer.statusCode, 503)
  t.match(answer.headers['retry-after'], /^[123]$/)
  t.match(answer.headers['content-type'], 'application/problem+json')
  t.match(answer.json(), { type: /unavailable$/, detail: /too much to do/ })
  load.underWay = 1000
  t.equal(await statusOf(app), 200, 'and no longer than that')
})

t.test('many that wait for a store are no reason, and neither is a busy process with few', async (t) => {
  const { app, load } = loaded(t)
  load.underWay = 5000
  t.equal(await statusOf(app), 200)
  Object.assign(load, { underWay: 256, saturated: true })
  t.equal(await statusOf(app), 200)
})

t.test('health is told all the same', async (t) => {
  const { app, load } = loaded(t)
  Object.assign(load, { underWay: 5000, saturated: true })
  t.equal(await statusOf(app, '/healthz'), 200)
  t.match((await app.inject('/readyz')).json(), { detail: /shutting down/ }, 'which is the answer of its own')
})

t.test('an event loop is saturated while it has no time, and recovers', async (t) => {
  const app = fastify()
  t.teardown(() => app.close())
  const isSaturated = watchEventLoop(app)
  let working = true
  const work = () => {
    for (const end = performance.now() + 20; performance.now() < end; );
    if (working) setImmediate(work)
  }
  work()
  await until(isSaturated)
  working = false
  await until(() => !isSaturated())
  t.pass('both were seen')
})
