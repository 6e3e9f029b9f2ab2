/** The operator's schedules: the effects on timeslots when a schedule is made, changed or ended. */
import t, { type Test } from 'tap'
import { topUpSchedules } from '../../../src/catalogue/schedules/editing/applying.ts'
import { clockAt } from '../../clock.ts'
import { makeCaller, makeProduct } from '../../helper.ts'
import { fieldsOf, makeOperator, whileBooking } from '../../operator.ts'

const daily = {
  From: '2030-06-01',
  To: '2030-06-05',
  Weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  Times: ['10:00'],
  Capacity: 8,
}

/** An operator with one product, whose schedules make timeslots for 30 days from `now`. */
async function prepare(t: Test, now = '2030-06-01T08:00Z') {
  const operator = await makeOperator(t, { ...clockAt(now), environment: { SCHEDULE_HORIZON_DAYS: '30' } })
  const { sql, accountId, call } = operator
  const { id, activityId } = await makeProduct(sql, accountId)
  const path = `/products/${id}/schedules`
  const make = async (changes: object = {}) => {
    const { data } = await call('POST', path, { ...daily, ...changes })
    return { data, one: `${path}/${data.Schedule.ID}` }
  }
  /** The date, time and capacity of each timeslot, and `c` if it is closed. */
  const slots = async () => {
    const rows = await sql<{ date: string; time: string; capacity: number; status: string }[]>`
      select date, time, capacity, status from timeslots order by date, time`
    return rows.map(({ date, time, capacity, status }) => {
      return `${date.slice(5)} ${time} ${capacity}${status === 'closed' ? ' c' : ''}`
    })
  }
  const slotId = async (date: string, time = '10:00') => {
    const [slot] = await sql<
      { id: number }[]
    >`select id from timeslots where date = ${date} and time = ${time}`
    return slot!.id
  }
  return { ...operator, productId: id, activityId, path, make, slots, slotId }
}

type Named = { Date: string; Time: string; Reason: string }
const leftOf = (data: { Timeslots: { Left: { Timeslots: Named[] } } }) =>
  data.Timeslots.Left.Timeslots.map((slot) => `${slot.Date} ${slot.Reason}`)

