/** The operator's timeslots: listed, made, changed, closed and opened again. */
import t, { type Test } from 'tap'
import { dateIn } from '../../../src/platform/text/calendar.ts'
import { makeCaller, makeProduct } from '../../helper.ts'
import { fieldsOf, makeOperator, whileBooking } from '../../operator.ts'
import { pumpEvents } from '../../pump.ts'

/** An operator with a product that has a timeslot of eight places, and a partner that books two places at a time. */
async function prepare(t: Test) {
  const operator = await makeOperator(t)
  const { sql, accountId } = operator
  const { id, activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 8 } })
  const [slot] = await sql<{ id: number }[]>`select id from timeslots`
  const one = `/timeslots/${slot!.id}`
  /** Adds a party to the waitlist, even if the timeslot has free places. */
  const addToWaitlist = async (participants: number) => {
    const [made] = await sql<{ id: number }[]>`
      with basket as (
        insert into baskets (account_id, id, status, channel)
        values (${accountId}, nextval('basket_ids'), 'waiting', 'online') returning id
      )
      insert into bookings (account_id, id, basket_id, timeslot_id, reference, channel, status, participants, answers,
        unit_price_minor, currency)
      select ${accountId}, nextval('booking_ids'), id, ${slot!.id}, 'W' || id, 'online', 'waitlisted', ${participants},
        '[]', 4500, 'EUR'
      from basket returning id`
    await sql`
      insert into waitlist_entries (account_id, booking_id, timeslot_id)
      values (${accountId}, ${made!.id}, ${slot!.id})`
  }
  const entries = async () =>
    (await sql<{ status: string }[]>`select status from waitlist_entries order by id`).map(
      ({ status }) => status,
    )
  return { ...operator, productId: id, activityId, timeslotId: slot!.id, one, addToWaitlist, entries }
}

t.test('the list of timeslots', async (t) => {
  t.test('shows every timeslot with its figures', async (t) => {
    const { call, book, activityId, timeslotId, productId, one, addToWaitlist } = await prepare(t)
    await book(activityId)
    await addToWaitlist(9)
    const { data } = await call('GET', '/timeslots')
    t.same(data, [
      {
        ID: timeslotId,
        ProductID: productId,
        ProductName: 'Kayak',
        ScheduleID: null,
        Date: '2030-06-15',
        Time: '10:00',
        StartsAt: '2030-06-15T10:00:00+01:00',
        EndsAt: '2030-06-15T11:30:00+01:00',
        AllDay: false,
        OpeningHours: [],
        OnSaleUntil: '2030-06-15T10:00:00+01:00',
        Status: 'open',
        Capacity: 8,
        Booked: 2,
        Held: 0,
        Available: 6,
        Waiting: 1,
        Edited: false,
        UnitPrices: [],
      },
    ])
    t.same((await call('GET', one)).data, data[0])
  })

  t.test(
    'filters by range, product and status, and pages in order, even while timeslots are added',
    async (t) => {
      const { call, app, headers, sql, accountId, productId } = await prepare(t)
      const slots = {
        '2030-06-14 09:00': 1,
        '2030-06-15 10:00': 1,
        '2030-06-16 08:00': 1,
        '2030-06-17 08:00': 1,
      }
      const { id } = await makeProduct(sql, accountId, { name: 'Surf', slots })
      await sql`update timeslots set status = 'closed' where date = '2030-06-16'`
      const dates = async (query: string) =>
        (await call('GET', `/timeslots?${query}`)).data.map((slot: { Date: string }) => slot.Date.slice(8))
      t.same(await dates(`ProductID=${id}&From=2030-06-15&To=2030-06-16`), ['15', '16'])
      t.same(await dates('Status=closed'), ['16'])
      t.same(await dates(`ProductID=${productId}`), ['15'])
      t.same(await dates('ProductID=999999999'), [])
      const seen: string[] = []
      let url: string | undefined = '/api/v2/operator/timeslots?Limit=2'
      while (url) {
        const answer: Awaited<ReturnType<typeof app.inject>> = await app.inject({ url, headers })
        seen.push(...answer.json().data.map((slot: { Date: string }) => slot.Date.slice(8)))
        url = /<http:\/\/booking.test([^>]+)>/.exec(String(answer.headers.link))?.[1]
        if (seen.length === 2)
          await call('POST', `/products/${id}/timeslots`, { Date: '2030-06-13', Time: '09:00', Capacity: 1 })
      }
      t.same(seen, ['14', '15', '15', '16', '17'])
    },
  )

  t.test('422 for a range that ends before it begins, and for an invalid cursor', async (t) => {
    const { call } = await prepare(t)
    t.same(fieldsOf(await call('GET', '/timeslots?From=2030-06-15&To=2030-06-14')), ['To'])
    for (const key of [
      ['2030-02-30', '10:00', 1],
      ['2030-06-15', '10', 1],
      ['2030-06-15', '10:00'],
    ]) {
      const cursor = Buffer.from(JSON.stringify(key)).toString('base64url')
      t.same(fieldsOf(await call('GET', `/timeslots?Cursor=${cursor}`)), ['Cursor'])
    }
  })
})

