/** No input gets a 5xx, and refused input gets a clear problem; over a real socket where that matters. */
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { bookingBody, bookingPath, build, makeCaller, makeProduct } from '../helper.ts'

async function prepare(t: Test, environment: Record<string, string> = {}) {
  const built = await build(t, { environment })
  const caller = await makeCaller(built.sql)
  const product = await makeProduct(built.sql, caller.accountId, { slots: { '2030-06-15 10:00': 8 } })
  const post = (payload: string, headers: object = { 'content-type': 'application/json' }) =>
    built.app.inject({
      method: 'POST',
      url: bookingPath,
      headers: { ...caller.headers, ...headers },
      payload,
    })
  return { ...built, ...caller, ...product, post }
}

/** Returns a function that sends text over a new connection, and returns the whole response. */
function talkTo(app: FastifyInstance) {
  const { port } = app.server.address() as AddressInfo
  return async (bytes: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1')
    socket.write(bytes)
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    await once(socket, 'close')
    return Buffer.concat(chunks).toString()
  }
}

t.test('every response has a Request-Id, the caller’s own if it sends a valid one', async (t) => {
  const { app } = await prepare(t)
  for (const url of ['/healthz', '/nowhere', '/api/v2/ota/marketplace/products', '/%zz']) {
    t.match(String((await app.inject({ url })).headers['request-id']), /^[\w-]{36}$/)
  }
  const given = { 'request-id': 'trace-7.a_b' }
  t.equal((await app.inject({ url: '/healthz', headers: given })).headers['request-id'], 'trace-7.a_b')
  const bad = { 'request-id': 'no spaces please' }
  t.not((await app.inject({ url: '/healthz', headers: bad })).headers['request-id'], 'no spaces please')
})

t.test('an unknown address gets 404 not-found', async (t) => {
  const { app } = await prepare(t)
  for (const url of [
    '/nowhere',
    '/api',
    '/api/v1/ota/marketplace/products',
    '/api/v2/ota/marketplace/nothing',
  ]) {
    const answer = await app.inject({ url })
    t.equal(answer.statusCode, 404)
    t.match(answer.headers['content-type'], 'application/problem+json')
    t.match(answer.json(), { type: 'http://booking.test/problems/not-found', status: 404, instance: url })
  }
})

t.test('a known address with another method gets 405 with Allow', async (t) => {
  const { app } = await prepare(t)
  const cases: [string, string, string][] = [
    ['DELETE', bookingPath, 'POST, GET, HEAD'],
    ['GET', '/api/v2/usage/meters/batch', 'POST'],
    ['POST', '/api/v2/ota/marketplace/products', 'GET, HEAD'],
    ['PUT', '/healthz', 'GET, HEAD'],
    ['PATCH', '/api/v2/ota/core/questions/s_x', 'GET, HEAD'],
    ['OPTIONS', bookingPath, 'POST, GET, HEAD'],
    ['TRACE', bookingPath, 'POST, GET, HEAD'],
    ['PROPFIND', '/healthz', 'GET, HEAD'],
    ['QUERY', '/api/v2/ota/marketplace/products', 'GET, HEAD'],
    ['M-SEARCH', '/api/v2/usage/meters', 'POST, GET, HEAD'],
  ]
  for (const [method, url, allow] of cases) {
    const answer = await app.inject({ method: method as 'GET', url })
    t.equal(answer.statusCode, 405)
    t.equal(answer.headers.allow, allow)
    t.match(answer.json(), { type: /method-not-allowed$/ })
  }
})

t.test('invalid JSON, or an unreadable address, gets 400 malformed-request', async (t) => {
  const { post, app } = await prepare(t)
  for (const body of ['{', '{"a":1,}', 'kayak', '{"a":']) {
    const answer = await post(body)
    t.equal(answer.statusCode, 400)
    t.match(answer.json(), { type: /malformed-request$/ })
  }
  const answer = await app.inject({ url: '/api/v2/ota/core/questions/%zz' })
  t.equal(answer.statusCode, 400)
  t.match(answer.json(), { type: /malformed-request$/ })
})

t.test('fields named like properties of every object are ignored like other unknown fields', async (t) => {
  const { post, activityId } = await prepare(t)
  const good = JSON.stringify(bookingBody(activityId)).slice(0, -1)
  for (const field of ['"__proto__":{"Participants":9}', '"constructor":{"prototype":{"Participants":9}}']) {
    const answer = await post(`${good},${field}}`)
    t.equal(answer.statusCode, 201)
    t.equal(answer.json().data.Participants, 2)
  }
})

t.test('an empty JSON body is {}, with and without a content type', async (t) => {
  const { post } = await prepare(t)
  for (const headers of [{ 'content-type': 'application/json' }, {}]) {
    const answer = await post('', headers)
    t.equal(answer.statusCode, 422)
    t.match(answer.json().errors[0], { field: 'ActivityID', message: 'is required' })
  }
})

