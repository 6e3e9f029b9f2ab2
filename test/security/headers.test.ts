/** The security headers of every kind of response, and what no response reveals. */
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import type { InjectOptions } from 'fastify'
import t from 'tap'
import { makeFeedName } from '../../src/sales/calendar-feed/model.ts'
import { ticketsUrl } from '../../src/sales/ticket/links.ts'
import { offerUrl } from '../../src/sales/waitlist/model.ts'
import { makeDashboard } from '../dashboard/fixtures.ts'
import { bookingPath, build, makeProduct } from '../helper.ts'

const secretKey = 'a secret key of thirty-two letters'
const metricsToken = 'a token of thirty-two characters'

async function prepare() {
  const environment = { SECRET_KEY: secretKey, METRICS_TOKEN: metricsToken }
  const dashboard = await makeDashboard(t, { environment })
  const { sql, accountId, signIn, book } = dashboard
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 8 } })
  const { reference } = await book(activityId)
  const owner = await signIn()
  const feed = makeFeedName(accountId)
  await sql`
    insert into calendar_feeds (account_id, user_id, hash) values (${accountId}, ${owner.userId}, ${feed.hash})`
  return { ...dashboard, owner, reference, feed: feed.name }
}
const { app, headers, partner, owner, accountId, reference, feed } = await prepare()
const all = await answers()

/** Responses of many kinds from all surfaces. */
async function answers() {
  const link = new URL(offerUrl('http://booking.test', secretKey, { accountId, entryId: 1 })).pathname
  const tickets = new URL(ticketsUrl('http://booking.test', secretKey, { accountId, reference })).pathname
  const urls = [
    '/healthz',
    '/readyz',
    '/openapi.json',
    '/docs/',
    '/problems/validation',
    '/',
    '/nowhere',
    '/%zz',
    '/metrics',
    '/octo/products',
    '/octo/nowhere',
    '/tickets/unsigned',
    '/calendar/unknown',
    `/calendar/${feed}`,
    tickets,
    `${tickets}/calendar.ics`,
    `${tickets}/receipt`,
    link,
  ]
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const pages = ['/dashboard/today', '/dashboard/bookings.csv', '/dashboard/nowhere', '/dashboard/queues']
  const json = { 'content-type': 'application/json' }
  const asked: (InjectOptions & { url: string })[] = [
    ...urls.map((url) => ({ url, headers: {} })),
    { url: '/dashboard/sign-in', headers: {} },
    ...[...pages, '/dashboard/assets/dashboard.css'].map((url) => ({
      url,
      headers: { cookie: owner.cookie },
    })),
    { url: '/api/v2/operator/products', headers },
    { url: '/api/v2/ota/marketplace/products', headers: partner.headers },
    { url: '/octo/products', headers: partner.headers },
    { url: '/octo/products/unknown', headers: partner.headers },
    { method: 'POST', url: '/octo/bookings', headers: partner.headers, payload: {} },
    { url: '/metrics', headers: { authorization: `Bearer ${metricsToken}` } },
    { url: '/api/v2/operator/products', headers: {} },
    { url: '/api/v2/operator/products?Limit=x', headers },
    { method: 'DELETE', url: bookingPath, headers },
    { method: 'POST', url: bookingPath, headers: { ...partner.headers, ...json }, payload: '{' },
    { method: 'POST', url: '/api/v2/payments/events', headers: json, payload: '{}' },
    { method: 'POST', url: '/dashboard/business-details', headers: { ...form, cookie: owner.cookie } },
    { method: 'POST', url: '/waitlist/unsigned/take', headers: form },
  ]
  return Promise.all(
    asked.map(async (one) => ({
      what: `${one.method ?? 'GET'} ${one.url}`,
      url: one.url,
      ...(await pick(one)),
    })),
  )
}

async function pick(asked: InjectOptions) {
  const { headers, statusCode } = await app.inject(asked)
  return { headers, statusCode, csp: String(headers['content-security-policy']) }
}

t.test('every response has security headers, and does not name its software', async (t) => {
  for (const { what, csp, headers } of all) {
    t.match(
      headers,
      {
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': /^(no-referrer|same-origin)$/,
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      },
      what,
    )
    t.match(csp, /(^|;)default-src 'none'/, what)
    t.match(csp, /frame-ancestors 'none'/, what)
    t.notMatch(csp, /script-src[^;]*unsafe|https?:/, what)
    for (const name of ['server', 'x-powered-by', 'access-control-allow-origin', 'strict-transport-security'])
      t.equal(headers[name], undefined, `${what} has no ${name}`)
  }
  const served = all.filter(({ statusCode }) => statusCode === 200).map(({ url }) => url)
  for (const path of ['/api/', '/octo/', '/dashboard/', '/metrics', '/tickets/', '/calendar/'])
    t.ok(
      served.some((url) => url.startsWith(path)),
      `${path} is among the successful responses`,
    )
})

t.test('responses of the API allow a browser to load nothing', async (t) => {
  for (const { what, url, csp } of all)
    if (/^\/(api|octo)\//.test(url) || url === '/healthz' || url === '/metrics')
      t.equal(csp, "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'", what)
})

t.test('responses to a key, a session or a link are not cacheable, except for revalidation', async (t) => {
  for (const { what, headers, url } of all) {
    const isFile = url.startsWith('/docs') || url.includes('/assets/')
    // After Back, the customer’s browser shows this page again. If the browser had not stored the page, it
    // would ask to resend the form.
    const isForm = what.startsWith('POST /waitlist/')
    if ((headers.etag && !isFile) || isForm) t.equal(headers['cache-control'], 'private, no-cache', what)
    else if (!isFile) t.equal(headers['cache-control'], 'no-store', what)
  }
})

t.test('browsers must use https if the service has a public https URL', async (t) => {
  const { app } = await build(t, { environment: { PUBLIC_URL: 'https://booking.test' } })
  for (const url of ['/healthz', '/dashboard/sign-in', '/docs/', '/problems/validation', '/%zz'])
    t.equal((await app.inject(url)).headers['strict-transport-security'], 'max-age=31536000', url)
})

t.test('requests that Node cannot read get security headers too', async (t) => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  socket.write('nonsense\r\n\r\n')
  let answer = ''
  socket.on('data', (chunk) => (answer += chunk))
  await once(socket, 'close')
  t.match(answer, /^HTTP\/1\.1 400 /)
  t.match(answer, /\r\nx-content-type-options: nosniff\r\n/)
  t.match(answer, /\r\ncontent-security-policy: default-src 'none'/)
})
