/** Rules for every request to OCTO: keys, capabilities, addresses, errors and the supplier. */
import t from 'tap'
import { octoUrl } from '../../src/surfaces/octo.ts'
import { makeCaller, makeProduct } from '../helper.ts'
import { makeModes } from '../test-mode/fixtures.ts'
import { checkPublished } from './published.ts'
import { makeReseller } from './reseller.ts'

t.test('the supplier is the operator, with its name and an endpoint', async (t) => {
  const { ask, sql, accountId } = await makeReseller(t)
  const { body } = await ask('GET', '/supplier')
  checkPublished(t, 'Supplier', body)
  t.match(body, {
    id: 'quay',
    name: 'quay',
    endpoint: 'http://booking.test/octo',
    contact: { website: null },
  })
  await sql`update accounts set name = 'Quay Tours' where account_id = ${accountId}`
  const capabilities = ['octo/content']
  const more = await ask('GET', '/supplier', { capabilities })
  checkPublished(t, 'Supplier', more.body, { capabilities })
  t.equal(more.body.name, 'Quay Tours')
})

t.test('capabilities are listed, and none is required', async (t) => {
  const { ask } = await makeReseller(t)
  const { body } = await ask('GET', '/capabilities')
  checkPublished(t, 'Capability', body)
  t.same(
    body.map(({ id, required }: { id: string; required: boolean }) => [id, required]),
    [
      ['octo/content', false],
      ['octo/notifications', false],
      ['octo/pricing', false],
      ['octo/questions', false],
    ],
  )
})

t.test('the response names the requested capabilities that are supported', async (t) => {
  const { app, headers } = await makeReseller(t)
  for (const [asked, inForce] of [
    [undefined, ''],
    ['', ''],
    ['octo/pricing', 'octo/pricing'],
    ['octo/questions ,octo/content,,  octo/pricing', 'octo/content, octo/pricing, octo/questions'],
    ['pricing, Octo/Content', 'octo/content, octo/pricing'],
    ['octo/cart, octo/pricing, nonsense', 'octo/pricing'],
  ] as const) {
    const given = asked === undefined ? headers : { ...headers, 'octo-capabilities': asked }
    const answer = await app.inject({ url: '/octo/supplier', headers: given })
    t.equal(answer.headers['octo-capabilities'], inForce, `asked for: ${asked}`)
    t.equal(
      'shortDescription' in answer.json(),
      inForce.includes('content'),
      'fields of octo/content are there only if it is requested',
    )
    t.equal(answer.headers['content-language'], inForce.includes('content') ? 'en' : undefined)
  }
})

t.test(
  'addresses of the supplier, products and availability also work with a slash at their end',
  async (t) => {
    const { ask, activityId } = await makeReseller(t, { slots: { '2030-06-15 10:00': 8 } })
    const dates = { localDateStart: '2030-06-15', localDateEnd: '2030-06-15' }
    const body = { productId: activityId, optionId: 'DEFAULT', ...dates }
    for (const [method, path, payload] of [
      ['GET', '/supplier', undefined],
      ['GET', '/capabilities', undefined],
      ['GET', '/products', undefined],
      ['GET', `/products/${activityId}`, undefined],
      ['POST', '/availability', body],
      ['POST', '/availability/calendar', body],
    ] as const) {
      const given = payload && { body: payload }
      const plain = await ask(method, path, given)
      t.equal(plain.status, 200, path)
      t.same((await ask(method, `${path}/`, given)).body, plain.body, `${path}/`)
      t.same((await ask(method, `${path}/?a=b/`, given)).body, plain.body, `${path}/?a=b/`)
    }
  },
)

t.test('addresses outside /octo keep their last slash', (t) => {
  for (const url of ['/', '/octo', '/docs/', '/octopus/', '/api/v2/ota/', '/octo/products?x=/'])
    t.equal(octoUrl(url), url)
  t.end()
})

