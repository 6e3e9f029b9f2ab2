/** A partner's access to its own bookings: reading, cancelling and the change feed; and no access to other bookings. */
import t, { type Test } from 'tap'
import { theService } from '../../../src/events/actor.ts'
import { appendEvents } from '../../../src/events/append.ts'
import { bookingEvent } from '../../../src/inventory/service.ts'
import { move } from '../../../src/sales/booking/changes/moving.ts'
import { clockAt } from '../../clock.ts'
import { bookingPath, makeCaller } from '../../helper.ts'
import { pumpEvents } from '../../pump.ts'
import { until } from '../../until.ts'
import { makeBasket, openDesk } from './fixtures.ts'

type Booking = { BookingReference: string; Status: string; Participants: number }
type Booked = { id: number; basketId: number; timeslotId: number; partnerId: number; channel: 'partner' }
type Page = { bookings: Booking[]; next: string }

async function openPartner(t: Test, settings: Parameters<typeof openDesk>[1] = {}) {
  const desk = await openDesk(t, settings)
  const { app, partner } = desk
  const see = (path: string, { headers } = partner) => app.inject({ url: bookingPath + path, headers })
  const cancel = (reference: string, { headers } = partner, more: object = {}) =>
    app.inject({
      method: 'POST',
      url: `${bookingPath}/${reference}/cancel`,
      headers: { ...headers, ...more },
    })
  /** A page of the change feed, and the query of the next page. */
  async function page(query: string, caller = partner): Promise<Page> {
    await pumpEvents(desk.sql)
    const answer = await see(query, caller)
    if (answer.statusCode !== 200) throw new Error(answer.body)
    const next = /^<http:\/\/booking\.test\/api\/v2\/ota\/marketplace\/booking(.*)>; rel="next"$/
    return { bookings: answer.json().data, next: next.exec(String(answer.headers.link))![1]! }
  }
  /** Reads pages until `count` bookings have come, or a page is empty. */
  async function follow(query: string, count: number, caller = partner): Promise<Page> {
    const bookings: Booking[] = []
    let next = query
    while (bookings.length < count) {
      const one = await page(next, caller)
      if (one.bookings.length === 0) break
      bookings.push(...one.bookings)
      next = one.next
    }
    return { bookings, next }
  }
  return { ...desk, see, cancel, page, follow }
}

const references = (bookings: Booking[]) => bookings.map(({ BookingReference }) => BookingReference)

t.test('a partner reads its booking, with later changes by the operator', async (t) => {
  const { book, see, act, product } = await openPartner(t)
  const reference = await book({ PaymentReference: 'OTA-1' })
  const before = (await see(`/${reference}`)).json().data
  t.strictSame(before, {
    BookingReference: reference,
    Status: 'confirmed',
    ActivityID: product.activityId,
    Date: '2030-06-15',
    Time: '10:00',
    Participants: 2,
    Units: [
      {
        ...{ UnitID: 0, Name: 'Person', Type: 'PERSON', Quantity: 2 },
        UnitPrice: { Amount: '45.00', Currency: 'EUR' },
      },
    ],
    Total: { Amount: '90.00', Currency: 'EUR' },
    PaymentReference: 'OTA-1',
    CreatedAt: before.CreatedAt,
    UpdatedAt: before.CreatedAt,
    CancelledAt: null,
    CancelReason: null,
    Refund: null,
    Owed: null,
    Attendance: null,
  })
  await act(reference, 'move', { Date: '2030-06-15', Time: '14:00' })
  await act(reference, 'cancel')
  t.match((await see(`/${reference}`)).json().data, {
    Time: '14:00',
    Status: 'cancelled',
    CancelReason: 'operator',
    CancelledAt: /Z$/,
  })
})

