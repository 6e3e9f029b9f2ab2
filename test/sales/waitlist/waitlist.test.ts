import t, { type Test } from 'tap'
import { sweepExpiredHolds } from '../../../src/inventory/expiry.ts'
import { changeBookings, lockPlaces } from '../../../src/inventory/service.ts'
import { openDatabase, type Sql } from '../../../src/platform/postgres/database.ts'
import { bookingBody, bookingPath, build, makeCaller, makeProduct } from '../../helper.ts'
import { pumpEvents } from '../../pump.ts'

const path = '/api/v2/operator/waitlist'
const slot = '2030-06-15 10:00'

/** A timeslot of four places, which a partner has booked for two parties of two. */
async function makeFull(t: Test) {
  const built = await build(t)
  const { app, sql } = built
  const { accountId, headers } = await makeCaller(sql, { scopes: ['operator'] })
  const partner = await makeCaller(sql, { partner: 'Viator' })
  const { activityId } = await makeProduct(sql, accountId, { slots: { [slot]: 4 } })
  for (const _ of [1, 2]) {
    const answer = await app.inject({
      method: 'POST',
      url: bookingPath,
      headers: partner.headers,
      payload: bookingBody(activityId),
    })
    if (answer.statusCode !== 201) throw new Error(answer.body)
  }
  const join = (changes: Record<string, unknown> = {}, more: object = {}) =>
    app.inject({
      method: 'POST',
      url: path,
      headers: { ...headers, ...more },
      payload: bookingBody(activityId, changes),
    })
  const act = (id: number, action: string) =>
    app.inject({ method: 'POST', url: `${path}/${id}/${action}`, headers })
  const read = async (id: number) => (await app.inject({ url: `${path}/${id}`, headers })).json().data
  return { ...built, accountId, headers, partner, activityId, join, act, read }
}

/** Cancels `count` bookings of the partner, each in its own transaction. */
async function cancelBookings(sql: Sql, accountId: number, count: number): Promise<void> {
  const found = await sql<{ id: number; timeslotId: number; basketId: number }[]>`
    select id, timeslot_id as "timeslotId", basket_id as "basketId" from bookings
    where channel = 'partner' and status = 'confirmed' order by id limit ${count}`
  await Promise.all(
    found.map(({ id, timeslotId, basketId }) =>
      sql.begin(async (tx) => {
        const { bookings } = await lockPlaces(tx, accountId, {
          timeslotIds: [timeslotId],
          basketIds: [basketId],
          bookingIds: [id],
        })
        const change = {
          booking: bookings.get(id)!,
          action: 'cancelled',
          to: { status: 'cancelled' },
        } as const
        await changeBookings(tx, { kind: 'service' }, [{ ...change, cancelReason: 'operator' }])
      }),
    ),
  )
}

/** Returns a pool whose clock is ahead of the real one by `offset`. */
function inTheFuture(t: Test, url: string, offset: string): Sql {
  const ahead = new URL(url)
  ahead.searchParams.set('app.clock_offset', offset)
  const sql = openDatabase(ahead.href, { poolSize: 2, applicationName: 'abs-test' })
  t.teardown(() => sql.end())
  return sql
}

t.test('joining the waitlist', async (t) => {
  t.test('returns 201 with a booking that is waitlisted and takes no places', async (t) => {
    const { join, sql } = await makeFull(t)
    const answer = await join()
    t.equal(answer.statusCode, 201)
    t.match(answer.json().data, {
      Status: 'waiting',
      BookingStatus: 'waitlisted',
      Ahead: 0,
      OfferUntil: null,
    })
    const [counters] = await sql`select booked, held from timeslots`
    t.same(counters, { booked: 4, held: 0 })
    const [booking] = await sql`select id, status from bookings where status = 'waitlisted'`
    t.equal(answer.json().data.MultiBookingID, booking!.id)
  })

  t.test('returns the number of parties ahead', async (t) => {
    const { join } = await makeFull(t)
    await join()
    t.equal((await join()).json().data.Ahead, 1)
  })

  t.test('makes one entry for each Idempotency-Key', async (t) => {
    const { join, sql } = await makeFull(t)
    const first = await join({}, { 'idempotency-key': 'one' })
    const again = await join({}, { 'idempotency-key': 'one' })
    t.same(again.json(), first.json())
    t.equal(again.headers['idempotency-replayed'], 'true')
    t.equal((await join({ Participants: 1 }, { 'idempotency-key': 'one' })).statusCode, 422)
    t.same(await sql`select count(*)::int from waitlist_entries`, [{ count: 1 }])
  })

  t.test('gets 409 places-available if the party could be booked', async (t) => {
    const { join, sql, accountId } = await makeFull(t)
    await cancelBookings(sql, accountId, 1)
    const answer = await join()
    t.equal(answer.statusCode, 409)
    t.match(answer.json().type, /places-available$/)
    t.equal((await join({ Participants: 3 })).statusCode, 201, 'a larger party may wait')
  })

  t.test('gets 409 timeslot-unavailable for a timeslot that is closed or does not exist', async (t) => {
    const { join, sql } = await makeFull(t)
    t.match((await join({ Time: '11:00' })).json().type, /timeslot-unavailable$/)
    await sql`update timeslots set status = 'closed'`
    const refused = (await join()).json()
    t.match(refused, { type: /timeslot-unavailable$/, detail: 'The activity has no such timeslot on sale.' })
    t.notOk('Line' in refused)
  })

  t.test(
    'gets 422 for an unknown activity, a party larger than the timeslot, or an unknown question',
    async (t) => {
      const { join } = await makeFull(t)
      const unknown = await join({ ActivityID: 's_00000000-0000-4000-8000-000000000000' })
      t.match(unknown.json(), { status: 422, errors: [{ field: 'ActivityID' }] })
      t.match((await join({ Participants: 5 })).json(), { status: 422, errors: [{ field: 'Participants' }] })
      const answered = await join({ Answers: [{ QuestionID: 999, Value: 'yes' }] })
      t.match(answered.json(), { status: 422, errors: [{ field: 'Answers[0].QuestionID' }] })
    },
  )

  t.test('makes an entry that another account can neither see nor change', async (t) => {
    const { app, join, sql } = await makeFull(t)
    const id = (await join()).json().data.WaitlistID
    const { headers } = await makeCaller(sql, { slug: 'other', scopes: ['operator'] })
    t.equal((await app.inject({ url: `${path}/${id}`, headers })).statusCode, 404)
    t.equal((await app.inject({ method: 'POST', url: `${path}/${id}/leave`, headers })).statusCode, 404)
    t.same((await app.inject({ url: path, headers })).json().data, [])
  })
})