t.test('making a schedule', async (t) => {
  t.test('201 with the schedule and the timeslots it makes, none on a closed date', async (t) => {
    const { make, slots, call, path } = await prepare(t)
    const { data } = await make({
      ClosedDates: ['2030-06-04', '2030-06-02'],
      Weekdays: [...daily.Weekdays].reverse(),
    })
    t.match(data.Schedule, { ...daily, ClosedDates: ['2030-06-02', '2030-06-04'] })
    t.same(data.Timeslots.Made, {
      Count: 3,
      Timeslots: ['2030-06-01', '2030-06-03', '2030-06-05'].map((date) => ({ Date: date, Time: '10:00' })),
    })
    t.same(await slots(), ['06-01 10:00 8', '06-03 10:00 8', '06-05 10:00 8'])
    t.same((await call('GET', path)).data, [data.Schedule])
  })

  t.test('a new schedule makes timeslots up to the horizon, and keeps an existing one', async (t) => {
    const { make, slotId, sql, accountId, productId } = await prepare(t)
    await sql`
      insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
      values (${accountId}, ${productId}, '2030-06-03', '10:00', '2030-06-03T09:00Z', 3)`
    const { data } = await make({ To: '2031-12-31' })
    t.equal(data.Timeslots.Made.Count, 30)
    t.same(data.Timeslots.Left.Timeslots, [
      { TimeslotID: await slotId('2030-06-03'), Date: '2030-06-03', Time: '10:00', Reason: 'exists' },
    ])
  })

  t.test('a schedule makes no timeslot at a time that the clocks skip', async (t) => {
    const { make, sql } = await prepare(t, '2030-03-25T08:00Z')
    const spring = await make({ From: '2030-03-30', To: '2030-04-01', Times: ['01:30'] })
    t.same(
      spring.data.Timeslots.Made.Timeslots.map((slot: Named) => slot.Date),
      ['2030-03-30', '2030-04-01'],
    )
    t.same(await sql`select starts_at as at from timeslots where date = '2030-04-01'`, [
      { at: new Date('2030-04-01T00:30Z') },
    ])
  })

  t.test('422 names every failing field', async (t) => {
    const { call, path, make, slots } = await prepare(t)
    t.same(fieldsOf(await call('POST', path, { ...daily, To: '2030-05-31' })), ['To'])
    const shape = await call('POST', path, {
      ...daily,
      Weekdays: ['Someday'],
      Times: ['24:00'],
      ClosedDates: ['2030-02-30'],
    })
    t.same(fieldsOf(shape).sort(), ['ClosedDates[0]', 'Times[0]', 'Weekdays[0]'])
    await make()
    t.same(
      fieldsOf(await call('POST', path, { ...daily, Capacity: 3 })),
      ['Times'],
      'another schedule has the same pattern',
    )
    t.equal((await slots()).length, 5)
  })

  t.test('404 for a product of another account', async (t) => {
    const { call, sql, make } = await prepare(t)
    const { one } = await make()
    const other = await makeCaller(sql, { slug: 'other', scopes: ['operator'] })
    const { id } = await makeProduct(sql, other.accountId)
    t.equal((await call('POST', `/products/${id}/schedules`, daily)).status, 404)
    t.equal((await call('GET', `/products/${id}/schedules`)).status, 404)
    t.equal((await call('PATCH', one, { Capacity: 1 }, other.headers)).status, 404)
    t.equal((await call('DELETE', one, undefined, other.headers)).status, 404)
    t.equal((await call('POST', `/products/${id}/schedules/preview`, daily)).status, 404)
  })

  t.test('the same Idempotency-Key makes one schedule', async (t) => {
    const { call, sql, accountId } = await makeOperator(t)
    const { id } = await makeProduct(sql, accountId)
    const path = `/products/${id}/schedules`
    const key = { 'idempotency-key': 'k' }
    const first = await call('POST', path, daily, key)
    t.same((await call('POST', path, daily, key)).data, first.data)
    t.equal((await sql`select from schedules`).length, 1)
  })
})

