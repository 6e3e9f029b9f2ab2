/** A request that takes too long is answered all the same. */
import { type AddressInfo, connect } from 'node:net'
import { fastify } from 'fastify'
import t from 'tap'
import { errorHandler } from '../../src/error-handler.ts'
import { answerWithin } from '../../src/platform/answer-within.ts'
import { problems } from '../../src/problems.ts'
import { until } from '../until.ts'

t.test('503 answers a handler that never ends, and the others are answered as ever', async (t) => {
  const app = fastify()
  app.setErrorHandler(errorHandler('http://booking.test/problems'))
  answerWithin(app, 100, () => problems.unavailable())
  app.get('/hangs', () => new Promise(() => {}))
  app.get('/works', async () => 'fine')
  t.teardown(() => app.close())
  const hangs = app.inject('/hangs')
  t.equal((await app.inject('/works')).body, 'fine')
  const answer = await hangs
  t.equal(answer.statusCode, 503)
  t.equal(answer.headers['retry-after'], '1')
  t.match(answer.json(), { type: 'http://booking.test/problems/unavailable', instance: '/hangs' })
})

t.test('whoever goes away is under way no longer, with all the requests of a connection', async (t) => {
  const app = fastify()
  const underWay = answerWithin(app, 100, () => problems.unavailable())
  let asked = 0
  app.get('/hangs', () => {
    asked++
    return new Promise(() => {})
  })
  t.teardown(() => app.close())
  await app.listen({ port: 0 })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET /hangs HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3))
  await until(() => asked === 3)
  socket.destroy()
  await until(() => underWay() === 0)
  t.pass('all of them')
})