t.test('making a timeslot', async (t) => {
  t.test('201 with the timeslot, which partners can book', async (t) => {
    const { call, book, activityId, productId } = await prepare(t)
    const made = await call('POST', `/products/${productId}/timeslots`, {
      Date: '2030-06-16',
      Time: '07:15',
      Capacity: 2,
    })
    t.equal(made.status, 201)
    t.match(made.data, { ScheduleID: null, Capacity: 2, Available: 2, StartsAt: '2030-06-16T07:15:00+01:00' })
    t.equal((await book(activityId, { Date: '2030-06-16', Time: '07:15' })).status, 201)
  })

  t.test('409 timeslot-exists names the existing timeslot', async (t) => {
    const { call, productId, timeslotId } = await prepare(t)
    const answer = await call('POST', `/products/${productId}/timeslots`, {
      Date: '2030-06-15',
      Time: '10:00',
      Capacity: 2,
    })
    t.equal(answer.status, 409)
    t.match(answer.problem, { type: /timeslot-exists$/, TimeslotID: timeslotId })
  })

  t.test(
    '422 for a local time that the clocks skip; if a local time occurs twice, the first one counts',
    async (t) => {
      const { call, productId } = await prepare(t)
      const at = (date: string) =>
        call('POST', `/products/${productId}/timeslots`, { Date: date, Time: '01:30', Capacity: 2 })
      t.same(fieldsOf(await at('2030-03-31')), ['Time'])
      t.equal((await at('2030-10-27')).data.StartsAt, '2030-10-27T01:30:00+01:00')
    },
  )

  t.test('422 for a day before the year 1000', async (t) => {
    const { call, productId } = await prepare(t)
    const at = (date: string) =>
      call('POST', `/products/${productId}/timeslots`, { Date: date, Time: '10:00', Capacity: 2 })
    for (const date of ['0001-01-01', '0099-12-31', '0999-12-31']) t.same(fieldsOf(await at(date)), ['Date'])
    t.match((await at('1000-01-01')).data, { StartsAt: /^1000-01-01T10:00:00[+-]\d\d:\d\d$/ })
  })

  t.test('404 for another account’s product; the same Idempotency-Key makes one timeslot', async (t) => {
    const { call, sql, productId } = await prepare(t)
    const other = await makeCaller(sql, { slug: 'other', scopes: ['operator'] })
    const slot = { Date: '2030-06-16', Time: '10:00', Capacity: 2 }
    t.equal((await call('POST', `/products/${productId}/timeslots`, slot, other.headers)).status, 404)
    const key = { 'idempotency-key': 'k' }
    const first = await call('POST', `/products/${productId}/timeslots`, slot, key)
    const again = await call('POST', `/products/${productId}/timeslots`, slot, key)
    t.equal(again.status, 201)
    t.same(again.data, first.data)
  })
})

t.test('changing the capacity', async (t) => {
  t.test('marks the timeslot as edited', async (t) => {
    const { call, one } = await prepare(t)
    t.match((await call('PATCH', one, { Capacity: 12 })).data, { Capacity: 12, Available: 12, Edited: true })
    t.same(fieldsOf(await call('PATCH', one, {})), ['Capacity'])
    t.same(fieldsOf(await call('PATCH', one, { Capacity: -1 })), ['Capacity'])
  })

  t.test('409 capacity-below-booked with the figures, and nothing changes', async (t) => {
    const { call, book, activityId, one, sql } = await prepare(t)
    await book(activityId)
    await sql`update timeslots set held = 3`
    const answer = await call('PATCH', one, { Capacity: 4 })
    t.equal(answer.status, 409)
    t.match(answer.problem, { type: /capacity-below-booked$/, Booked: 2, Held: 3 })
    t.match((await call('GET', one)).data, { Capacity: 8, Edited: false })
    t.equal((await call('PATCH', one, { Capacity: 5 })).status, 200)
  })

  t.test('to a higher one offers the new places to the waitlist, and only the rest is sold', async (t) => {
    const { call, book, activityId, one, addToWaitlist, entries, sql } = await prepare(t)
    await call('PATCH', one, { Capacity: 2 })
    await book(activityId)
    await addToWaitlist(3)
    await addToWaitlist(1)
    t.match((await call('PATCH', one, { Capacity: 5 })).data, { Held: 3, Available: 0, Waiting: 1 })
    t.same(await entries(), ['offered', 'waiting'])
    await pumpEvents(sql)
    t.same(await sql`select kind from emails`, [{ kind: 'waitlist-offer' }])
  })

  t.test('to a lower one during a booking waits for the booking and counts its places', async (t) => {
    const { call, one, sql, accountId, timeslotId } = await prepare(t)
    const lower = () => call('PATCH', one, { Capacity: 1 })
    const answer = await whileBooking(sql, { accountId, timeslotId }, lower)
    t.equal(answer.status, 409)
    t.match(answer.problem, { Booked: 2, Held: 0 })
  })

  t.test('to a lower one while partners book never ends below the booked places', async (t) => {
    const { call, book, activityId, one, sql } = await prepare(t)
    const [booked, lowered] = await Promise.all([
      Promise.all([1, 2, 3, 4].map(() => book(activityId))),
      Promise.all([1, 2, 3, 4].map((n) => call('PATCH', one, { Capacity: 6 - n }))),
    ])
    for (const { status } of lowered) t.ok(status === 200 || status === 409, String(status))
    const [slot] = await sql`select capacity, booked from timeslots`
    t.ok(slot!.booked <= slot!.capacity)
    t.equal(slot!.booked, 2 * booked.filter(({ status }) => status === 201).length)
  })

  t.test(
    '404 for an unknown timeslot or one of another account, also to read, close or reopen it',
    async (t) => {
      const { call, one, sql } = await prepare(t)
      const other = await makeCaller(sql, { slug: 'other', scopes: ['operator'] })
      for (const [path, headers] of [
        ['/timeslots/999999', {}],
        [one, other.headers],
      ] as const) {
        t.equal((await call('GET', path, undefined, headers)).status, 404)
        t.equal((await call('PATCH', path, { Capacity: 1 }, headers)).status, 404)
        t.equal((await call('POST', `${path}/close`, undefined, headers)).status, 404)
        t.equal((await call('POST', `${path}/reopen`, undefined, headers)).status, 404)
      }
    },
  )
})