t.test('changing a schedule', async (t) => {
  t.test(
    'timeslots change with their schedule, but those that are edited, booked, held or have a waitlist do not change and are listed',
    async (t) => {
      const { make, slots, slotId, call, book, activityId, sql } = await prepare(t)
      const { one } = await make()
      await call('PATCH', `/timeslots/${await slotId('2030-06-01')}`, { Capacity: 5 })
      await book(activityId, { Date: '2030-06-02' })
      await sql`update timeslots set held = 1 where date = '2030-06-03'`
      await sql`
      insert into bookings (account_id, id, basket_id, timeslot_id, reference, channel, status, participants, answers,
        unit_price_minor, currency)
      select account_id, 900001, basket_id, ${await slotId('2030-06-04')}, 'W', 'online', 'waitlisted', 2, '[]', 4500,
        'EUR'
      from bookings`
      await sql`
      insert into waitlist_entries (account_id, booking_id, timeslot_id)
      select account_id, id, timeslot_id from bookings where id = 900001`
      const { data } = await call('PATCH', one, { Capacity: 12 })
      t.equal(data.Schedule.Capacity, 12)
      t.same(data.Timeslots.Changed, {
        Count: 1,
        Timeslots: [{ TimeslotID: await slotId('2030-06-05'), Date: '2030-06-05', Time: '10:00' }],
      })
      t.same(leftOf(data), [
        '2030-06-01 edited',
        '2030-06-02 booked',
        '2030-06-03 held',
        '2030-06-04 waiting',
      ])
      t.same(await slots(), [
        '06-01 10:00 5',
        '06-02 10:00 8',
        '06-03 10:00 8',
        '06-04 10:00 8',
        '06-05 10:00 12',
      ])
    },
  )

  t.test('timeslots that have begun do not change', async (t) => {
    const { make, slots, call } = await prepare(t, '2030-06-01T12:00Z')
    const { one } = await make()
    const { data } = await call('PATCH', one, { Capacity: 2, Times: ['09:00', '10:00'] })
    t.equal(data.Timeslots.Changed.Count, 4)
    t.equal((await slots()).filter((slot) => slot === '06-01 10:00 8').length, 1)
  })

  t.test('outside the new pattern, booked timeslots stay, and others are removed or closed', async (t) => {
    const { make, slots, call, book, activityId, sql } = await prepare(t)
    const { one } = await make()
    await book(activityId, { Date: '2030-06-04' })
    await sql`
      update bookings set status = 'cancelled', cancelled_at = now(), cancel_reason = 'operator'`
    await sql`update timeslots set booked = 0`
    await book(activityId, { Date: '2030-06-05' })
    const { data } = await call('PATCH', one, { To: '2030-06-02' })
    t.match(data.Timeslots, {
      Removed: { Count: 1, Timeslots: [{ Date: '2030-06-03' }] },
      Closed: { Count: 1, Timeslots: [{ Date: '2030-06-04' }] },
      Left: { Count: 1, Timeslots: [{ Date: '2030-06-05', Reason: 'booked' }] },
      Made: { Count: 0 },
    })
    t.same(await slots(), ['06-01 10:00 8', '06-02 10:00 8', '06-04 10:00 8 c', '06-05 10:00 8'])
    const back = await call('PATCH', one, { To: '2030-06-05', Capacity: 9 })
    t.same(leftOf(back.data), ['2030-06-05 booked'])
    t.same(
      await slots(),
      ['06-01 10:00 9', '06-02 10:00 9', '06-03 10:00 9', '06-04 10:00 9', '06-05 10:00 8'],
      'the closed timeslot is open again when the pattern includes it again',
    )
  })

  t.test('closing a date removes its timeslots, and reopening the date makes them again', async (t) => {
    const { make, slots, call, sql } = await prepare(t)
    const { one } = await make({ To: '2030-06-03', Times: ['10:00', '15:00'] })
    const { data } = await call('PATCH', one, { ClosedDates: ['2030-06-02'] })
    t.match(data.Timeslots, { Removed: { Count: 2 }, Left: { Count: 0 } })
    t.equal(await topUpSchedules(sql, 30), 0, 'the daily top-up does not make them again')
    t.same(await slots(), ['06-01 10:00 8', '06-01 15:00 8', '06-03 10:00 8', '06-03 15:00 8'])
    t.equal((await call('PATCH', one, { ClosedDates: [] })).data.Timeslots.Made.Count, 2)
  })

  t.test(
    'a timeslot outside the new pattern moves to another schedule whose pattern includes it',
    async (t) => {
      const { make, slots, call } = await prepare(t)
      const { one } = await make()
      await make({ From: '2030-06-03', To: '2030-06-03', Capacity: 3 })
      const { data } = await call('PATCH', one, { To: '2030-06-02' })
      t.match(data.Timeslots, { Changed: { Count: 1 }, Removed: { Count: 2 } })
      t.same(await slots(), ['06-01 10:00 8', '06-02 10:00 8', '06-03 10:00 3'])
    },
  )

  t.test('422 for To before From, also when only one of them is given', async (t) => {
    const { make, call } = await prepare(t)
    const { one } = await make()
    t.same(fieldsOf(await call('PATCH', one, { To: '2030-05-01' })), ['To'])
    t.same(fieldsOf(await call('PATCH', one, { From: '2030-06-06' })), ['To'])
  })

  t.test('a change waits for a timeslot that is being booked, and leaves it as it is', async (t) => {
    const { make, call, sql, accountId, slotId } = await prepare(t)
    const { one } = await make()
    const timeslotId = await slotId('2030-06-03')
    for (const act of [() => call('PATCH', one, { Times: ['11:00'] }), () => call('DELETE', one)]) {
      await sql`delete from bookings`
      await sql`update timeslots set booked = 0`
      const { data } = await whileBooking(sql, { accountId, timeslotId }, act)
      t.same(leftOf(data), ['2030-06-03 booked'])
    }
  })

  t.test('a booking that is made during a change either keeps its timeslot or is refused', async (t) => {
    const { make, call, book, activityId, sql } = await prepare(t)
    const { one } = await make()
    const dates = ['2030-06-02', '2030-06-03', '2030-06-04', '2030-06-05']
    const [changed, ...booked] = await Promise.all([
      call('PATCH', one, { Times: ['11:00'] }),
      ...dates.flatMap((date) => [1, 2, 3].map(() => book(activityId, { Date: date }))),
    ])
    t.equal(changed!.status, 200)
    for (const { status } of booked) t.ok(status === 201 || status === 409, String(status))
    const slots = await sql<{ date: string; booked: number }[]>`
      select date, booked from timeslots where time = '10:00' and date > '2030-06-01'`
    t.equal(
      slots.reduce((sum, slot) => sum + slot.booked, 0),
      2 * booked.filter(({ status }) => status === 201).length,
    )
    t.ok(slots.every((slot) => slot.booked > 0))
  })
})