t.test(
  'reading or cancelling a booking of another caller gets the same 404 as an unknown booking',
  async (t) => {
    const { book, see, cancel, sql, accountId, slotId, partner, taken } = await openPartner(t)
    const second = await makeCaller(sql, { partner: 'Second' })
    const none = await makeCaller(sql)
    const foreign = await makeCaller(sql, { slug: 'other', partner: 'Tours Online' })
    const timeslotId = await slotId('2030-06-16', '10:00')
    const [online] = await makeBasket(sql, accountId, [{ timeslotId, status: 'confirmed' }])
    const mine = await book()
    const theirs = await book({}, none)
    const hidden: [string, typeof partner][] = [
      [mine, second],
      [mine, none],
      [mine, foreign],
      [theirs, partner],
      [theirs, foreign],
      [online!, partner],
      [online!, none],
      ['2222222222', partner],
    ]
    const problems = new Set<string>()
    for (const [reference, caller] of hidden) {
      for (const answer of [await see(`/${reference}`, caller), await cancel(reference, caller)]) {
        t.equal(answer.statusCode, 404)
        const { instance, ...rest } = answer.json()
        problems.add(JSON.stringify(rest))
      }
    }
    t.equal(problems.size, 1)
    t.match(await taken(), { '2030-06-15 10:00': '4+0', '2030-06-16 10:00': '1+0' })
    t.equal((await see(`/${theirs}`, none)).statusCode, 200)
  },
)

t.test('403 refuses a key without the scope ota', async (t) => {
  const { see, cancel, operator } = await openPartner(t)
  for (const answer of [await see('', operator), await see('/x', operator), await cancel('x', operator)]) {
    t.equal(answer.statusCode, 403)
  }
})

t.test(
  'a repeated cancellation by a partner gets the first response, and frees the places once',
  async (t) => {
    const { book, cancel, history, taken } = await openPartner(t)
    const reference = await book()
    const first = await cancel(reference)
    t.equal(first.statusCode, 200)
    t.match(first.json().data, { Status: 'cancelled', CancelReason: 'partner' })
    const [second, third] = await Promise.all([cancel(reference), cancel(reference)])
    t.same(second.json(), first.json())
    t.same(third.json(), first.json())
    t.match(await taken(), { '2030-06-15 10:00': '0+0' })
    const changes = await history(reference)
    t.match(changes, [{}, { Action: 'cancelled', Actor: { Kind: 'key', Name: 'Tours Online' } }])
    t.equal(changes.length, 2)
  },
)

t.test(
  'a cancellation is replayed for its idempotency key, which is refused for another booking',
  async (t) => {
    const { book, cancel, partner } = await openPartner(t)
    const [one, other] = [await book(), await book()]
    const key = { 'idempotency-key': 'k' }
    t.notOk((await cancel(one, partner, key)).headers['idempotency-replayed'])
    t.equal((await cancel(one, partner, key)).headers['idempotency-replayed'], 'true')
    t.match((await cancel(other, partner, key)).json(), { status: 422, type: /idempotency-key-reused$/ })
  },
)

t.test(
  '409 cutoff-passed answers a partner’s cancellation after the cut-off, or after the timeslot has begun',
  async (t) => {
    const { book, cancel, sql } = await openPartner(t, clockAt('2030-06-15T07:30:00Z'))
    const reference = await book()
    await sql`update products set cancel_cutoff_minutes = 120`
    const late = await cancel(reference)
    t.equal(late.statusCode, 409)
    t.match(late.json(), { type: /cutoff-passed$/, CancelBy: '2030-06-15T07:00:00.000Z' })
    await sql`update products set cancel_cutoff_minutes = 0`
    await sql`update timeslots set starts_at = '2030-06-15 07:29Z' where time = '10:00'`
    t.equal((await cancel(reference)).statusCode, 409)
    await sql`update timeslots set starts_at = '2030-06-15 09:00Z' where time = '10:00'`
    t.equal((await cancel(reference)).statusCode, 200)
  },
)

t.test('409 booking-not-changeable answers the cancellation of an expired booking', async (t) => {
  const { book, cancel, sql } = await openPartner(t)
  const reference = await book()
  await sql`update bookings set status = 'expired'`
  t.match((await cancel(reference)).json(), { type: /booking-not-changeable$/, Status: 'expired' })
})