t.test('a body that is not an object gets 422', async (t) => {
  const { post } = await prepare(t)
  for (const body of ['null', '[]', '"text"', '7', 'true']) {
    const answer = await post(body)
    t.equal(answer.statusCode, 422)
    t.match(answer.json().errors, [{ field: 'body', message: 'must be an object' }])
  }
})

t.test('a body of another type gets 415', async (t) => {
  const { post } = await prepare(t)
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'nonsense']) {
    const answer = await post('{}', { 'content-type': type })
    t.equal(answer.statusCode, 415)
    t.match(answer.json(), { type: /unsupported-media-type$/ })
  }
  t.equal((await post('{}', { 'content-type': 'application/json; charset=utf-8' })).statusCode, 422)
})

t.test('a body over 1 MiB gets 413', async (t) => {
  const { post } = await prepare(t)
  const answer = await post(JSON.stringify({ Padding: 'x'.repeat(1024 * 1024) }))
  t.equal(answer.statusCode, 413)
  t.match(answer.json(), { type: /payload-too-large$/ })
})

t.test('a body of more than 50,000 values gets 413', async (t) => {
  const { post, activityId } = await prepare(t)
  const good = JSON.stringify(bookingBody(activityId)).slice(0, -1)
  for (const values of ['{},'.repeat(30_000), '0,'.repeat(60_000), '['.repeat(60_000)]) {
    const answer = await post(`${good},"Padding":[${values}0]}`)
    t.equal(answer.statusCode, 413)
    t.match(answer.json(), { type: /payload-too-large$/, detail: /50000 values/ })
  }
  t.equal((await post(`${good},"Padding":[${'0,'.repeat(40_000)}0]}`)).statusCode, 201)
  t.equal((await post(`${good},"Padding":"${'[,{'.repeat(40_000)}"}`)).statusCode, 201)
})

t.test('no body of any kind gets a 5xx', async (t) => {
  const { post, activityId } = await prepare(t)
  const good = bookingBody(activityId)
  const value = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(1e308, -0, '\0', '\ud800'),
  )
  const spoiled = fc.record({
    ActivityID: fc.oneof(fc.constant(activityId), value),
    Date: fc.oneof(fc.constantFrom(good.Date, '0001-01-01', '9999-12-31'), value),
    Time: fc.oneof(fc.constantFrom(good.Time, '24:00'), value),
    Participants: fc.oneof(fc.integer(), value),
    Customer: fc.oneof(fc.constant(good.Customer), value),
    PaymentReference: value,
    Answers: value,
  })
  await fc.assert(
    fc.asyncProperty(fc.oneof(spoiled, value), async (body) => {
      const { statusCode } = await post(JSON.stringify(body))
      return statusCode < 500
    }),
    { numRuns: 300 },
  )
})

t.test('requests that Node itself would refuse with an empty response get a problem', async (t) => {
  const { app } = await prepare(t)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const send = talkTo(app)
  for (const [header, detail] of [
    ['Host: x\r\nExpect: a miracle\r\n', 'has an Expect header'],
    ['', 'has no Host header'],
  ]) {
    const answer = await send(`GET /healthz HTTP/1.1\r\n${header}Connection: close\r\n\r\n`)
    t.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/)
    t.match(answer, /content-type: application\/problem\+json/i)
    t.match(answer, /request-id: [\w-]{36}\r\n/i)
    t.match(answer, `The request ${detail}`)
  }
  const old = await send('GET /healthz HTTP/1.0\r\n\r\n')
  t.match(old, /^HTTP\/1\.1 200 OK/, 'HTTP/1.0 knows no Host')
  const expecting = 'Host: x\r\nExpect: 100-continue\r\nConnection: close\r\n'
  t.match(
    await send(`GET /healthz HTTP/1.1\r\n${expecting}\r\n`),
    /^HTTP\/1\.1 100 Continue.*HTTP\/1\.1 200 OK/s,
  )
})

t.test('an invalid HTTP request gets a problem, and its connection is closed', async (t) => {
  const { app } = await prepare(t)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const send = talkTo(app)
  const huge = `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`
  for (const bytes of ['nonsense\r\n\r\n', huge, 'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n']) {
    const answer = await send(bytes)
    t.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/)
    t.match(answer, /Content-Type: application\/problem\+json\r\n/)
    t.match(answer, /Request-Id: [\w-]{36}\r\n/)
    t.match(answer, /"type":"http:\/\/booking\.test\/problems\/malformed-request"/)
  }
})

t.test('a connection without a request is closed without a response', async (t) => {
  const { app } = await prepare(t, { REQUEST_TIMEOUT_SECONDS: '1' })
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.equal(await talkTo(app)(''), '')
})

t.test('a client that sends too slowly is cut off', async (t) => {
  const { app } = await prepare(t, { REQUEST_TIMEOUT_SECONDS: '1' })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  socket.write(`POST ${bookingPath} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`)
  socket.resume()
  await once(socket, 'close')
  t.ok(socket.destroyed)
})
