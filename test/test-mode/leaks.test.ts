/**
 * A busy test account beside a busy live one: no route shows or changes anything of the other mode, and what
 * live mode counts, sends or reports does not change.
 */
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import t from 'tap'
import { scopes } from '../../src/accounts/model.ts'
import { sweepExpiredHolds } from '../../src/inventory/expiry.ts'
import { sweepWorkflows } from '../../src/messaging/workflows/sweep.ts'
import { storeEntries } from '../../src/metering/store/storage.ts'
import { listScorecards } from '../../src/reports/scorecards/service.ts'
import { followLive } from '../../src/test-mode/following.ts'
import { createTestKey } from '../../src/test-mode/service.ts'
import { makeFolder, run } from '../command-line.ts'
import { makeWorld } from '../dashboard/world.ts'
import { fingerprint } from '../fingerprint.ts'
import { makeSending } from '../messaging/emails/fixtures.ts'
import { startSmtp } from '../messaging/emails/smtp.ts'
import { entry } from '../metering/fixtures.ts'
import { pumpEvents } from '../pump.ts'
import { scrape, sumOf } from '../scrape.ts'
import { type Access, accessTable, statusOf } from '../security/access.ts'
import { until } from '../until.ts'

const day = '2030-06-15'
const tess = { FirstName: 'Tess', LastName: 'Testperson', Email: 'tess@mode.example' }
const grace = { ...tess, Email: 'grace@mode.example' }
const ofTest = /Testperson|@mode\.example|sandbox-meter/
const ofLive = /Lovelace|ada@example|leaves@example/

