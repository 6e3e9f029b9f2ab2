/**
 * Keys that are malformed, the order in which requests are refused, and ids of another account.
 * test/security/authorization.test.ts sends requests to every route with every kind of key.
 */
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
  return { ...built, ...caller, ...product }
}

t.test('a missing, malformed or unknown key gets 401 with WWW-Authenticate', async (t) => {
  const { app, token } = await prepare(t)
  const ask = (headers: Record<string, string>) =>
    app.inject({ url: '/api/v2/ota/marketplace/products', headers })
  t.equal((await ask({ authorization: `Bearer ${token}` })).statusCode, 200)
  const headers: Record<string, string>[] = [
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
    const answer = await ask(header)
    t.equal(answer.statusCode, 401, header.authorization ?? 'no key')
    t.equal(answer.headers['www-authenticate'], 'Bearer')
    t.match(answer.json(), { type: /unauthenticated$/, status: 401 })
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
    const refused = await app.inject({ ...route, headers: { ...headers, ...scopeless.headers } })
    t.match(refused.json(), { type: /forbidden$/, status: 403, detail: /ota/ })
  }
})

t.test(
  'another account’s key sees nothing of an account: its ids are answered like unknown ids',
  async (t) => {
    const { app, sql, activityId, id } = await prepare(t)
    const { headers } = await makeCaller(sql, { slug: 'other' })
    const foreign = routes(activityId, id)
    const unknown = routes('s_00000000-0000-4000-8000-000000000000', id + 1)
    const statuses: number[] = []
    for (const [index, route] of foreign.entries()) {
      const [one, two] = [
        await app.inject({ ...route, headers }),
        await app.inject({ ...unknown[index]!, headers }),
      ]
      statuses.push(one.statusCode)
      const { instance: _, ...theirs } = one.json()
      const { instance: __, ...nobodys } = two.json()
      t.same(theirs, nobodys, `${route.method} ${route.url} answers as for an unknown id`)
      if (index === 0) t.same(theirs, { data: [] })
    }
    t.same(statuses, [200, 404, 404, 404, 404, 404, 404, 422])
    t.match(await sql`select count(*) from bookings`, [{ count: 0 }])
  },
)
