/** The transaction that makes bookings, under failures: lost connections, locks, refused data and expired holds. */
import t, { type Test } from 'tap'
import { openDatabase, type Sql, type Transaction } from '../../../src/platform/postgres/database.ts'
import { claimKeys } from '../../../src/platform/postgres/idempotency.ts'
import { reserve } from '../../../src/sales/booking/reservation.ts'
import { holdUntil, kinds, openSlot } from './attempts.ts'

const openOneSlot = (t: Test, capacity = 8) => openSlot(t, { '2030-06-15 10:00': capacity })

t.test('if the database refuses the data of one request, the rest of the batch is booked', async (t) => {
  const { sql, attempt, booked } = await openOneSlot(t)
  const poison = attempt({ answers: 'no JSON' })
  t.same(kinds(await reserve(sql, [attempt(), poison, attempt()])), ['made', 'error', 'made'])
  t.equal(await booked(), 2)
})

t.test('a request whose client has disconnected is not booked', async (t) => {
  const { sql, attempt, booked } = await openOneSlot(t)
  t.same(kinds(await reserve(sql, [attempt({ isAwaited: () => false }), attempt()])), ['error', 'made'])
  t.equal(await booked(), 1)
})

type Work = (tx: Transaction) => Promise<unknown>

/** Returns the pool with `begin` instead of its own begin(). */
function overBegin(sql: Sql, begin: (work: Work) => Promise<unknown>): Sql {
  return new Proxy(sql, {
    get: (target, property) => (property === 'begin' ? begin : Reflect.get(target, property)),
  })
}

/** Returns the pool; its first transaction commits, and then fails as if the connection had been lost. */
function losingItsFirstCommit(sql: Sql): Sql {
  let lost = false
  return overBegin(sql, async (work) => {
    await sql.begin(work)
    if (lost) return
    lost = true
    throw Object.assign(new Error('write CONNECTION_CLOSED'), { code: 'CONNECTION_CLOSED' })
  })
}

t.test('if the connection is lost during COMMIT, each booking is made once and is returned', async (t) => {
  const { sql, attempt, booked } = await openOneSlot(t, 3)
  const attempts = [attempt(), attempt(), attempt(), attempt()]
  const outcomes = await reserve(losingItsFirstCommit(sql), attempts)
  t.same(kinds(outcomes), ['made', 'made', 'made', 'refused'])
  t.match(outcomes[0], { booking: { BookingReference: attempts[0]!.reference }, replayed: false })
  t.equal(await booked(), 3)
})

t.test(
  'if the connection is lost during COMMIT, a request with an idempotency key is not marked as replayed',
  async (t) => {
    const { sql, attempt, accountId, booked } = await openOneSlot(t)
    const claim = { accountId, apiKeyId: 1, key: 'k1', bodyHash: Buffer.alloc(32) }
    const keyed = attempt({ claim })
    t.match(await reserve(losingItsFirstCommit(sql), [keyed]), [
      { kind: 'made', booking: { BookingReference: keyed.reference }, replayed: false },
    ])
    t.match(await reserve(sql, [attempt({ claim })]), [
      { kind: 'made', booking: { BookingReference: keyed.reference }, replayed: true },
    ])
    t.equal(await booked(), 1)
  },
)

t.test('if the connection is lost before COMMIT, a retry makes the booking', async (t) => {
  const { sql, attempt, booked } = await openOneSlot(t)
  let lost = false
  const losing = overBegin(sql, (work) =>
    sql.begin(async (tx) => {
      await work(tx)
      if (lost) return
      lost = true
      throw Object.assign(new Error('write CONNECTION_CLOSED'), { code: 'CONNECTION_CLOSED' })
    }),
  )
  t.same(kinds(await reserve(losing, [attempt()])), ['made'])
  t.equal(await booked(), 1)
})

t.test(
  'a booking whose commit got no response is recognised even while its timeslot is locked',
  async (t) => {
    const { sql, url, attempt, booked } = await openOneSlot(t, 3)
    const one = attempt()
    await reserve(sql, [one])
    one.mayBeMade = true
    const other = openDatabase(url, { poolSize: 1, applicationName: 'abs-test' })
    t.teardown(() => other.end())
    await other.begin(async (tx) => {
      await tx`select from timeslots for update`
      const outcomes = await reserve(sql, [one, attempt()])
      t.same(kinds(outcomes), ['made', 'set aside'])
      t.match(outcomes[0], { booking: { BookingReference: one.reference }, replayed: false })
    })
    t.equal(await booked(), 1)
  },
)

t.test('bookings that were made are returned even if a later transaction of the batch fails', async (t) => {
  const { sql, attempt, booked } = await openOneSlot(t)
  let begun = 0
  const goingAway = overBegin(sql, (work) =>
    ++begun > 2
      ? Promise.reject(Object.assign(new Error('down'), { code: 'ECONNREFUSED' }))
      : sql.begin(work),
  )
  const outcomes = await reserve(goingAway, [attempt(), attempt(), attempt({ answers: 'no JSON' })])
  t.same(kinds(outcomes), ['made', 'made', 'error'])
  t.equal(await booked(), 2)
})