t.test('a refused key or body gets status 400 and an error in the form of OCTO', async (t) => {
  const { app, sql, headers } = await makeReseller(t)
  const usage = await makeCaller(sql, { scopes: ['usage:read'] })
  for (const [given, error, schema] of [
    [{}, 'UNAUTHORIZED', 'ErrorUnauthorized'],
    [{ authorization: 'Bearer nonsense' }, 'FORBIDDEN', 'ErrorForbidden'],
    [usage.headers, 'FORBIDDEN', 'ErrorForbidden'],
  ] as const) {
    const answer = await app.inject({ url: '/octo/products', headers: given })
    t.equal(answer.statusCode, 400)
    t.match(answer.headers['content-type'], 'application/json')
    checkPublished(t, schema, answer.json())
    t.equal(answer.json().error, error)
  }
  for (const [payload, type] of [
    ['{', 'application/json'],
    ['[]', 'application/json'],
    ['a=b', 'application/x-www-form-urlencoded'],
    [`"${'x'.repeat(2 ** 20)}"`, 'application/json'],
  ] as const) {
    const answer = await app.inject({
      method: 'POST',
      url: '/octo/availability',
      headers: { ...headers, 'content-type': type },
      payload,
    })
    t.equal(answer.statusCode, 400, payload.slice(0, 5))
    checkPublished(t, 'ErrorBadRequest', answer.json())
    t.equal(answer.json().error, 'BAD_REQUEST')
  }
})

t.test('an unknown address gets 404, and an unsupported method 405', async (t) => {
  const { ask } = await makeReseller(t)
  t.match(await ask('GET', '/nonsense'), { status: 404, body: { error: 'NOT_FOUND' } })
  t.match(await ask('GET', '/availability'), {
    status: 405,
    body: { error: 'BAD_REQUEST' },
    headers: { allow: 'POST' },
  })
})

t.test('while PostgreSQL is down, the response is 503 with Retry-After', async (t) => {
  const away = async () => {
    throw Object.assign(new Error('PostgreSQL is away'), { code: 'CONNECTION_CLOSED' })
  }
  const replica = { read: away, reason: () => null, close: async () => {} }
  const { ask } = await makeReseller(t, { services: { replica } })
  const { status, body, headers } = await ask('GET', '/supplier')
  t.equal(status, 503)
  checkPublished(t, 'ErrorInternalServerError', body)
  t.equal(body.error, 'INTERNAL_SERVER_ERROR')
  t.ok(headers['retry-after'])
})

t.test('a key that exceeds its rate limit gets 429 with Retry-After', async (t) => {
  const { ask } = await makeReseller(t, { environment: { RATE_LIMIT_PER_SECOND: '1' } })
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask('GET', '/capabilities')))
  const refused = answers.find(({ status }) => status === 429)!
  t.match(refused.body, { error: 'UNPROCESSABLE_ENTITY' })
  t.ok(refused.headers['retry-after'])
})

t.test(
  'a test key sees the same supplier and products, and its reads of products and availability count in its scorecard',
  async (t) => {
    const { app, sql, accountId, testId, partner, openTest } = await makeModes(t)
    const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 8 } })
    const test = await openTest()
    for (const url of ['/octo/supplier', '/octo/products']) {
      const live = await app.inject({ url, headers: partner.headers })
      t.same((await test.ask('GET', url)).json, live.json(), url)
    }
    const body = { productId: activityId, optionId: 'DEFAULT', localDate: '2030-06-15' }
    t.equal((await test.ask('POST', '/octo/availability', body)).json.length, 1)
    await app.close()
    const rows = await sql<{ operation: string; outcome: string; calls: number }[]>`
    select operation, outcome, calls from partner_calls where account_id = ${testId} order by 1`
    t.same(
      rows.map(({ operation, outcome, calls }) => `${operation} ${outcome} ${calls}`),
      ['availability done 1', 'products done 1'],
    )
    t.same(
      await sql`select from partner_calls where account_id = ${accountId}`,
      [],
      'reads with a live key do not count in a scorecard',
    )
  },
)

t.test('a request without a body may have any Content-Type', async (t) => {
  const { app, headers } = await makeReseller(t)
  const ask = (contentType: string, payload: string) =>
    app.inject({
      method: 'POST',
      url: '/octo/bookings/0b0ae1b3-2a5f-4b3b-9d2c-6f1c6c0e8a51/cancel',
      headers: { ...headers, 'content-type': contentType },
      payload,
    })
  for (const type of ['text/plain;charset=UTF-8', 'application/json'])
    t.match((await ask(type, '')).json(), { error: 'INVALID_BOOKING_UUID', errorMessage: /uuid/ }, type)
  t.match((await ask('text/plain', 'reason=none')).json(), { error: 'BAD_REQUEST' })
})
