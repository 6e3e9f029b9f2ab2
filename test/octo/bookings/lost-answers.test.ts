/** When the response to a COMMIT is lost, a retry of the request must find what was committed. */
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { openDatabase, type Sql, type Transaction } from '../../../src/platform/postgres/database.ts'
import { listCounterDifferences } from '../../../src/reports/sales-audit/queries.ts'
import { createBookingService } from '../../../src/sales/booking/service.ts'
import { createReservations } from '../../../src/sales/reservation/service.ts'
import { buildOn } from '../../helper.ts'
import { morning, type OctoAnswer, openReseller } from './fixtures.ts'

type Work = (tx: Transaction) => Promise<unknown>

const lost = Object.assign(new Error('write CONNECTION_CLOSED'), { code: 'CONNECTION_CLOSED' })
const down = Object.assign(new Error('down'), { code: 'ECONNREFUSED' })

/**
 * A pool whose next commit after `loseNextCommit()` gets no response. With `processDies`, all later queries fail too,
 * as after the death of the process.
 */
function losingCommits(sql: Sql, processDies: boolean) {
  let state: 'whole' | 'losing' | 'gone' = 'whole'
  const begin = async (work: Work) => {
    if (state === 'gone') throw down
    const result = await sql.begin(work)
    if (state !== 'losing') return result
    state = processDies ? 'gone' : 'whole'
    throw lost
  }
  const pool = new Proxy(sql, {
    get: (target, property) => (property === 'begin' ? begin : Reflect.get(target, property)),
    apply(target, self, given) {
      if (state === 'gone') throw down
      return Reflect.apply(target as never, self, given)
    },
  })
  return { pool, loseNextCommit: () => (state = 'losing') }
}

/** A web process whose commits can lose their response, and another web process on the same database. */
async function openApplications(t: Test, processDies: boolean) {
  const reseller = await openReseller(t)
  const { url, sql, accountId, headers, order } = reseller
  const own = openDatabase(url, { poolSize: 5, applicationName: 'abs-test' })
  t.teardown(() => own.end())
  const { pool, loseNextCommit } = losingCommits(own, processDies)
  const reservations = createReservations(pool, { bookings: createBookingService(pool) })
  const { app } = await buildOn(t, url, {}, 'test', { reservations })
  /** Sends a request to the web process whose commits can lose their response. */
  const ask = async (path: string, payload: object, method: 'POST' | 'PATCH' = 'POST') => {
    const answer = await app.inject({ method, url: `/octo/bookings${path}`, headers, payload })
    return { status: answer.statusCode, body: answer.json() as OctoAnswer & { error?: string } }
  }
  /** The state of the database: places, statuses of bookings, events, and differences of the counters. */
  const outcome = async () => {
    const [slot] = await sql`select booked, held from timeslots where time = '10:00'`
    const bookings = await sql<{ status: string }[]>`select status from bookings`
    const events = await sql<{ type: string }[]>`
      select type from events where type in ('booking.held', 'booking.confirmed', 'booking.cancelled') order by id`
    return {
      places: `${slot!.booked}+${slot!.held}`,
      bookings: bookings.map(({ status }) => status),
      events: events.map(({ type }) => type),
      differences: await listCounterDifferences(sql, accountId),
    }
  }
  return { ...reseller, ask, loseNextCommit, outcome, asked: order({ uuid: randomUUID() }) }
}

const held = { places: '0+2', bookings: ['held'], events: ['booking.held'], differences: [] }
const sold = {
  places: '2+0',
  bookings: ['confirmed'],
  events: ['booking.held', 'booking.confirmed'],
  differences: [],
}

t.test(
  'if a web process loses PostgreSQL after it has reserved, a retry at another one gets that booking',
  async (t) => {
    const { asked, ask, loseNextCommit, get, outcome } = await openApplications(t, true)
    loseNextCommit()
    t.match(await ask('', asked), { status: 503, body: { error: 'INTERNAL_SERVER_ERROR' } })
    t.same(await outcome(), held)
    t.match(await get('POST', '/bookings', asked), {
      uuid: asked.uuid,
      status: 'ON_HOLD',
      availabilityId: morning,
    })
    t.same(await outcome(), held)
  },
)

t.test(
  'if a web process loses PostgreSQL after it has confirmed, a retry at another one gets the confirmed booking',
  async (t) => {
    const { asked, ask, loseNextCommit, confirm, outcome } = await openApplications(t, true)
    const { uuid } = asked
    t.equal((await ask('', asked)).status, 200)
    loseNextCommit()
    const body = { contact: { fullName: 'Ada Lovelace' }, resellerReference: 'OTA-1' }
    t.match(await ask(`/${uuid}/confirm`, body), { status: 503, body: { error: 'INTERNAL_SERVER_ERROR' } })
    t.same(await outcome(), sold)
    t.match(await confirm(uuid, body), { status: 'CONFIRMED', resellerReference: 'OTA-1' })
    t.same(await outcome(), sold)
  },
)

t.test(
  'a reservation or confirmation gets its normal response, although its connection broke during COMMIT',
  async (t) => {
    const { asked, ask, loseNextCommit, outcome } = await openApplications(t, false)
    loseNextCommit()
    t.match(await ask('', asked), { status: 200, body: { status: 'ON_HOLD' } })
    t.same(await outcome(), held)
    loseNextCommit()
    t.match(await ask(`/${asked.uuid}/confirm`, {}), { status: 200, body: { status: 'CONFIRMED' } })
    t.same(await outcome(), sold)
  },
)

t.test(
  'a change whose connection breaks during COMMIT is made once, even if the request is repeated',
  async (t) => {
    const { asked, ask, loseNextCommit, outcome, read } = await openApplications(t, false)
    const { uuid } = asked
    const twice = async (...request: Parameters<typeof ask>) => {
      loseNextCommit()
      t.match(await ask(...request), { status: 503, body: { error: 'INTERNAL_SERVER_ERROR' } })
      return ask(...request)
    }
    await ask('', asked)
    const three = [{ unitId: '0' }, { unitId: '0' }, { unitId: '0' }]
    t.match(await twice(`/${uuid}`, { unitItems: three }, 'PATCH'), {
      status: 200,
      body: { status: 'ON_HOLD', unitItems: [{}, {}, {}] },
    })
    t.match(await outcome(), { places: '0+3', differences: [] })
    const unitItems = (await read(uuid)).unitItems.slice(1).map((item) => ({ uuid: item.uuid }))
    t.match(await twice(`/${uuid}/confirm`, { unitItems }), { status: 200, body: { status: 'CONFIRMED' } })
    t.match(await outcome(), { places: '2+0', bookings: ['confirmed'], differences: [] })
    t.match(await twice(`/${uuid}/cancel`, {}), { status: 200, body: { status: 'CANCELLED' } })
    const { places, events } = await outcome()
    t.equal(places, '0+0')
    for (const type of ['booking.confirmed', 'booking.cancelled'])
      t.equal(events.filter((event) => event === type).length, 1, type)
  },
)
