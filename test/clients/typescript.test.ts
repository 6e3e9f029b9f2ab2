/** The client for partners: its types match the service, and a partner can list, book and cancel with it. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { createBookingClient } from '#typescript-client'
import { storeEntries } from '../../src/metering/store/storage.ts'
import { projectPath } from '../../src/platform/project/paths.ts'
import { clientTypesFile, makeClientTypes } from '../../tools/client-types.ts'
import { readOpenApiDocument } from '../../tools/openapi-document.ts'
import { bookingBody, build, makeCaller, makeProduct } from '../helper.ts'
import { entry } from '../metering/fixtures.ts'

const run = promisify(execFile)
const readManifest = async (...parts: string[]) => JSON.parse(await readFile(projectPath(...parts), 'utf8'))

t.test('the types match the OpenAPI document; `npm run client` writes them', async (t) => {
  const made = await makeClientTypes(await readOpenApiDocument())
  t.ok(made === (await readFile(clientTypesFile, 'utf8')), 'schema.d.ts is current')
})

t.test(
  'the package contains its six files, and depends on the version of openapi-fetch that it was tested with',
  async (t) => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: projectPath('clients', 'typescript'),
    })
    const [packed] = JSON.parse(stdout) as { files: { path: string }[] }[]
    t.same(packed!.files.map(({ path }) => path).sort(), [
      'LICENSE',
      'README.md',
      'index.d.ts',
      'index.js',
      'package.json',
      'schema.d.ts',
    ])
    const { dependencies } = await readManifest('clients', 'typescript', 'package.json')
    const { devDependencies } = await readManifest('package.json')
    t.same(dependencies, { 'openapi-fetch': devDependencies['openapi-fetch'] })
  },
)

t.test('a partner', async (t) => {
  const { client, activityId } = await connect(t)

  t.test('lists products, dates, timeslots and questions', async (t) => {
    const products = await client.GET('/api/v2/ota/marketplace/products')
    t.match(products.data?.data, [{ Name: 'Kayak', ActivityID: activityId }])
    const path = { ActivityID: activityId }
    const dates = await client.GET('/api/v2/ota/marketplace/availability/{ActivityID}/dates', {
      params: { path, query: { StartDate: '2030-06-01', EndDate: '2030-06-30' } },
    })
    t.match(dates.data?.data, [{ Date: '2030-06-15', Available: 8 }])
    const timeslots = await client.GET('/api/v2/ota/marketplace/availability/{ActivityID}/timeslots', {
      params: { path, query: { Date: '2030-06-15' } },
    })
    t.match(timeslots.data?.data, [
      { Time: '10:00', Available: 3 },
      { Time: '14:00', Available: 5 },
    ])
    const questions = await client.GET('/api/v2/ota/marketplace/questions/{ActivityID}', { params: { path } })
    t.match(questions.data?.data, [{ Label: 'Can you swim?', Type: 'checkbox', Required: true }])
  })

  t.test('books, and gets the same booking when it sends the request again', async (t) => {
    const book = () =>
      client.POST('/api/v2/ota/marketplace/booking', {
        headers: { 'idempotency-key': 'order-1' },
        body: bookingBody(activityId),
      })
    const [first, second] = [await book(), await book()]
    t.equal(first.response.status, 201)
    t.match(first.data?.data, { BookingReference: String, Status: 'confirmed', Participants: 2 })
    t.equal(second.response.headers.get('idempotency-replayed'), 'true')
    t.same(second.data, first.data)
  })

  t.test('gets alternatives when a timeslot is full', async (t) => {
    const { error, response } = await client.POST('/api/v2/ota/marketplace/booking', {
      body: bookingBody(activityId),
    })
    t.equal(response.status, 409)
    t.match(error, {
      type: /\/insufficient-capacity$/,
      Available: 1,
      Alternatives: [{ Date: '2030-06-15', Time: '14:00', Available: 5 }],
    })
  })

  t.test('cancels a booking, and then reads it as cancelled', async (t) => {
    const booked = await client.POST('/api/v2/ota/marketplace/booking', {
      body: bookingBody(activityId, { Time: '14:00' }),
    })
    const path = { BookingReference: booked.data!.data.BookingReference }
    const cancelled = await client.POST('/api/v2/ota/marketplace/booking/{BookingReference}/cancel', {
      params: { path },
    })
    t.match(cancelled.data?.data, { Status: 'cancelled' })
    const { data } = await client.GET('/api/v2/ota/marketplace/booking/{BookingReference}', {
      params: { path },
    })
    t.match(data?.data, { Status: 'cancelled' })
  })

  t.test('gets the names of all invalid fields of a request', async (t) => {
    const { error } = await client.POST('/api/v2/ota/marketplace/booking', {
      body: bookingBody(activityId, { Date: '2030-02-30', Participants: 0 }),
    })
    t.same(error?.errors?.map(({ field }) => field).sort(), ['Date', 'Participants'])
  })
})

t.test('with a key that may record and read usage, the client records usage and reads totals', async (t) => {
  const { client, sql, accountId } = await connect(t)
  const recorded = await client.POST('/api/v2/usage/meters', { body: { Meter: 'api-calls', Usage: 2.5 } })
  t.match(recorded.data?.data, { Meter: 'api-calls', Usage: 2.5 })
  // No worker runs in this test, so the test stores an entry as a worker does.
  const occurredAt = Date.parse('2030-01-15T10:00:00Z') / 1000
  await storeEntries(sql, [entry(accountId, 1, { meter: 'api-calls', usage: '2.5', occurredAt })])
  const { data, error } = await client.GET('/api/v2/usage/meters', {
    params: { query: { from: '2030-01-01', to: '2030-01-31' } },
  })
  t.equal(error, undefined)
  t.match(data?.data, {
    Totals: { Usage: 2.5, Events: 1 },
    Meters: [{ Meter: 'api-calls', TotalUsage: 2.5 }],
  })
})

/**
 * Starts a service and a client. The product has a question, a timeslot of three places and a timeslot of
 * five.
 */
async function connect(t: Test) {
  const { app, sql } = await build(t)
  const { accountId, token } = await makeCaller(sql, { scopes: ['ota', 'usage:read', 'usage:write'] })
  const { id, activityId } = await makeProduct(sql, accountId, {
    slots: { '2030-06-15 10:00': 3, '2030-06-15 14:00': 5 },
  })
  await sql`
    insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
    values (${accountId}, ${id}, 1, 'Can you swim?', 'checkbox', true, '{}', 'booking')`
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  return { client: createBookingClient({ baseUrl, key: token }), activityId, sql, accountId }
}
