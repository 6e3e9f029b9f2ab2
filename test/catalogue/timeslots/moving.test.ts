/** Moving a timeslot that has no bookings, holds or waitlist to another date and time. */
import t, { type Test } from 'tap'
import { makeCaller, makeProduct } from '../../helper.ts'
import { fieldsOf, makeOperator, whileBooking } from '../../operator.ts'

/** An operator whose product has a single timeslot, on 15 June 2030, and no schedule. */
async function prepare(t: Test) {
  const operator = await makeOperator(t)
  const { sql, accountId, call } = operator
  const { id: productId, activityId } = await makeProduct(sql, accountId, {
    slots: { '2030-06-15 10:00': 8 },
  })
  const [slot] = await sql<{ id: number }[]>`select id from timeslots`
  const move = (id: number, body: object, headers?: Record<string, string>) =>
    call('POST', `/timeslots/${id}/move`, body, headers)
  const storedTimeslots = () => sql<{ date: string; time: string; status: string }[]>`
    select date, time, status from timeslots where product_id = ${productId} order by date, time`
  const slotAt = async (date: string) => {
    const [found] = await sql<{ id: number }[]>`select id from timeslots where date = ${date} order by time`
    return found!.id
  }
  return { ...operator, productId, activityId, id: slot!.id, move, storedTimeslots, slotAt }
}

t.test(
  'a moved timeslot keeps its capacity and prices, and can be booked at its new date and time',
  async (t) => {
    const { call, move, id, storedTimeslots, book, activityId, sql } = await prepare(t)
    const unit = { Name: 'Adult', Type: 'ADULT', Price: { Amount: '45.00', Currency: 'EUR' }, Default: true }
    const [product] = await sql<{ id: number }[]>`select id from products`
    const units = await call('PUT', `/products/${product!.id}/units`, { Units: [unit] })
    const UnitPrices = [{ UnitID: units.data[0].UnitID, Amount: '30.00' }]
    t.equal((await call('PATCH', `/timeslots/${id}`, { UnitPrices })).status, 200)
    const moved = await move(id, { Date: '2030-06-16', Time: '11:30' })
    t.equal(moved.status, 200)
    const place = { Date: '2030-06-16', Time: '11:30', StartsAt: '2030-06-16T11:30:00+01:00' }
    t.match(moved.data, { ...place, Capacity: 8, Available: 8, Status: 'open', Edited: true })
    t.match(moved.data.UnitPrices, [{ Amount: '30.00' }])
    t.not(moved.data.ID, id)
    t.same(
      await storedTimeslots(),
      [{ date: '2030-06-16', time: '11:30', status: 'open' }],
      'the old timeslot is removed',
    )
    t.equal((await book(activityId, { Date: '2030-06-16', Time: '11:30' })).status, 201)
    t.equal((await book(activityId)).status, 409)
  },
)

t.test('a timeslot that is moved without a time keeps its time', async (t) => {
  const { move, id } = await prepare(t)
  t.match((await move(id, { Date: '2030-06-20' })).data, { Date: '2030-06-20', Time: '10:00' })
})

