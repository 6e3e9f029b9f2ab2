/** The simulated responses of test mode, which the e-mail address of the customer selects. */
import t from 'tap'
import { problems } from '../../src/http/problems.ts'
import { createLogger } from '../../src/platform/process/logging.ts'
import { createSimulation } from '../../src/test-mode/simulating.ts'
import { bookingPath } from '../helper.ts'
import { makeTestPartner, partnerPath } from './quay.ts'

t.test('simulated responses', async (t) => {
  const world = await makeTestPartner(t)
  const { app, sql, live, test, ask, book, countTests } = world

  t.test(
    'sold-out answers 409 insufficient-capacity with the next timeslots, and books nothing',
    async (t) => {
      const { status, body } = await book(test, 'sold-out@simulated.test')
      t.equal(status, 409)
      t.match(body, {
        type: /\/problems\/insufficient-capacity$/,
        Available: 0,
        Alternatives: [
          { Date: '2030-06-15', Time: '12:00', Available: 2 },
          { Date: '2030-06-16', Time: '10:00', Available: 6 },
        ],
      })
      t.equal(await countTests(), 0)
    },
  )

  t.test('sold-out lists only timeslots with enough places for the party', async (t) => {
    const { body } = await book(test, 'sold-out@simulated.test', { Participants: 3 })
    t.same(body.Alternatives, [{ Date: '2030-06-16', Time: '10:00', Available: 6 }])
  })

  t.test('timeslot-closed answers 409 timeslot-unavailable with the next timeslots', async (t) => {
    const { status, body } = await book(test, 'timeslot-closed@simulated.test')
    t.equal(status, 409)
    t.match(body, { type: /\/problems\/timeslot-unavailable$/, Alternatives: [{ Time: '12:00' }, {}] })
    t.notOk('Available' in body)
    t.equal(await countTests(), 0)
  })

  t.test('product-gone answers 422 for ActivityID, like a product that is not known', async (t) => {
    const gone = await book(test, 'product-gone@simulated.test')
    const unknown = await book(test, 'ada@example.com', {
      ActivityID: 's_00000000-0000-4000-8000-000000000000',
    })
    t.equal(gone.status, 422)
    t.same(gone.body, unknown.body)
  })

  t.test('sold-out for an unknown product answers 422 for ActivityID, not the simulated 409', async (t) => {
    const changes = { ActivityID: 's_00000000-0000-4000-8000-000000000000' }
    const { status, body } = await book(test, 'sold-out@simulated.test', changes)
    t.equal(status, 422)
    t.match(body, { errors: [{ field: 'ActivityID' }] })
  })

  t.test('error answers 500 internal, and books nothing', async (t) => {
    const { status, body, headers } = await book(test, 'error@simulated.test')
    t.equal(status, 500)
    t.match(body, { type: /\/problems\/internal$/ })
    t.match(headers, { 'content-type': /^application\/problem\+json/, 'request-id': String })
    t.equal(await countTests(), 0)
  })

  t.test('unavailable answers 503 with Retry-After, and books nothing', async (t) => {
    const { status, body, headers } = await book(test, 'unavailable@simulated.test')
    t.equal(status, 503)
    t.match(body, { type: /\/problems\/unavailable$/ })
    t.equal(headers['retry-after'], '2')
    t.equal(await countTests(), 0)
  })

  t.test(
    'no simulated refusal or failure is stored for its Idempotency-Key, so a retry with another address books',
    async (t) => {
      const key = { ...test, 'idempotency-key': 'after-failures' }
      for (const name of ['sold-out', 'timeslot-closed', 'product-gone', 'error', 'unavailable'])
        t.ok((await book(key, `${name}@simulated.test`)).status >= 409, name)
      t.equal((await sql`select from idempotency_keys`).length, 0)
      t.equal((await book(key, 'grace@example.com', { Participants: 1 })).status, 201)
    },
  )

  t.test('an invalid request is refused as usual', async (t) => {
    const { status, body } = await book(test, 'error@simulated.test', { Participants: 0 })
    t.equal(status, 422)
    t.match(body, { errors: [{ field: 'Participants' }] })
  })

  t.test(
    'an unknown address at simulated.test is refused, and the error lists the known addresses',
    async (t) => {
      const { status, body } = await book(test, 'soldout@simulated.test')
      t.equal(status, 422)
      t.match(body, { errors: [{ field: 'Customer.Email', message: /sold-out@simulated\.test/ }] })
    },
  )

  t.test('answer-lost ends the connection; a retry and a look-up find the booking', async (t) => {
    const before = await countTests()
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    const send = () =>
      fetch(address + bookingPath, {
        method: 'POST',
        headers: { ...test, 'content-type': 'application/json', 'idempotency-key': 'lost' },
        body: JSON.stringify(world.bodyFor('answer-lost@simulated.test', { Date: '2030-06-16' })),
      })
    await t.rejects(send(), { cause: { code: 'UND_ERR_SOCKET' } })
    t.equal(await countTests(), before + 1)
    const again = await send()
    t.equal(again.status, 201)
    t.equal(again.headers.get('idempotency-replayed'), 'true')
    const { data } = (await again.json()) as { data: { BookingReference: string } }
    t.match(data, { Status: 'confirmed', TestMode: true })
    const found = await ask('GET', `${partnerPath}/booking/${data.BookingReference}`, test)
    t.equal(found.status, 200)
    t.equal(await countTests(), before + 1, 'booked once')
  })

  t.test('with a live key, these addresses have no effect', async (t) => {
    for (const name of ['sold-out', 'error', 'answer-lost', 'soldout'])
      t.equal((await book(live, `${name}@simulated.test`, { Participants: 1 })).status, 201, name)
  })

  t.test('simulated failures do not count as failures of the service', async (t) => {
    const { registry } = world.services.metrics
    const text = await registry.metrics()
    t.notMatch(text, /http_request_duration_seconds_count\{[^}]*status_code="50[03]"/)
    t.notMatch(text, /booking_operations_total\{[^}]*outcome="(internal|unavailable)"/)
  })

  t.test(
    'the requests of test mode count in the scorecard of the test account, and not in that of the live account',
    async (t) => {
      await app.close()
      const rows = await sql<{ outcome: string; calls: number }[]>`
      select outcome, sum(calls)::integer as calls from partner_calls
      where account_id = ${-world.accountId} and operation = 'book' group by outcome`
      const calls = new Map(rows.map((row) => [row.outcome, row.calls]))
      t.match(Object.fromEntries(calls), {
        'insufficient-capacity': 3,
        'timeslot-unavailable': 2,
        internal: 2,
        unavailable: 2,
        done: 2,
        replayed: 1,
      })
      const liveCalls = await sql`select outcome, sum(calls)::integer as calls from partner_calls
      where account_id = ${world.accountId} group by outcome`
      t.same(liveCalls, [{ outcome: 'done', calls: 4 }])
    },
  )
})