t.test(
  'if a transaction fails because a booking reference is taken, the booking gets another one, and keeps its id',
  async (t) => {
    const { sql, attempt, accountId, booked } = await openOneSlot(t)
    const first = attempt()
    await reserve(sql, [first])
    const { reference } = first
    const claim = { accountId, apiKeyId: 1, key: 'k1', bodyHash: Buffer.alloc(32) }
    const twice = [attempt({ reference, claim }), attempt()]
    const outcomes = await reserve(sql, twice)
    t.same(kinds(outcomes), ['made', 'made'])
    t.not(twice[0]!.reference, reference)
    t.match(outcomes[0], { booking: { BookingReference: twice[0]!.reference } })
    t.same(
      (await sql`select id, reference from bookings order by id`).map((row) => ({ ...row })),
      [first, ...twice].map((made) => ({ id: made.id, reference: made.reference })),
    )
    t.equal(await booked(), 3)
  },
)

t.test('if PostgreSQL cannot be reached, every booking of the batch fails', async (t) => {
  const { sql, attempt, booked } = await openOneSlot(t)
  const down = Object.assign(new Error('down'), { code: 'ECONNREFUSED' })
  const broken = overBegin(sql, () => Promise.reject(down))
  t.match(await reserve(broken, [attempt(), attempt()]), [{ code: 'ECONNREFUSED' }, { code: 'ECONNREFUSED' }])
  t.equal(await booked(), 0)
})

t.test('a timeslot that another transaction has locked does not delay other timeslots', async (t) => {
  const { sql, url, accountId, attempt } = await openOneSlot(t)
  const [product] = await sql<{ id: number }[]>`select id from products`
  await sql`
    insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
    values (${accountId}, ${product!.id}, '2030-06-15', '11:00', '2030-06-15 11:00', 8)`
  const pool = openDatabase(url, { poolSize: 5, applicationName: 'abs-test', timeouts: 'job' })
  t.teardown(() => pool.end())
  await sql.begin(async (tx) => {
    await tx`select from timeslots where time = '10:00' for update`
    const outcomes = await reserve(pool, [attempt(), attempt({ time: '11:00' }), attempt()])
    t.same(kinds(outcomes), ['set aside', 'made', 'set aside'])
  })
})

t.test('a batch with a key that an earlier version of the service has locked is set aside', async (t) => {
  const { sql, url, accountId, attempt } = await openOneSlot(t)
  const longTimeouts = { connectMs: 60_000, silence: 60_000 }
  const pool = openDatabase(url, {
    ...longTimeouts,
    poolSize: 5,
    applicationName: 'abs-test',
    timeouts: 'request',
  })
  t.teardown(() => pool.end())
  const claim = { accountId, apiKeyId: 1, key: 'k1', bodyHash: Buffer.alloc(32) }
  await sql.begin(async (tx) => {
    await claimKeys(tx, 'booking.create', [claim])
    t.same(kinds(await reserve(pool, [attempt({ claim }), attempt()])), ['set aside', 'set aside'])
  })
})

t.test('expired holds make room for a booking; other holds do not', async (t) => {
  const { sql, attempt, booked } = await openOneSlot(t, 8)
  await holdUntil(sql, '2020-01-01', 3)
  await holdUntil(sql, '2130-01-01', 4)
  const statuses = async () =>
    (await sql`select status from bookings where channel = 'online' order by id`).map(({ status }) => status)
  t.same(kinds(await reserve(sql, [attempt()])), ['made'])
  t.same(await statuses(), ['held', 'held'], 'there was room without releasing the expired hold')
  const later = [attempt({ participants: 3 }), attempt()]
  t.same(
    kinds(await reserve(sql, later)),
    ['set aside', 'set aside'],
    'a batch leaves the release of holds to the lane of the timeslot',
  )
  t.same(kinds(await reserve(sql, later, { waitsFor: 'timeslot' })), ['made', 'refused'])
  t.same(await statuses(), ['expired', 'held'])
  t.equal(await booked(), 4)
})

t.test('the waitlist is offered the places of an expired hold before a booking gets them', async (t) => {
  const { sql, attempt, accountId, booked } = await openOneSlot(t, 3)
  await holdUntil(sql, '2020-01-01', 3)
  await sql`insert into baskets (account_id, id, status, channel) values (${accountId}, 1000000, 'waiting', 'online')`
  await sql`
    insert into bookings (unit_price_minor, currency, account_id, id, basket_id, timeslot_id, channel, status, reference, participants, answers)
    select 4500, 'EUR', account_id, 1000000, 1000000, id, 'online', 'waitlisted', 'WAITING', 2, '[]' from timeslots`
  await sql`
    insert into waitlist_entries (account_id, booking_id, timeslot_id) select account_id, 1000000, id from timeslots`
  const attempts = [attempt({ participants: 2 }), attempt()]
  t.same(kinds(await reserve(sql, attempts, { waitsFor: 'timeslot' })), ['refused', 'made'])
  t.same(await sql`select status from waitlist_entries`, [{ status: 'offered' }])
  t.same(await sql`select booked, held from timeslots`, [{ booked: 1, held: 2 }])
  t.equal(await booked(), 1)
})