t.test(
  'a moved timeslot leaves a closed one behind, if its schedule would otherwise make it again',
  async (t) => {
    const { call, productId, move, slotAt, sql } = await prepare(t)
    const season = { From: '2030-07-01', To: '2030-07-08', Weekdays: ['Mon'], Times: ['10:00'], Capacity: 4 }
    await sql`update products set time_zone = 'Europe/Lisbon'`
    await sql`
    insert into schedules (account_id, product_id, from_date, to_date, weekdays, times, capacity)
    select account_id, id, '2030-07-01', '2030-07-08', '{1}', '{10:00}', 4 from products`
    await sql`
    insert into timeslots (account_id, product_id, schedule_id, date, time, starts_at, capacity)
    select account_id, product_id, id, '2030-07-01', '10:00', '2030-07-01T10:00+01', 4 from schedules`
    const old = await slotAt('2030-07-01')
    const moved = await move(old, { Date: '2030-07-02' })
    t.match(moved.data, { Capacity: 4, ScheduleID: /\d/, Edited: true })
    t.match((await call('GET', `/timeslots/${old}`)).data, { Status: 'closed', Edited: true })
    const [schedule] = await sql<{ id: number }[]>`select id from schedules`
    await call('PATCH', `/products/${productId}/schedules/${schedule!.id}`, { ...season, Capacity: 5 })
    t.match(
      (await call('GET', `/timeslots/${old}`)).data,
      { Status: 'closed' },
      'its schedule leaves it closed',
    )
    t.match((await call('GET', `/timeslots/${moved.data.ID}`)).data, { Status: 'open', Capacity: 4 })
    const back = await move(moved.data.ID, { Date: '2030-07-01' })
    t.match(
      back.data,
      { ID: old, Status: 'open', Capacity: 4 },
      'when it is moved back, the old timeslot is used again',
    )
  },
)

t.test('moving a timeslot with ended bookings leaves a closed one, which keeps the bookings', async (t) => {
  const { move, id, book, call, activityId, storedTimeslots } = await prepare(t)
  const { reference } = await book(activityId)
  await call('POST', `/bookings/${reference}/cancel`, {})
  t.equal((await move(id, { Date: '2030-06-16' })).status, 200)
  t.same(await storedTimeslots(), [
    { date: '2030-06-15', time: '10:00', status: 'closed' },
    { date: '2030-06-16', time: '10:00', status: 'open' },
  ])
  t.match((await call('GET', `/bookings/${reference}`)).data, { Date: '2030-06-15' })
})

t.test('409 timeslot-not-movable for a timeslot that is booked, held or closed, or has begun', async (t) => {
  const { move, id, book, call, activityId, storedTimeslots, sql } = await prepare(t)
  const refused = async (Reason: string) => {
    const answer = await move(id, { Date: '2030-06-16' })
    t.equal(answer.status, 409)
    t.match(answer.problem, { type: /timeslot-not-movable$/, Reason })
    t.equal((await storedTimeslots()).length, 1, 'and nothing changes')
  }
  const { reference } = await book(activityId)
  await refused('booked')
  await call('POST', `/bookings/${reference}/cancel`, {})
  await sql`update timeslots set held = 2`
  await refused('held')
  await sql`update timeslots set held = 0`
  await call('POST', `/timeslots/${id}/close`, {})
  await refused('closed')
  await call('POST', `/timeslots/${id}/reopen`, {})
  await sql`update timeslots set starts_at = now() - interval '1 minute'`
  await refused('begun')
})

t.test(
  '409 timeslot-exists if the product has a timeslot on sale at the new time; a closed one is reused instead',
  async (t) => {
    const { move, id, call, productId } = await prepare(t)
    const other = await call('POST', `/products/${productId}/timeslots`, {
      ...{ Date: '2030-06-16', Time: '10:00', Capacity: 2 },
    })
    const answer = await move(id, { Date: '2030-06-16' })
    t.match(answer.problem, { type: /timeslot-exists$/, TimeslotID: other.data.ID })
    await call('POST', `/timeslots/${other.data.ID}/close`, {})
    t.match((await move(id, { Date: '2030-06-16' })).data, { ID: other.data.ID, Capacity: 8, Status: 'open' })
  },
)