t.test('a request whose response is lost has a line in the log, without a status', async (t) => {
  const lines: string[] = []
  const log = createLogger('info', 'test', { write: (line) => lines.push(line) })
  const { app, test, bodyFor, accountId } = await makeTestPartner(t, { services: { log } })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const headers = { ...test, 'content-type': 'application/json', 'request-id': 'lost-one' }
  const body = JSON.stringify(bodyFor('answer-lost@simulated.test'))
  await t.rejects(fetch(address + bookingPath, { method: 'POST', headers, body }))
  const requests = lines.map((line) => JSON.parse(line)).filter(({ reqId }) => reqId === 'lost-one')
  t.match(requests, [
    { method: 'POST', route: bookingPath, status: null, accountId: -accountId, msg: 'request' },
  ])
})

t.test(
  'a slow booking waits five seconds, and at most ten of an account wait at the same time',
  async (t) => {
    const waits: { milliseconds: number; end: () => void }[] = []
    const simulate = createSimulation({
      noteLost: () => {},
      wait: (milliseconds) => new Promise<void>((end) => waits.push({ milliseconds, end })),
    })
    const ask = (accountId: number) => {
      const asked = {
        email: 'slow@simulated.test',
        field: 'Customer.Email',
        refusalOf: async () => problems.notFound(),
      }
      return simulate({ caller: { accountId } } as never, {} as never, asked)
    }
    const ten = Array.from({ length: 10 }, () => ask(-1))
    t.same(new Set(waits.map(({ milliseconds }) => milliseconds)), new Set([5000]))
    await t.rejects(ask(-1), problems.rateLimited(5), 'the eleventh is refused')
    const other = ask(-2)
    t.equal(waits.length, 11, 'a request of another account may wait too')
    for (const { end } of waits) end()
    t.same(
      new Set(await Promise.all([...ten, other])),
      new Set([null]),
      'after the wait, each request continues',
    )
    const next = ask(-1)
    waits.at(-1)!.end()
    t.equal(await next, null)
  },
)
