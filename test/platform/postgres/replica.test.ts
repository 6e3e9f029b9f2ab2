/** Which reads use a standby, and what happens when it is behind or is not a standby. */
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { buildApp } from '../../../src/app.ts'
import { openReplica, type Replica } from '../../../src/platform/postgres/replica.ts'
import { closeServices, openServices } from '../../../src/services.ts'
import {
  bookingBody,
  bookingPath,
  createDatabase,
  makeCaller,
  makeProduct,
  testConfig,
} from '../../helper.ts'
import { until } from '../../until.ts'

const log = pino({ level: 'silent' })
const products = '/api/v2/ota/marketplace/products'

/**
 * An application whose replica is a separate database with the same product. That database gets no
 * changes of the primary, and so represents a standby whose lag is the greatest that is allowed.
 */
async function buildBehind(t: Test) {
  const [primary, behind] = [await createDatabase(t), await createDatabase(t)]
  const made = []
  for (const { sql } of [primary, behind]) {
    const caller = await makeCaller(sql)
    made.push({
      ...caller,
      ...(await makeProduct(sql, caller.accountId, { slots: { '2030-06-15 10:00': 4 } })),
    })
  }
  const [{ headers, activityId, id }, old] = made as [(typeof made)[0], (typeof made)[0]]
  await behind.sql`update products set activity_id = ${activityId.slice(2)} where id = ${old.id}`
  const services = openServices(testConfig(), primary.url, 'test', log)
  const faults: Error[] = []
  const replica: Replica = {
    read: (query) => query(behind.sql),
    reason: () => faults[0]?.message ?? null,
    close: services.replica.close,
  }
  const app = await buildApp({ ...services, replica })
  t.teardown(async () => {
    await app.close()
    await closeServices(services)
  })
  const ask = (url: string, more: Record<string, string> = {}) =>
    app.inject({ url, headers: { ...headers, ...more } })
  return { app, ask, sql: primary.sql, behind: behind.sql, headers, activityId, id, faults }
}

t.test('catalogue and availability come from the standby, and bookings from the primary', async (t) => {
  const { app, ask, behind, headers, activityId } = await buildBehind(t)
  await behind`update products set name = 'Old kayak'`
  t.match((await ask(products)).json(), { data: [{ Name: 'Old kayak' }] })
  t.match((await ask('/api/v2/ota/marketplace/resolve-product?Name=old%20kayak')).json(), {
    data: { Name: 'Old kayak' },
  })
  t.equal((await ask(`/api/v2/ota/marketplace/questions/${activityId}`)).statusCode, 200)

  const payload = bookingBody(activityId, { Participants: 3 })
  const booked = await app.inject({ method: 'POST', url: bookingPath, headers, payload })
  t.equal(booked.statusCode, 201)
  const availability = `/api/v2/ota/marketplace/availability/${activityId}`
  const dates = await ask(`${availability}/dates?StartDate=2030-06-01&EndDate=2030-06-30`)
  t.match(dates.json(), { data: [{ Available: 4 }] })
  t.match((await ask(`${availability}/timeslots?Date=2030-06-15`)).json(), { data: [{ Available: 4 }] })
  t.equal((await ask(`${bookingPath}/${booked.json().data.BookingReference}`)).statusCode, 200)
  const refused = await app.inject({ method: 'POST', url: bookingPath, headers, payload })
  t.match(refused.json(), { status: 409, Available: 1 })
})

t.test('a list that a caller stores never goes back in time', async (t) => {
  const { ask, sql, behind, id } = await buildBehind(t)
  const at = '2026-11-20T10:00:00Z'
  await Promise.all([sql, behind].map((one) => one`update products set id = ${id}, updated_at = ${at}`))
  const before = (await ask(products)).headers.etag as string
  await sql`update products set name = 'New kayak'`
  t.equal((await ask(products, { 'if-none-match': before })).statusCode, 304, 'as old as the standby may be')

  const renewed = await ask(products, { 'if-none-match': '"something else"' })
  t.match(renewed.json(), { data: [{ Name: 'New kayak' }] })
  const after = renewed.headers.etag as string
  t.equal((await ask(products, { 'if-none-match': after })).statusCode, 304)
})

t.test('/readyz says why the standby is not used, and still responds 200', async (t) => {
  const { ask, faults } = await buildBehind(t)
  await until(async () => (await ask('/readyz')).json().data?.Status === 'ready')
  faults.push(new Error('The standby is out of reach, so the primary serves its reads.'))
  const { statusCode, body } = await ask('/readyz')
  t.equal(statusCode, 200)
  const { Status, Reasons } = JSON.parse(body).data
  t.equal(Status, 'degraded')
  // On a busy machine, other reasons may come first.
  t.equal(Reasons.at(-1), faults[0]!.message)
})

t.test('a server that is not a standby, or is out of reach, is never read', async (t) => {
  const { sql, url } = await createDatabase(t)
  const { url: other, sql: otherSql } = await createDatabase(t)
  await otherSql`create table marks (number integer)`
  const database = { poolSize: 2, applicationName: 'abs-test' }
  for (const standbyUrl of [other, 'postgres://127.0.0.1:1/none']) {
    const options = { primaryUrl: url, standbyUrl, lagSeconds: 1, log, database }
    const replica = openReplica(sql, options)
    t.teardown(replica.close)
    t.match(replica.reason(), /has not responded yet/)
    await until(() => /out of reach/.test(replica.reason() ?? ''))
    t.match(await replica.read((from) => from`select to_regclass('marks') as marks`), [{ marks: null }])
  }
})
