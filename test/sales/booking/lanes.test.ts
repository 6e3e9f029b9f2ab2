/**
 * Bookings whose timeslot or idempotency key another transaction has locked: they wait up to a limit, and do not
 * delay bookings of other operators.
 */
import t, { type Test } from 'tap'
import type { Caller } from '../../../src/accounts/service.ts'
import { findCaller } from '../../../src/accounts/service.ts'
import { openDatabase, type Sql, type Transaction } from '../../../src/platform/postgres/database.ts'
import { claimFreeKeys } from '../../../src/platform/postgres/idempotency.ts'
import { createBookingService } from '../../../src/sales/booking/service.ts'
import { bookingBody, bookingPath, buildOn, createDatabase, makeCaller, makeProduct } from '../../helper.ts'
import { until } from '../../until.ts'

const poolSize = 5
/** Longer than any test, so that bookings wait until the lock is released. */
const lockedMs = 600_000

type BookSettings = { time?: string; idempotencyKey?: string; isAwaited?: () => boolean }

/** Two operators, a service whose pool has five connections, and another session that locks rows. */
async function openTwoOperators(t: Test, slotsOfA: Record<string, number> = { '2030-06-15 10:00': 1 }) {
  const { sql, url } = await createDatabase(t)
  const pool = openDatabase(url, { poolSize, applicationName: 'abs-web', timeouts: 'job' })
  const service = createBookingService(pool, { lockedMs })
  t.teardown(() => pool.end())
  const open = async (slug: string, slots: Record<string, number>) => {
    const { accountId, token } = await makeCaller(sql, { slug })
    const caller = (await findCaller(sql, token)) as Caller
    const { activityId } = await makeProduct(sql, accountId, { slots })
    const book = ({ time = '10:00', idempotencyKey, isAwaited = () => true }: BookSettings = {}) => {
      const request = bookingBody(activityId, { Time: time, Participants: 1 }) as never
      return service.book({ caller, request, idempotencyKey, isAwaited }).then(
        ({ booking }) => booking.BookingReference,
        (error: Error) => error,
      )
    }
    return { caller, book }
  }
  const a = await open('troubled', slotsOfA)
  const b = await open('neighbour', { '2030-06-15 10:00': 100 })
  /** Runs `work` while another session has locked every timeslot of A. */
  const whileLocked = (work: () => Promise<unknown>) =>
    sql.begin(async (tx) => {
      await tx`select from timeslots where account_id = ${a.caller.accountId} for update`
      await work()
    })
  const countLockWaits = async () => {
    const [{ count }] = await sql<[{ count: number }]>`
      select count(*)::integer from pg_stat_activity
      where datname = current_database() and application_name = 'abs-web' and wait_event_type = 'Lock'`
    return count
  }
  const bookedOfA = async () => {
    const [{ sum }] = await sql<[{ sum: number }]>`
      select sum(booked)::integer from timeslots where account_id = ${a.caller.accountId}`
    return sum
  }
  return { sql, pool, service, a, b, whileLocked, countLockWaits, bookedOfA }
}

const isReference = (answer: string | Error) => typeof answer === 'string'

t.test('a locked timeslot does not delay bookings of another operator', async (t) => {
  const { a, b, whileLocked } = await openTwoOperators(t)
  let ofA: Promise<string | Error> | undefined
  let isAnswered = false
  await whileLocked(async () => {
    ofA = a.book().finally(() => {
      isAnswered = true
    })
    for (let round = 0; round < 20; round++) t.ok(isReference(await b.book()))
    t.equal(isAnswered, false, 'the request for the locked timeslot still waits')
  })
  t.ok(isReference((await ofA)!), 'the request is booked when the lock is released')
})

t.test('the first request for a locked timeslot is served first', async (t) => {
  const { a, b, whileLocked, countLockWaits } = await openTwoOperators(t)
  let answers: Promise<(string | Error)[]> | undefined
  await whileLocked(async () => {
    const first = a.book()
    await until(async () => (await countLockWaits()) > 0)
    answers = Promise.all([first, a.book(), a.book()])
    t.ok(isReference(await b.book()))
  })
  t.same((await answers)!.map(isReference), [true, false, false])
})

t.test('while 150 timeslots of one operator are locked, bookings of another operator are made', async (t) => {
  const minutes = Array.from({ length: 150 }, (_, index) => [Math.floor(index / 60) + 8, index % 60])
  const times = minutes.map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))
  const slots = Object.fromEntries(times.map((time) => [`2030-06-15 ${time}`, 1]))
  const { pool, a, b, whileLocked, countLockWaits, bookedOfA } = await openTwoOperators(t, slots)
  let ofA: Promise<(string | Error)[]> | undefined
  await whileLocked(async () => {
    ofA = Promise.all(times.map((time) => a.book({ time })))
    await until(async () => (await countLockWaits()) > 0)
    const ofB = await Promise.all(Array.from({ length: 40 }, () => b.book()))
    t.ok(ofB.every(isReference), 'all 40 bookings of the neighbour are made')
    const queries = await Promise.all(Array.from({ length: 40 }, () => pool`select 1 as one`))
    t.equal(queries.length, 40, '40 queries of the same service get a connection')
    t.ok((await countLockWaits()) <= 1, 'at most one connection waits for the locks of one operator')
  })
  t.ok((await ofA)!.every(isReference))
  t.equal(await bookedOfA(), 150)
})