const world = await makeWorld(t)
const { app, sql, url, accountId, ids, activityId } = world
await sql`update products set in_shopfront = true`
const folder = await makeFolder(t)
const smtp = await startSmtp(t)
const send = makeSending(sql, { SMTP_URL: smtp.url, DATA_DIR: folder, PUBLIC_URL: 'http://booking.test' })
const settle = async () => {
  await pumpEvents(sql)
  await sweepExpiredHolds(sql)
  await sweepWorkflows(sql)
  await send()
  await followLive(sql)
  await pumpEvents(sql)
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
const asking = (token: string) => async (method: Method, address: string, payload?: object) => {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await app.inject({ method, url: address, headers, ...(payload && { payload }) })
  return { status: answer.statusCode, body: answer.body, data: answer.body ? answer.json().data : null }
}
const request = { accountId, partner: 'Viator', scopes: [...scopes], expiresInDays: null }
const live = asking(
  await import('../../src/accounts/service.ts').then(({ createKey }) => createKey(sql, request)),
)
const test = asking(await createTestKey(sql, request))
const testId = -accountId
const [desk, partners, usage] = ['/api/v2/operator', '/api/v2/ota/marketplace', '/api/v2/usage']

/** Makes bookings, a waitlist entry, baskets, tickets, usage and e-mails in test mode; returns one id of each. */
async function makeTestRows() {
  const line = { ActivityID: activityId, Date: day, Time: '16:00', Participants: 1 }
  const booking = (await test('POST', `${partners}/booking`, { ...line, Customer: tess })).data
  const other = (await test('POST', `${partners}/booking`, { ...line, Customer: grace })).data
  await test('POST', `${partners}/booking/${other.BookingReference}/cancel`)
  await test('POST', `${partners}/booking`, { ...line, Time: '14:00', Participants: 2, Customer: tess })
  const party = { ...line, Time: '14:00', Participants: 2, Customer: tess }
  const waiting = (await test('POST', `${desk}/waitlist`, party)).data
  const basket = (await test('POST', `${desk}/baskets`, { Channel: 'pos', Lines: [line], Customer: tess }))
    .data
  const paid = (await test('POST', `${desk}/baskets`, { Channel: 'pos', Lines: [line], Customer: tess })).data
  await test('PUT', `${desk}/baskets/${paid.BasketID}/promotion`, { Code: 'TEN' })
  await test('POST', `${desk}/baskets/${paid.BasketID}/pay`, { Method: 'cash' })
  const tickets = (await test('POST', `${desk}/bookings/${booking.BookingReference}/tickets`)).data
  await storeEntries(sql, [{ ...entry(testId, 900_001), meter: 'sandbox-meter' }])
  await settle()
  const [email] = (await test('GET', `${desk}/emails`)).data
  return {
    BookingReference: booking.BookingReference as string,
    WaitlistID: waiting.WaitlistID as number,
    BasketID: basket.BasketID as number,
    TicketID: tickets[0].TicketID as string,
    EmailID: email.EmailID as number,
    ID: 900_001,
  }
}

const lineOf = await live('GET', `${desk}/baskets/${ids.BasketID}`)
const ticketsOf = await live('POST', `${desk}/bookings/${ids.BookingReference}/tickets`)
const table = accessTable(world, lineOf.data.Lines[0].BookingReference, ticketsOf.data[0].TicketID)

/** The body of a request. Requests with a test key have another customer than requests with a live key. */
function bodyOf({ body }: Access, ask: typeof live): object | undefined {
  if (!body || ask === live) return body
  return JSON.parse(JSON.stringify(body).replaceAll('Lovelace', 'Hopper').replaceAll('ada@', 'hopper@'))
}

/** Requests each route whose method is wanted, with live ids unless `named` has others. Returns the responses. */
async function askAll(ask: typeof live, named: object, wanted: (method: string) => boolean) {
  const answers: { route: string; status: number; body: string }[] = []
  for (const [route, access] of Object.entries(table)) {
    const [method, pattern] = route.split(' ') as [Method, string]
    if (!wanted(method)) continue
    const names: Record<string, unknown> = { ...ids, ActivityID: activityId, ...access.ids, ...named }
    const address = pattern.replace(/:(\w+)/g, (_, name) => String(names[name]))
    const query = access.query?.replace('from=2020-01-01&to=2020-12-31', 'from=2026-01-01&to=2026-12-31')
    answers.push({
      route,
      ...(await ask(method, query ? `${address}?${query}` : address, bodyOf(access, ask))),
    })
  }
  return answers
}

const isRead = (method: string) => method === 'GET'

async function readLive() {
  const answers = await askAll(live, {}, isRead)
  const samples = (await scrape(world.services.metrics)).filter(({ name }) =>
    /^(booking_operations|booking_events|platform_events_recorded|usage_entries_accepted)_total$/.test(name),
  )
  return {
    answers: answers.map(({ route, status, body }) => ({ route, status, body })),
    counted: ['booking_operations_total', 'booking_events_total', 'platform_events_recorded_total'].map(
      (name) => sumOf(samples, name),
    ),
    scorecards: await listScorecards(sql, accountId, 30),
    rows: await fingerprint(sql, accountId),
  }
}

/** Whether all requests by which partners made or cancelled live bookings are counted, which takes some seconds. */
async function areCounted() {
  const [counts] = await sql<{ calls: number; bookings: number }[]>`
    select (
      select coalesce(sum(calls), 0) from partner_calls where account_id = ${accountId} and outcome = 'done'
    )::integer as calls, (
      select count(*) + count(*) filter (where cancel_reason = 'partner') from bookings
      where account_id = ${accountId} and channel = 'partner'
    )::integer as bookings`
  return counts!.calls === counts!.bookings
}

await settle()
await readLive()
await until(areCounted)
const before = await readLive()
smtp.received.length = 0
const made = await makeTestRows()

t.test(
  'live responses, counts, scorecards and rows are the same after much use of a test account',
  async (t) => {
    const after = await readLive()
    t.same(after.answers, before.answers)
    t.same(after.counted, before.counted)
    // Each sweep of a workflow stores its time.
    t.same({ ...after.rows, workflows: '' }, { ...before.rows, workflows: '' })
    t.same(after.scorecards, before.scorecards)
  },
)

t.test('no e-mail of a test account reaches the mail server; each is stored as a file', async (t) => {
  t.same(
    smtp.received.map(({ to }) => to),
    [],
  )
  const [sums] = await sql<{ sent: number }[]>`
    select count(*) as sent from emails where account_id = ${testId} and status = 'sent'`
  t.ok(sums!.sent > 0, 'there were e-mails')
  t.equal((await readdir(path.join(folder, 'outbox'))).length, sums!.sent)
})

t.test('a live key finds nothing of test mode, by any route that reads', async (t) => {
  for (const { route, status, body } of await askAll(live, made, isRead)) {
    t.ok(
      [200, 404, 422].includes(statusOf(route, { statusCode: status, body })),
      `${route} answers ${status}`,
    )
    t.notMatch(body, ofTest, `${route} shows nothing of test mode`)
    if (status < 300)
      t.notOk(body.includes(made.BookingReference), `${route} shows no reference of test mode`)
  }
})

t.test('a live key changes nothing of test mode by the ids of test rows', async (t) => {
  const rows = await fingerprint(sql, testId)
  const named = Object.entries(table).filter(([route]) =>
    /^(POST|PUT|PATCH|DELETE) .*:(BookingReference|BasketID|WaitlistID|TicketID|EmailID|ID)\b/.test(route),
  )
  for (const [route, access] of named) {
    const [method, pattern] = route.split(' ') as [Method, string]
    const names: Record<string, unknown> = { ...ids, ...made }
    const address = pattern.replace(/:(\w+)/g, (_, name) => String(names[name]))
    const { status } = await live(method, address, access.body)
    t.ok([404, 422].includes(status), `${route} answers ${status}`)
  }
  t.same(await fingerprint(sql, testId), rows)
})

t.test('a test key finds and changes nothing of live mode, by any route', async (t) => {
  const rows = await fingerprint(sql, accountId)
  for (const { route, status, body } of await askAll(test, {}, () => true)) {
    t.ok([200, 201, 404, 409, 422].includes(status), `${route} answers ${status}: ${body}`)
    t.notMatch(body, ofLive, `${route} shows nothing of live mode`)
    if (status < 300) t.notOk(body.includes(ids.BookingReference), `${route} shows no reference of live mode`)
  }
  t.same(await fingerprint(sql, accountId), rows)
})

t.test('commands work on a test account by its slug, and show nothing of the live one', async (t) => {
  const cli = (...args: string[]) => run({ DATABASE_URL: url, DATA_DIR: folder }, ...args)
  const account = ['--account', 'quay.test']
  const audited = await cli('bookings', 'audit', ...account)
  t.equal(audited.code, 0, audited.stderr)
  const days = ['--from', '2020-01-01', '--to', '2030-12-31']
  const totals = await cli('usage', 'audit', ...account, ...days)
  t.equal(totals.code, 0, totals.stderr)
  const exported = await cli('customers', 'export', ...account, '--email', tess.Email)
  t.match(exported.stdout, /Testperson/)
  const none = await cli('customers', 'export', ...account, '--email', 'ada@example.com')
  t.match(none.stdout, /"Bookings": \[\]/)
  const liveExport = await cli('customers', 'export', '--account', 'quay', '--email', tess.Email)
  t.match(liveExport.stdout, /"Bookings": \[\]/)
  const erasedLive = await cli('customers', 'erase', '--account', 'quay', '--email', grace.Email)
  t.match(erasedLive.stdout, /Test mode has its own data: --account quay\.test erases the customer there/)
  const erased = await cli('customers', 'erase', ...account, '--email', grace.Email, '--yes')
  t.equal(erased.code, 0, erased.stderr)
  t.notMatch(erased.stdout, /Test mode has its own data/)
  t.match((await cli('customers', 'export', ...account, '--email', grace.Email)).stdout, /"Bookings": \[\]/)
})

t.test('usage of a test account is listed, voided and summed separately', async (t) => {
  const days = 'from=2020-01-01&to=2030-12-31'
  const listed = await test('GET', `${usage}/entries?${days}`)
  t.match(listed.body, /sandbox-meter/)
  t.equal((await test('POST', `${usage}/entries/900001/void`, { Reason: 'sent twice' })).status, 200)
  t.equal((await live('POST', `${usage}/entries/900001/void`, { Reason: 'sent twice' })).status, 404)
  t.notMatch((await live('GET', `${usage}/meters?${days}`)).body, /sandbox-meter/)
})
