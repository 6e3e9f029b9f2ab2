/** The log of requests has one line for each request. Other log lines of a request have its id too. */
import { type FastifyBaseLogger, fastify, LogController } from 'fastify'
import { pino } from 'pino'
import t from 'tap'
import { childOnDemand, logRequests } from '../../src/http/request-log.ts'

/** An application that logs to `lines`. Its route `/fails` writes two warnings, and returns the log level. */
function createApp(level: string) {
  const lines: { reqId: string; msg: string }[] = []
  const log = pino({ level }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: childOnDemand,
  })
  logRequests(app, log)
  app.get('/works', async () => 'here')
  app.get('/fails', async (request) => {
    request.log.warn({ reason: 'full' }, 'refused')
    request.log.child({ part: 'queue' }).warn('refused again')
    return request.log.level
  })
  return { app, lines }
}

t.test('each request is logged in one line, which has the same id as the response', async (t) => {
  const { app, lines } = createApp('info')
  const answers = [await app.inject('/works'), await app.inject('/nowhere')]
  t.match(lines, [
    { reqId: answers[0]!.headers['request-id'], msg: 'request', method: 'GET', route: '/works', status: 200 },
    { reqId: answers[1]!.headers['request-id'], msg: 'request', method: 'GET', route: null, status: 404 },
  ])
  t.equal(lines.length, 2)
})

t.test('other log lines of a request have its id too', async (t) => {
  const { app, lines } = createApp('warn')
  const answer = await app.inject('/fails')
  const reqId = answer.headers['request-id']
  t.match(lines, [
    { reqId, msg: 'refused', reason: 'full' },
    { reqId, msg: 'refused again', part: 'queue' },
  ])
  t.equal(answer.body, 'warn')
})

t.test('at a log level above info, the lines of requests are left out', async (t) => {
  const { app, lines } = createApp('error')
  const answer = await app.inject('/fails')
  t.ok(answer.headers['request-id'])
  t.strictSame(lines, [])
})