t.test('offers of the waitlist', async (t) => {
  t.test(
    'hold freed places for the first party that fits, and queue an e-mail, before the places can be sold',
    async (t) => {
      const { app, join, read, sql, accountId, activityId, partner } = await makeFull(t)
      const large = (await join({ Participants: 3 })).json().data.WaitlistID
      const small = (await join()).json().data.WaitlistID
      await cancelBookings(sql, accountId, 1)
      t.match(await read(large), { Status: 'waiting' })
      const offered = await read(small)
      t.match(offered, { Status: 'offered', BookingStatus: 'held', OfferUntil: String })
      const bought = await app.inject({
        method: 'POST',
        url: bookingPath,
        headers: partner.headers,
        payload: bookingBody(activityId, { Participants: 1 }),
      })
      t.match(bought.json(), { status: 409, Available: 0 })
      await pumpEvents(sql)
      t.match(await sql`select kind, status, waitlist_entry_id as entry from emails`, [
        { kind: 'waitlist-offer', status: 'queued', entry: small },
      ])
    },
  )

  t.test('pass to the next party when they expire', async (t) => {
    const { join, read, sql, url, accountId } = await makeFull(t)
    const first = (await join()).json().data.WaitlistID
    const second = (await join()).json().data.WaitlistID
    await cancelBookings(sql, accountId, 1)
    t.equal(await sweepExpiredHolds(inTheFuture(t, url, '110 minutes')), 0)
    t.equal(await sweepExpiredHolds(inTheFuture(t, url, '130 minutes')), 1)
    t.match(await read(first), { Status: 'expired', BookingStatus: 'expired', OfferUntil: null })
    t.match(await read(second), { Status: 'offered', BookingStatus: 'held' })
    t.same(await sql`select booked, held from timeslots`, [{ booked: 2, held: 2 }])
  })

  t.test('are not made once the timeslot has begun: entries that still wait expire', async (t) => {
    const { join, read, sql, url, accountId } = await makeFull(t)
    const id = (await join()).json().data.WaitlistID
    t.equal(await sweepExpiredHolds(sql), 0)
    const afterwards = inTheFuture(t, url, '10 years')
    await cancelBookings(afterwards, accountId, 1)
    t.same(await sql`select booked, held from timeslots`, [{ booked: 2, held: 0 }])
    t.match(await read(id), { Status: 'waiting' })
    t.equal(await sweepExpiredHolds(afterwards), 1)
    t.match(await read(id), { Status: 'expired', BookingStatus: 'expired' })
    t.match(await sql`select status from baskets where status <> 'completed'`, [{ status: 'expired' }])
  })

  t.test(
    'keep their places held for the payment when taken, and taking one again changes nothing',
    async (t) => {
      const { join, act, read, sql, accountId } = await makeFull(t)
      const id = (await join()).json().data.WaitlistID
      t.match((await act(id, 'take')).json(), { status: 409, Status: 'waiting' })
      await cancelBookings(sql, accountId, 1)
      t.match((await act(id, 'take')).json().data, { Status: 'taken', BookingStatus: 'held' })
      const taken = await read(id)
      t.same((await act(id, 'take')).json().data, taken)
      t.match((await act(id, 'leave')).json(), { status: 409, Status: 'taken' })
      t.match(await sql`select status from baskets where id = ${taken.BasketID}`, [{ status: 'open' }])
    },
  )

  t.test('get 409 if they are taken after they have expired', async (t) => {
    const { join, act, sql, accountId } = await makeFull(t)
    const id = (await join()).json().data.WaitlistID
    await cancelBookings(sql, accountId, 1)
    await sql`update baskets set expires_at = now() - interval '1 second' where status = 'open'`
    t.match((await act(id, 'take')).json(), { status: 409, Status: 'offered' })
  })

  t.test('pass to the next party exactly once when a party leaves the waitlist', async (t) => {
    const { join, act, read, sql, accountId } = await makeFull(t)
    const first = (await join()).json().data.WaitlistID
    const second = (await join()).json().data.WaitlistID
    await cancelBookings(sql, accountId, 1)
    t.match((await act(first, 'leave')).json().data, { Status: 'left', BookingStatus: 'cancelled' })
    t.equal((await act(first, 'leave')).statusCode, 200)
    t.match(await read(second), { Status: 'offered' })
    t.same(await sql`select booked, held from timeslots`, [{ booked: 2, held: 2 }])
  })

  t.test('that are declined do not change the other lines of their basket, which expire later', async (t) => {
    const { app, headers, activityId, join, act, sql, accountId } = await makeFull(t)
    await sql`
      insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
      select account_id, product_id, date, '12:00', starts_at + interval '2 hours', 4 from timeslots`
    const { WaitlistID: id, BasketID } = (await join()).json().data
    await cancelBookings(sql, accountId, 1)
    const added = await app.inject({
      method: 'POST',
      url: `/api/v2/operator/baskets/${BasketID}/lines`,
      headers,
      payload: { Lines: [bookingBody(activityId, { Time: '12:00' })] },
    })
    t.equal(added.statusCode, 200)
    t.match((await act(id, 'leave')).json().data, { Status: 'left', BookingStatus: 'cancelled' })
    const held = () => sql`select held from timeslots order by time`
    t.same(await held(), [{ held: 0 }, { held: 2 }])
    t.match(await sql`select status from baskets where id = ${BasketID}`, [{ status: 'open' }])
    await sql`update baskets set expires_at = now() - interval '1 second' where id = ${BasketID}`
    await sweepExpiredHolds(sql)
    t.same(await held(), [{ held: 0 }, { held: 0 }])
  })

  t.test('are not made to a party that has left the waitlist', async (t) => {
    const { join, act, read, sql, accountId } = await makeFull(t)
    const id = (await join()).json().data.WaitlistID
    await act(id, 'leave')
    await cancelBookings(sql, accountId, 1)
    t.match(await read(id), { Status: 'left' })
    t.same(await sql`select booked, held from timeslots`, [{ booked: 2, held: 0 }])
  })
})

