/** A request that takes too long still gets a response. */
import { fastify } from 'fastify'
import t from 'tap'
import { errorHandler } from '../../src/http/error-handler.ts'
import { problems } from '../../src/http/problems.ts'
import { respondWithin } from '../../src/http/respond-within.ts'

t.test('a request whose handler never ends gets 503, and other requests get their responses', async (t) => {
  const app = fastify()
  app.setErrorHandler(errorHandler('http://booking.test/problems'))
  respondWithin(app, 100, () => problems.unavailable())
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
