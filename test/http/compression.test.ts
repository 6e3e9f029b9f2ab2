/** Which responses are compressed, for which clients, and which are not. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import { makeDashboard } from '../dashboard/fixtures.ts'
import { makeProduct } from '../helper.ts'

t.test('compression', async (t) => {
  const { app, sql, accountId, headers, signIn, book } = await makeDashboard(t)
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 20 } })
  for (const FirstName of ['Ada', 'Grace', 'Mary'])
    await book(activityId, { Customer: { FirstName, LastName: 'Guest', Email: 'guest@example.com' } })
  const owner = await signIn()
  const ours = { cookie: owner.cookie, 'sec-fetch-site': 'same-origin' }
  const ask = (url: string, more: Record<string, string>) => app.inject({ url, headers: more })
  const brotli = { 'accept-encoding': 'gzip, deflate, br, zstd' }

  t.test(
    'a page is sent compressed by brotli or gzip, as the browser accepts, with the same content',
    async (t) => {
      const page = '/dashboard/bookings'
      const plain = await ask(page, ours)
      t.equal(plain.headers['content-encoding'], undefined)
      const small = await ask(page, { ...ours, ...brotli })
      t.equal(small.headers['content-encoding'], 'br')
      t.ok(small.rawPayload.length < plain.rawPayload.length / 2)
      t.match(brotliDecompressSync(small.rawPayload).toString(), '<h1>Bookings</h1>')
      const zipped = await ask(page, { ...ours, 'accept-encoding': 'gzip' })
      t.equal(zipped.headers['content-encoding'], 'gzip')
      t.match(gunzipSync(zipped.rawPayload).toString(), '<h1>Bookings</h1>')
      for (const { headers } of [plain, small, zipped]) t.match(headers.vary, /accept-encoding/)
      const refused = await ask(page, { ...ours, 'accept-encoding': 'br;q=0, identity' })
      t.equal(refused.headers['content-encoding'], undefined)
    },
  )

  t.test('a page is not compressed if another site made the browser request it', async (t) => {
    const page = '/dashboard/bookings?Search=a-guess-at-the-token'
    for (const site of ['cross-site', 'same-site', undefined]) {
      const asked = { cookie: owner.cookie, ...brotli, ...(site && { 'sec-fetch-site': site }) }
      const answer = await ask(page, asked)
      t.equal(answer.statusCode, 200)
      t.equal(answer.headers['content-encoding'], undefined, String(site))
    }
    const typed = await ask(page, { cookie: owner.cookie, ...brotli, 'sec-fetch-site': 'none' })
    t.equal(typed.headers['content-encoding'], 'br')
  })

  t.test('style sheets, CSV files, the OpenAPI document and long lists are compressed', async (t) => {
    const cases: [string, Record<string, string>, RegExp][] = [
      ['/dashboard/assets/dashboard.css', {}, /color-scheme/],
      ['/dashboard/bookings.csv', ours, /BookingReference,Status/],
      ['/openapi.json', {}, /"openapi":"3/],
      ['/docs/json', {}, /"openapi":"3/],
      ['/api/v2/operator/bookings', headers, /"BookingReference"/],
    ]
    for (const [url, more, content] of cases) {
      const answer = await ask(url, { ...more, ...brotli })
      t.equal(answer.headers['content-encoding'], 'br', url)
      t.match(brotliDecompressSync(answer.rawPayload).toString(), content, url)
    }
  })

  t.test('short responses, and responses to POST requests, are not compressed', async (t) => {
    const [short] = [await ask('/healthz', brotli)]
    t.equal(short.headers['content-encoding'], undefined)
    const refused = await app.inject({
      method: 'POST',
      url: '/api/v2/operator/bookings',
      headers: { ...headers, ...brotli },
      payload: {},
    })
    t.equal(refused.statusCode, 422)
    t.equal(refused.headers['content-encoding'], undefined)
  })
})

t.test('responses about availability are not compressed', async (t) => {
  const { app, partner, sql, accountId } = await makeDashboard(t)
  const days = Array.from({ length: 30 }, (_, index) => `2030-06-${String(index + 1).padStart(2, '0')} 10:00`)
  const slots = Object.fromEntries(days.map((day) => [day, 20]))
  const { activityId } = await makeProduct(sql, accountId, { slots })
  const url = `/api/v2/ota/marketplace/availability/${activityId}/dates?StartDate=2030-01-01&EndDate=2030-12-31`
  const answer = await app.inject({ url, headers: { ...partner.headers, 'accept-encoding': 'br' } })
  t.ok(answer.body.length > 1024)
  t.equal(answer.headers['content-encoding'], undefined)
  t.equal(answer.headers.vary?.toString().includes('accept-encoding') ?? false, false)
})