t.test('ending a schedule', async (t) => {
  t.test('untouched timeslots are removed, and the others stay without a schedule', async (t) => {
    const { make, slots, call, book, activityId, slotId, path, sql } = await prepare(t)
    const { one } = await make()
    await book(activityId, { Date: '2030-06-02' })
    await call('POST', `/timeslots/${await slotId('2030-06-03')}/close`)
    const { status, data } = await call('DELETE', one)
    t.equal(status, 200)
    t.match(data.Timeslots, { Removed: { Count: 3 } })
    t.same(leftOf(data), ['2030-06-02 booked', '2030-06-03 edited'])
    t.same(await slots(), ['06-02 10:00 8', '06-03 10:00 8 c'])
    t.same(await sql`select from timeslots where schedule_id is not null`, [])
    t.same((await call('GET', path)).data, [])
    t.equal((await call('DELETE', one)).status, 404)
  })
})

t.test('a preview', async (t) => {
  t.test('of a new schedule shows what making it does, and changes nothing', async (t) => {
    const { make, slots, call, path } = await prepare(t)
    await make({ To: '2030-06-02' })
    const before = await slots()
    const next = { ...daily, Capacity: 4, Times: ['10:00', '16:00'] }
    const { data: foreseen } = await call('POST', `${path}/preview`, next)
    t.same(await slots(), before)
    t.equal((await call('GET', path)).data.length, 1)
    t.match(foreseen, { Made: { Count: 8 }, Left: { Count: 2, Timeslots: [{ Reason: 'exists' }] } })
    t.same((await call('POST', path, next)).data.Timeslots, foreseen)
  })

  t.test('of a change shows what the change does', async (t) => {
    const { make, call, path, book, activityId, slots } = await prepare(t)
    const { data, one } = await make()
    await book(activityId, { Date: '2030-06-02' })
    const change = { From: '2030-06-03', To: '2030-06-07', Capacity: 9, ClosedDates: ['2030-06-05'] }
    const before = await slots()
    const foreseen = await call('POST', `${path}/preview`, { ScheduleID: data.Schedule.ID, ...change })
    t.same(await slots(), before)
    t.match(foreseen.data, {
      Made: { Count: 2 },
      Changed: { Count: 2 },
      Removed: { Count: 2 },
      Left: { Count: 1 },
    })
    t.same((await call('PATCH', one, change)).data.Timeslots, foreseen.data)
  })

  t.test('422 if a required field of a new schedule is missing, 404 for an unknown ScheduleID', async (t) => {
    const { call, path } = await prepare(t)
    t.same(fieldsOf(await call('POST', `${path}/preview`, { Capacity: 1 })), [
      'From',
      'To',
      'Weekdays',
      'Times',
    ])
    t.equal((await call('POST', `${path}/preview`, { ScheduleID: 999_999, Capacity: 1 })).status, 404)
  })
})