t.test('closing and opening again', async (t) => {
  t.test('a closed timeslot sells nothing and keeps its bookings', async (t) => {
    const { call, book, activityId, one } = await prepare(t)
    await book(activityId)
    const closed = await call('POST', `${one}/close`)
    t.equal(closed.status, 200)
    t.match(closed.data, { Status: 'closed', Booked: 2, Available: 0, Edited: true })
    t.equal((await book(activityId)).status, 409)
    t.same((await call('POST', `${one}/close`)).data, closed.data, 'closing it again changes nothing')
    t.match((await call('POST', `${one}/reopen`)).data, { Status: 'open', Booked: 2, Available: 6 })
    t.equal((await book(activityId)).status, 201)
  })

  t.test('a reopened timeslot follows its schedule, unless its capacity or prices were edited', async (t) => {
    const { call, productId } = await prepare(t)
    const day = dateIn('Europe/Lisbon', new Date(Date.now() + 7 * 24 * 3600 * 1000))
    const days = { From: day, To: day, Weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] }
    const schedule = { ...days, Times: ['09:00', '11:00', '13:00'], Capacity: 5 }
    const made = await call('POST', `/products/${productId}/schedules`, schedule)
    const { data } = await call('GET', `/timeslots?From=${day}&To=${day}`)
    const [plain, larger, dearer] = (data as { ID: number }[]).map(({ ID }) => `/timeslots/${ID}`)
    await call('PATCH', larger!, { Capacity: 6 })
    const priced = await call('PATCH', dearer!, { UnitPrices: [{ UnitID: 0, Amount: '50.00' }] })
    t.equal(priced.status, 200)
    for (const path of [plain!, larger!, dearer!]) {
      await call('POST', `${path}/close`)
      await call('POST', `${path}/reopen`)
    }
    await call('PATCH', `/products/${productId}/schedules/${made.data.Schedule.ID}`, { Capacity: 7 })
    const after = await Promise.all([plain!, larger!, dearer!].map((path) => call('GET', path)))
    t.match(
      after.map(({ data }) => data),
      [
        { Capacity: 7, Edited: false },
        { Capacity: 6, Edited: true },
        { Capacity: 5, Edited: true },
      ],
    )
  })

  t.test('reopening a timeslot that is open does not mark it as edited', async (t) => {
    const { call, one } = await prepare(t)
    t.match((await call('POST', `${one}/reopen`)).data, { Status: 'open', Edited: false })
  })

  t.test('when a timeslot is reopened, free places are offered to the waitlist first', async (t) => {
    const { call, one, addToWaitlist, entries } = await prepare(t)
    await call('POST', `${one}/close`)
    await addToWaitlist(6)
    await call('PATCH', one, { Capacity: 9 })
    t.same(await entries(), ['waiting'], 'no places of a closed timeslot are offered')
    t.match((await call('POST', `${one}/reopen`)).data, { Held: 6, Available: 3, Waiting: 0 })
    t.same(await entries(), ['offered'])
  })

  t.test('requests with the same Idempotency-Key close the timeslot once', async (t) => {
    const { call, one } = await prepare(t)
    const key = { 'idempotency-key': 'k' }
    await call('POST', `${one}/close`, undefined, key)
    await call('POST', `${one}/reopen`)
    const again = await call('POST', `${one}/close`, undefined, key)
    t.equal(again.headers['idempotency-replayed'], 'true')
    t.match(again.data, { Status: 'closed' }, 'the stored response')
    t.match((await call('GET', one)).data, { Status: 'open' }, 'the timeslot is not closed again')
  })
})