t.test('bookings are found by their PaymentReference as soon as they are made, page by page', async (t) => {
  const { book, see, sql } = await openPartner(t)
  const second = await makeCaller(sql, { partner: 'Second' })
  const made: string[] = []
  for (let number = 0; number < 3; number++)
    made.unshift(await book({ PaymentReference: 'P&1', Participants: 1 }))
  await book({ PaymentReference: 'P&2' })
  await book({ PaymentReference: 'P&1' }, second)
  const path = `?PaymentReference=${encodeURIComponent('P&1')}`
  // The bookings are also found while another transaction that may write is open.
  await sql.begin(async (tx) => {
    await tx`select pg_current_xact_id()`
    const whole = await see(path)
    t.same(references(whole.json().data), made)
    t.notOk(whole.headers.link)
  })
  const first = await see(`${path}&Limit=2`)
  t.same(references(first.json().data), made.slice(0, 2))
  const next = /booking(\?.*)>/.exec(String(first.headers.link))![1]!
  t.same(references((await see(next)).json().data), made.slice(2))
})

t.test(
  'the feed has each booking in its current state, in the order of changes, and always a next page',
  async (t) => {
    const { book, follow, page, act, sql } = await openPartner(t)
    const second = await makeCaller(sql, { partner: 'Second' })
    const made: string[] = []
    for (let number = 0; number < 3; number++) made.push(await book({ Participants: 1 }))
    await book({}, second)
    const whole = await follow('?Limit=2', 3)
    t.same(references(whole.bookings), made)
    const nothing = await page(whole.next)
    t.same(nothing.bookings, [])
    await act(made[1]!, 'amend', { Participants: 2 })
    await act(made[0]!, 'cancel')
    await act(made[1]!, 'amend', { Participants: 3 })
    const changed = await follow(nothing.next, 2)
    t.match(changed.bookings, [
      { BookingReference: made[0], Status: 'cancelled' },
      { BookingReference: made[1], Participants: 3 },
    ])
    t.same((await page(changed.next)).bookings, [])
  },
)

t.test('the feed of a key without a partner has only bookings that such keys have made', async (t) => {
  const { book, follow, page, sql, accountId, slotId } = await openPartner(t)
  const none = await makeCaller(sql)
  const timeslotId = await slotId('2030-06-16', '10:00')
  await book()
  await makeBasket(sql, accountId, [{ timeslotId, status: 'confirmed' }])
  const mine = await book({}, none)
  const { bookings, next } = await follow('?Limit=10', 1, none)
  t.same(references(bookings), [mine])
  t.same((await page(next, none)).bookings, [])
})

t.test('UpdatedSince begins the feed at the first change since then', async (t) => {
  const { book, follow, page, sql } = await openPartner(t)
  const old = await book()
  const recent = await book()
  await sql`
    update events set occurred_at = '2026-01-01 00:00Z' from bookings
    where reference = ${old} and bookings.id = booking_id`
  const [row] = await sql<{ at: Date }[]>`select updated_at as at from bookings where reference = ${recent}`
  const since = (at: Date) => `?UpdatedSince=${at.toISOString()}&Limit=5`
  t.same(references((await follow('', 2)).bookings), [old, recent])
  const { bookings, next } = await page(since(row!.at))
  t.same(references(bookings), [recent])
  t.same(references((await page('?UpdatedSince=2025-12-31T22:00:00-05:00')).bookings), [recent])
  t.same(references((await page('?UpdatedSince=0000-01-01T00:00:00Z')).bookings), [old, recent])
  t.same((await page(next)).bookings, [], 'the next page begins after that change')
  const later = await page('?UpdatedSince=9999-12-31T23:59:59Z')
  t.same(later.bookings, [])
  const third = await book()
  t.same(references((await follow(later.next, 1)).bookings), [third])
})