t.test('422 names the field of an invalid date or time', async (t) => {
  const { move, id, call, productId, storedTimeslots } = await prepare(t)
  t.same(fieldsOf(await move(id, {})), ['Date'])
  t.same(fieldsOf(await move(id, { Date: '2030-02-30' })), ['Date'])
  t.same(
    fieldsOf(await move(id, { Date: '2030-06-15', Time: '10:00' })),
    ['Date'],
    'the timeslot is there already',
  )
  t.same(fieldsOf(await move(id, { Date: '2020-06-15' })), ['Date'], 'in the past')
  t.same(fieldsOf(await move(id, { Date: '2030-03-31', Time: '01:30' })), ['Time'], 'the clocks skip it')
  const museum = await call('POST', `/products/${productId}/timeslots`, {
    ...{ Date: '2030-06-18', Time: '09:00', Capacity: 5 },
    OpeningHours: [{ Opens: '09:00', Closes: '17:00' }],
  })
  t.same(fieldsOf(await move(museum.data.ID, { Date: '2030-06-19', Time: '10:00' })), ['Time'])
  const moved = await move(museum.data.ID, { Date: '2030-06-19' })
  t.match(moved.data, { AllDay: true, EndsAt: '2030-06-19T17:00:00+01:00' })
  t.equal((await storedTimeslots()).length, 2)
})

t.test('404 for another account’s timeslot; the same Idempotency-Key moves the timeslot once', async (t) => {
  const { sql, move, id, storedTimeslots } = await prepare(t)
  const other = await makeCaller(sql, { slug: 'other', scopes: ['operator'] })
  t.equal((await move(id, { Date: '2030-06-16' }, other.headers)).status, 404)
  const key = { 'idempotency-key': 'k' }
  const first = await move(id, { Date: '2030-06-16' }, key)
  const again = await move(id, { Date: '2030-06-16' }, key)
  t.equal(again.status, 200)
  t.same(again.data, first.data)
  t.equal((await storedTimeslots()).length, 1)
})

t.test('the events of a move name the timeslot that is made and the one that is removed', async (t) => {
  const { sql, move, id } = await prepare(t)
  await move(id, { Date: '2030-06-16' })
  const events = await sql`
    select type, timeslot_id = ${id} as old from events where type like 'timeslot.%' order by id`
  t.same(events, [
    { type: 'timeslot.made', old: false },
    { type: 'timeslot.removed', old: true },
  ])
})

t.test('a timeslot that is booked while the move waits for it is not moved', async (t) => {
  const { sql, accountId, move, id, storedTimeslots } = await prepare(t)
  const answer = await whileBooking(sql, { accountId, timeslotId: id }, () =>
    move(id, { Date: '2030-06-16' }),
  )
  t.match(answer.problem, { type: /timeslot-not-movable$/, Reason: 'booked' })
  t.same(await storedTimeslots(), [{ date: '2030-06-15', time: '10:00', status: 'open' }])
})

t.test(
  'reopening a day does not reopen a timeslot that was moved away, until the timeslot is moved back',
  async (t) => {
    const { sql, call, move, book, activityId, id, storedTimeslots, slotAt } = await prepare(t)
    // The timeslot stays and is closed, because an ended booking refers to it.
    const { reference } = await book(activityId)
    await call('POST', `/bookings/${reference}/cancel`, {})
    await move(id, { Date: '2030-06-16' })
    const reopen = async () =>
      (await call('POST', '/closures/reopen', { Date: '2030-06-15' })).data.TimeslotIDs
    t.same(await reopen(), [])
    await move(await slotAt('2030-06-16'), { Date: '2030-06-17' })
    t.same(await reopen(), [], 'also after it was moved again')
    t.match(await sql`select to_timeslot_id as "toId" from timeslot_moves`, [
      { toId: await slotAt('2030-06-17') },
    ])
    await move(await slotAt('2030-06-17'), { Date: '2030-06-15' })
    t.same(await storedTimeslots(), [{ date: '2030-06-15', time: '10:00', status: 'open' }])
    await call('POST', `/timeslots/${id}/close`, {})
    t.same(await reopen(), [id])
  },
)

t.test('a timeslot that was moved away and is reopened by hand no longer counts as moved', async (t) => {
  const { sql, call, move, book, activityId, id } = await prepare(t)
  const { reference } = await book(activityId)
  await call('POST', `/bookings/${reference}/cancel`, {})
  await move(id, { Date: '2030-06-16' })
  await call('POST', `/timeslots/${id}/reopen`, {})
  t.same(await sql`select from timeslot_moves`, [])
})
