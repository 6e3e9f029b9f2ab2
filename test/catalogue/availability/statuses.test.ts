/** The errors 401, 403, 429 and 503 of three lists for partners. Other tests send invalid queries to them. */
import t, { type Test } from 'tap'
import { buildOn, createDatabase, makeCaller, makeProduct } from '../../helper.ts'
import { proxyTo, throughProxy } from '../../proxy.ts'

const month = 'StartDate=2030-06-01&EndDate=2030-06-30'

/** Starts the service with a proxy between it and its database. */
async function startBehindProxy(t: Test, environment: Record<string, string> = {}) {
  const { sql, url } = await createDatabase(t)
  const caller = await makeCaller(sql)
  const { activityId } = await makeProduct(sql, caller.accountId)
  const proxy = await proxyTo(t, url)
  const { app } = await buildOn(t, throughProxy(proxy.url, url), environment)
  const base = '/api/v2/ota/marketplace'
  const urls = [
    `${base}/availability?ActivityIDs=${activityId}&${month}`,
    `${base}/availability/${activityId}/calendar?${month}`,
    `${base}/products?UpdatedSince=2020-01-01T00:00:00Z`,
  ]
  const ask = (url: string, headers: Record<string, string> = caller.headers) => app.inject({ url, headers })
  return { ...caller, sql, proxy, urls, ask }
}

t.test(
  'a request without a key gets 401, and one without the scope 403, before its query is read',
  async (t) => {
    const { sql, urls, ask } = await startBehindProxy(t)
    const scopeless = await makeCaller(sql, { scopes: ['operator', 'usage:read'] })
    for (const url of urls.flatMap((url) => [url, url.split('?')[0]!])) {
      const unknown = await ask(url, {})
      t.equal(unknown.statusCode, 401)
      t.match(unknown.json(), { type: /unauthenticated$/ })
      const forbidden = await ask(url, scopeless.headers)
      t.equal(forbidden.statusCode, 403)
      t.match(forbidden.json(), { type: /forbidden$/, detail: /ota/ })
    }
  },
)

t.test('a key that exceeds its rate limit gets 429 with Retry-After', async (t) => {
  const { urls, ask } = await startBehindProxy(t, { RATE_LIMIT_PER_SECOND: '1' })
  for (const url of urls) {
    // A window of five seconds allows five requests. Of eleven concurrent requests, two windows allow ten.
    const answers = await Promise.all(Array.from({ length: 11 }, () => ask(url)))
    const refused = answers.find(({ statusCode }) => statusCode === 429)!
    t.match(refused.headers['retry-after'], /^[1-5]$/)
    t.match(refused.json(), { type: /rate-limited$/, status: 429 })
  }
})

t.test('requests get 503 while the database is unavailable, and 200 afterwards', async (t) => {
  const { urls, ask, proxy } = await startBehindProxy(t)
  for (const url of urls) t.equal((await ask(url)).statusCode, 200)
  await proxy.cut()
  for (const url of urls) {
    const answer = await ask(url)
    t.equal(answer.statusCode, 503)
    t.match(answer.headers['retry-after'], /^\d+$/)
    t.match(answer.json(), { type: /unavailable$/ })
  }
  await proxy.restore()
  for (const url of urls) t.equal((await ask(url)).statusCode, 200)
})