t.test('a request whose client disconnects while its timeslot is locked makes no booking', async (t) => {
  const { a, whileLocked, countLockWaits, bookedOfA } = await openTwoOperators(t, { '2030-06-15 10:00': 2 })
  let isConnected = true
  let answers: Promise<(string | Error)[]> | undefined
  await whileLocked(async () => {
    answers = Promise.all([a.book({ isAwaited: () => isConnected }), a.book()])
    await until(async () => (await countLockWaits()) > 0)
    isConnected = false
  })
  t.same((await answers)!.map(isReference), [false, true])
  t.equal(await bookedOfA(), 1)
})

t.test('a request whose client disconnects while it waits for a connection makes no booking', async (t) => {
  const { pool, a, bookedOfA } = await openTwoOperators(t)
  // This request is refused, but it draws a block of ids. So the next booking needs no connection to draw its id.
  await a.book({ time: '23:59' })
  let isConnected = true
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const busy = Array.from({ length: poolSize }, () => pool.begin(() => released))
  const answer = a.book({ isAwaited: () => isConnected })
  await until(() => (pool as unknown as { pool(): { waiting: number } }).pool().waiting > 0)
  isConnected = false
  release()
  await Promise.all(busy)
  t.notOk(isReference(await answer))
  t.equal(await bookedOfA(), 0)
})

t.test('a locked idempotency key delays only requests of its caller with that key', async (t) => {
  const { sql, a, b, bookedOfA } = await openTwoOperators(t, { '2030-06-15 10:00': 8 })
  const { accountId, keyId: apiKeyId } = a.caller
  const claim = { accountId, apiKeyId, key: 'held', bodyHash: Buffer.alloc(32) }
  let held: Promise<string | Error> | undefined
  let isAnswered = false
  await sql.begin(async (tx: Transaction) => {
    await claimFreeKeys(tx, 'booking.create', [claim], { wait: false })
    held = a.book({ idempotencyKey: 'held' }).finally(() => {
      isAnswered = true
    })
    t.ok(isReference(await a.book({ idempotencyKey: 'free' })), 'the same timeslot is sold under another key')
    t.ok(
      isReference(await b.book({ idempotencyKey: 'held' })),
      'the same text is a different key for another caller',
    )
    t.equal(isAnswered, false)
    await tx`delete from idempotency_keys where key = 'held' and account_id = ${accountId}`
  })
  t.ok(isReference((await held)!), 'the request continues when the key is released')
  t.equal(await bookedOfA(), 2)
})

t.test('requests with one key for a locked timeslot make one booking', async (t) => {
  const { a, whileLocked, countLockWaits, bookedOfA } = await openTwoOperators(t, { '2030-06-15 10:00': 8 })
  let answers: Promise<(string | Error)[]> | undefined
  await whileLocked(async () => {
    const first = a.book({ idempotencyKey: 'one' })
    await until(async () => (await countLockWaits()) > 0)
    answers = Promise.all([first, a.book({ idempotencyKey: 'one' }), a.book({ idempotencyKey: 'one' })])
  })
  t.equal(new Set(await answers).size, 1)
  t.ok(isReference((await answers)![0]!))
  t.equal(await bookedOfA(), 1)
})

t.test('a request for a timeslot that stays locked gets 503, and makes no booking later', async (t) => {
  const { sql, url } = await createDatabase(t)
  const pool = openDatabase(url, { poolSize, applicationName: 'abs-web', timeouts: 'job' })
  t.teardown(() => pool.end())
  const { app } = await buildOn(t, url, {}, 'test', { bookings: createBookingService(pool) })
  const { accountId, headers } = await makeCaller(sql)
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 8 } })
  const book = () =>
    app.inject({ method: 'POST', url: bookingPath, headers, payload: bookingBody(activityId) })
  await sql.begin(async (tx: Sql | Transaction) => {
    await tx`select from timeslots for update`
    const answer = await book()
    t.equal(answer.statusCode, 503)
    t.match(answer.headers['retry-after'], /^\d+$/)
    t.match(answer.json(), { type: /unavailable$/, detail: /timeslot is being changed/ })
  })
  const after = await book()
  t.equal(after.statusCode, 201)
  t.same(await sql`select booked from timeslots`, [{ booked: after.json().data.Participants }])
})