t.test('an entry whose booking was moved shows the current timeslot', async (t) => {
  const { app, headers, join, act, read, sql, accountId } = await makeFull(t)
  await sql`
    insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
    select account_id, product_id, date, '12:00', starts_at + interval '2 hours', 4 from timeslots`
  const { WaitlistID: id, BasketID, BookingReference } = (await join()).json().data
  await cancelBookings(sql, accountId, 1)
  await act(id, 'take')
  const post = (url: string, payload: object) =>
    app.inject({ method: 'POST', url: `/api/v2/operator${url}`, headers, payload })
  t.equal((await post(`/baskets/${BasketID}/pay`, { Method: 'cash' })).statusCode, 200)
  const to = { Date: '2030-06-15', Time: '12:00' }
  t.equal((await post(`/bookings/${BookingReference}/move`, to)).statusCode, 200)
  t.match(await read(id), { Status: 'taken', BookingStatus: 'confirmed', Time: '12:00' })
})

t.test(
  'the waitlist is listed page by page in the order of joining, by timeslot and by status',
  async (t) => {
    const { app, headers, join, act } = await makeFull(t)
    const ids: number[] = []
    for (const _ of [1, 2, 3]) ids.push((await join()).json().data.WaitlistID)
    const page = await app.inject({ url: `${path}?Limit=2`, headers })
    const seen = page.json().data.map(({ WaitlistID }: { WaitlistID: number }) => WaitlistID)
    t.same(seen, ids.slice(0, 2))
    const next = /<http:\/\/booking\.test([^>]+)>/.exec(String(page.headers.link))![1]!
    t.match((await app.inject({ url: next, headers })).json().data, [{ WaitlistID: ids[2] }])
    await act(ids[0]!, 'leave')
    t.match((await app.inject({ url: `${path}?Status=left`, headers })).json().data, [{ WaitlistID: ids[0] }])
    t.same((await app.inject({ url: `${path}?TimeslotID=999999`, headers })).json().data, [])
    t.equal((await app.inject({ url: `${path}?Limit=0`, headers })).statusCode, 422)
    t.equal((await app.inject({ url: `${path}?Cursor=x`, headers })).statusCode, 422)
    t.equal((await app.inject({ url: `${path}/0`, headers })).statusCode, 400)
  },
)