t.test('422 names the failing field of a list', async (t) => {
  const { see } = await openPartner(t)
  const cases: [string, string][] = [
    ['UpdatedSince=yesterday', 'UpdatedSince'],
    ['UpdatedSince=2027-06-12', 'UpdatedSince'],
    ['UpdatedSince=2027-06-12T10:00:00', 'UpdatedSince'],
    ['UpdatedSince=2016-12-31T23:59:60Z', 'UpdatedSince'],
    ['PaymentReference=x&UpdatedSince=2027-06-12T10:00:00Z', 'UpdatedSince'],
    [`PaymentReference=${'x'.repeat(256)}`, 'PaymentReference'],
    ['Cursor=nonsense', 'Cursor'],
    ['PaymentReference=x&Cursor=nonsense', 'Cursor'],
    ['Limit=0', 'Limit'],
    ['Limit=501', 'Limit'],
  ]
  for (const [query, field] of cases) {
    const answer = await see(`?${query}`)
    t.equal(answer.statusCode, 422, query)
    t.match(answer.json().errors, [{ field }])
  }
  const farthest = Buffer.from(`["log",1,${Number.MAX_SAFE_INTEGER}]`).toString('base64url')
  t.equal((await see(`?Cursor=${farthest}`)).statusCode, 200)
})

t.test(
  'a change that commits after a page was read is on the next page, and does not delay other changes',
  async (t) => {
    const { book, act, follow, page, sql, accountId } = await openPartner(t)
    const slow = await book()
    const quick = await book({ Time: '14:00' })
    const start = (await follow('', 2)).next
    let beside: Page | undefined
    await sql.begin(async (tx) => {
      const target = { activityId: null, date: '2030-06-16', time: '10:00', party: null }
      await move(tx, { accountId, reference: slow, actor: theService }, target)
      t.equal((await act(quick, 'attendance', { Attendance: 'checked-in' })).statusCode, 200)
      beside = await page(start)
      t.same(references(beside.bookings), [quick])
    })
    const after = await follow(beside!.next, 1)
    t.same(references(after.bookings), [slow])
  },
)

t.test(
  'a reader of the feed gets the final state of each booking after many concurrent changes',
  async (t) => {
    const { book, page, sql, see, act, accountId } = await openPartner(t)
    await sql`update timeslots set capacity = 100`
    const made: string[] = []
    for (let number = 0; number < 6; number++) made.push(await book({ Participants: 1 }))
    let writing = true
    const known = new Map<string, Booking>()
    const reading = (async () => {
      let next = '?Limit=2'
      while (true) {
        // The flag is read before the page, so that the last page begins after the last change.
        const isLast = !writing
        const one = await page(next)
        for (const booking of one.bookings) known.set(booking.BookingReference, booking)
        next = one.next
        if (isLast && one.bookings.length === 0) return next
      }
    })()
    const write = async (reference: string, index: number) => {
      for (let round = 2; round < 8; round++) await act(reference, 'amend', { Participants: round })
      if (index % 2 === 0) await act(reference, 'cancel')
    }
    // These transactions take the IDs of their events early and commit late.
    const linger = async (reference: string) => {
      for (let round = 0; round < 8; round++) {
        await sql.begin(async (tx) => {
          const [booking] = await tx<Booked[]>`
          update bookings set payment_reference = ${`late ${round}`}, updated_at = now()
          where reference = ${reference}
          returning id, basket_id as "basketId", timeslot_id as "timeslotId", partner_id as "partnerId", channel`
          const by = { accountId, actor: theService }
          await appendEvents(tx, [bookingEvent(by, booking!, { action: 'customer-changed' })])
          await tx`select pg_sleep(random() * 0.03)`
        })
      }
    }
    await Promise.all([...made.map(write), ...made.slice(0, 3).map(linger)])
    writing = false
    let next = await reading
    const isRead = async () => {
      const one = await page(next)
      for (const booking of one.bookings) known.set(booking.BookingReference, booking)
      next = one.next
      const states = await Promise.all(made.map(async (one) => (await see(`/${one}`)).json().data))
      return states.every(
        (state) => JSON.stringify(known.get(state.BookingReference)) === JSON.stringify(state),
      )
    }
    await until(isRead)
    t.equal(known.size, 6)
  },
)
