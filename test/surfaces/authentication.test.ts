/** Access by keys and scopes, and the isolation of accounts, on the main routes of the partner API. */
import t, { type Test } from 'tap'
import { bookingBody, bookingPath, build, makeCaller, makeProduct } from '../helper.ts'

type Route = { method: 'GET' | 'POST'; url: string; payload?: object }

/** Requests about one activity: reads of products, availability and questions, and a booking. */
function routes(activityId: string, id: number): Route[] {
  const base = '/api/v2/ota/marketplace'
  const urls = [
    `${base}/products`,
    `${base}/resolve-product?ID=${id}`,
    `${base}/resolve-product?Name=Kayak`,
    `${base}/availability/${activityId}/dates?StartDate=2030-06-01&EndDate=2030-06-30`,
    `${base}/availability/${activityId}/timeslots?Date=2030-06-15`,
    `${base}/questions/${activityId}`,
    `/api/v2/ota/core/questions/${activityId}`,
  ]
  return [
    ...urls.map((url) => ({ method: 'GET' as const, url })),
    { method: 'POST', url: bookingPath, payload: bookingBody(activityId) },
  ]
}

async function prepare(t: Test) {
  const built = await build(t)
  const caller = await makeCaller(built.sql)
  const product = await makeProduct(built.sql, caller.accountId, { slots: { '2030-06-15 10:00': 8 } })
  const askAll = (headers: Record<string, string>) =>
    Promise.all(
      routes(product.activityId, product.id).map((route) => built.app.inject({ ...route, headers })),
    )
  return { ...built, ...caller, ...product, askAll }
}

t.test('a live key of scope ota opens the main routes for partners', async (t) => {
  const { askAll, headers } = await prepare(t)
  for (const { statusCode } of await askAll(headers)) t.ok([200, 201].includes(statusCode))
})

t.test('a missing key, or a text that is not a key, gets 401 with WWW-Authenticate', async (t) => {
  const { askAll, token } = await prepare(t)
  const headers = [
    {},
    { authorization: '' },
    { authorization: 'Bearer' },
    { authorization: `Basic ${token}` },
    { authorization: 'Bearer abs_1_short' },
    { authorization: `Bearer ${token}x` },
    { authorization: `Bearer ${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}` },
    { authorization: `Bearer abs_99999999_${'x'.repeat(43)}` },
    { authorization: `Bearer ${'x'.repeat(8000)}` },
  ]
  for (const header of headers) {
    for (const answer of await askAll(header as Record<string, string>)) {
      t.equal(answer.statusCode, 401)
      t.equal(answer.headers['www-authenticate'], 'Bearer')
      t.match(answer.json(), { type: /unauthenticated$/, status: 401 })
    }
  }
})

t.test('an expired or revoked key gets 401', async (t) => {
  const { askAll, sql } = await prepare(t)
  const expired = await makeCaller(sql)
  const revoked = await makeCaller(sql)
  const [first, second] = await sql<{ id: number }[]>`select id from api_keys order by id desc limit 2`
  await sql`update api_keys set expires_at = now() - interval '1 second' where id = ${second!.id}`
  await sql`update api_keys set revoked_at = now() where id = ${first!.id}`
  for (const { headers } of [expired, revoked]) {
    for (const { statusCode } of await askAll(headers)) t.equal(statusCode, 401)
  }
})

t.test('a live key without the scope gets 403', async (t) => {
  const { askAll, sql } = await prepare(t)
  const { headers } = await makeCaller(sql, { scopes: ['usage:read', 'usage:write', 'operator'] })
  for (const answer of await askAll(headers)) {
    t.equal(answer.statusCode, 403)
    t.match(answer.json(), { type: /forbidden$/, detail: /ota/ })
  }
})

t.test('401 and 403 come before errors of the path, the query or the body', async (t) => {
  const { app, sql } = await prepare(t)
  const scopeless = await makeCaller(sql, { scopes: ['operator'] })
  const spoiled = [
    { method: 'GET' as const, url: '/api/v2/ota/core/questions/nonsense' },
    { method: 'GET' as const, url: '/api/v2/ota/marketplace/availability/nonsense/dates' },
    {
      method: 'POST' as const,
      url: bookingPath,
      payload: '{broken',
      headers: { 'content-type': 'application/json' },
    },
    { method: 'POST' as const, url: bookingPath, payload: 'x', headers: { 'content-type': 'text/plain' } },
    {
      method: 'POST' as const,
      url: bookingPath,
      payload: 'x'.repeat(2_000_000),
      headers: { 'content-type': 'application/json' },
    },
  ]
  for (const { headers = {}, ...route } of spoiled) {
    t.equal((await app.inject({ ...route, headers })).statusCode, 401)
    t.equal((await app.inject({ ...route, headers: { ...headers, ...scopeless.headers } })).statusCode, 403)
  }
})

t.test(
  'another account’s key sees nothing of an account: its ids are answered like unknown ids',
  async (t) => {
    const { app, sql, askAll, activityId, id } = await prepare(t)
    const { headers } = await makeCaller(sql, { slug: 'other' })
    const answers = await askAll(headers)
    t.same(
      answers.map(({ statusCode }) => statusCode),
      [200, 404, 404, 404, 404, 404, 404, 422],
    )
    t.same(answers[0]!.json(), { data: [] })
    const unknown = routes('s_00000000-0000-4000-8000-000000000000', id + 1)
    const foreign = routes(activityId, id)
    for (const [index, route] of foreign.entries()) {
      const [one, two] = [
        await app.inject({ ...route, headers }),
        await app.inject({ ...unknown[index]!, headers }),
      ]
      const { instance: _, ...theirs } = one.json()
      const { instance: __, ...nobodys } = two.json()
      t.same(theirs, nobodys, `${route.method} ${route.url} answers as for an unknown id`)
    }
    t.match(await sql`select count(*) from bookings`, [{ count: 0 }])
  },
)
