/** Events of products and timeslots: what happened, the subject, and the actor. */
import t from 'tap'
import { everyDay } from '../catalogue/file/fixtures.ts'
import { listLogged, prepareCatalogue } from './fixtures.ts'

const kayak = {
  Name: 'Kayak tour',
  Description: 'Along the cliffs.',
  DurationMinutes: 120,
  Price: { Amount: '45.00', Currency: 'EUR' },
  TimeZone: 'Europe/Lisbon',
}

t.test('making a product appends an event, with the key or the user that made it', async (t) => {
  const { call, owner, look, byKey, byOwner } = await prepareCatalogue(t)
  const { data } = await call('POST', '/products', kayak)
  const form = { ...kayak, Name: 'Surf', CancelCutoffMinutes: '0', InShopfront: 'false' }
  const { Price, DurationMinutes, ...others } = form
  const saved = await owner.post('/dashboard/catalogue', {
    ...{ ...others, DurationMinutes: String(DurationMinutes) },
    ...{ 'Price.Amount': Price.Amount, 'Price.Currency': Price.Currency },
  })
  t.equal(saved.statusCode, 303)
  const made = { type: 'product.made', timeslotId: null, basketId: null, details: {} }
  t.same(await look(), [
    { ...made, actor: byKey, productId: data.ID },
    { ...made, actor: byOwner, productId: data.ID + 1 },
  ])
})

t.test(
  'a change of a product names its changed fields, and saving the same values again is no change',
  async (t) => {
    const { call, owner, productId, look, byKey, byOwner } = await prepareCatalogue(t)
    const change = {
      Description: 'By night.',
      Price: { Amount: '50.5', Currency: 'EUR' },
      DurationMinutes: 90,
    }
    await call('PATCH', `/products/${productId}`, change)
    await call('PATCH', `/products/${productId}`, change)
    await owner.post(`/dashboard/catalogue/${productId}/shopfront`, { InShopfront: 'false' })
    const changed = { type: 'product.changed', productId, timeslotId: null, basketId: null }
    t.same(await look(), [
      { ...changed, actor: byKey, details: { Fields: ['Description', 'Price'] } },
      { ...changed, actor: byOwner, details: { Fields: ['InShopfront'] } },
    ])
  },
)

t.test('replacing questions is a change of their product', async (t) => {
  const { call, productId, look, byKey } = await prepareCatalogue(t)
  const question = { Label: 'Can you swim?', Type: 'text', Required: true, AppliesTo: 'booking' }
  const put = (...Questions: object[]) => call('PUT', `/products/${productId}/questions`, { Questions })
  const { data } = await put(question)
  await put({ ...question, ID: data[0].ID })
  const changed = { type: 'product.changed', actor: byKey, productId, timeslotId: null, basketId: null }
  t.same(await look(), [{ ...changed, details: { Fields: ['Questions'] } }])
})

t.test('making a timeslot without a schedule appends an event', async (t) => {
  const { call, productId, look, byKey } = await prepareCatalogue(t)
  const slot = { Date: '2030-06-16', Time: '09:30', Capacity: 4 }
  const { data } = await call('POST', `/products/${productId}/timeslots`, slot)
  const made = { type: 'timeslot.made', productId, timeslotId: data.ID, basketId: null }
  t.same(await look(), [{ ...made, actor: byKey, details: slot }])
})

t.test(
  'changing a capacity appends one event, and saving the same capacity again appends none',
  async (t) => {
    const { owner, call, timeslotId, look, of, byOwner } = await prepareCatalogue(t)
    const page = `/dashboard/calendar/timeslots/${timeslotId}/capacity`
    await owner.post(page, { Capacity: '10' })
    await owner.post(page, { Capacity: '10' })
    t.equal((await call('PATCH', `/timeslots/${timeslotId}`, { Capacity: 10 })).status, 200)
    t.same(await look(), [
      { ...of, type: 'timeslot.capacity-changed', actor: byOwner, details: { From: 8, To: 10 } },
    ])
  },
)

t.test('repeated requests close a timeslot once and reopen it once', async (t) => {
  const { owner, call, timeslotId, look, of, byKey, byOwner } = await prepareCatalogue(t)
  for (const _ of [1, 2]) await call('POST', `/timeslots/${timeslotId}/close`)
  for (const _ of [1, 2]) await owner.post(`/dashboard/calendar/timeslots/${timeslotId}/reopen`)
  t.same(await look(), [
    { ...of, type: 'timeslot.closed', actor: byKey, details: {} },
    { ...of, type: 'timeslot.reopened', actor: byOwner, details: {} },
  ])
})

t.test(
  'a closure appends an event when it closes its timeslot, and none if the timeslot was already closed',
  async (t) => {
    const { sql, book, call, activityId, timeslotId, look, of, byKey } = await prepareCatalogue(t)
    await call('POST', '/closures', { TimeslotID: timeslotId, Action: 'cancel' })
    t.same(await look(), [{ ...of, type: 'timeslot.closed', actor: byKey, details: {} }])

    await call('POST', `/timeslots/${timeslotId}/reopen`)
    await book(activityId)
    await call('POST', `/timeslots/${timeslotId}/close`)
    await look()
    const { data } = await call('POST', '/closures', { TimeslotID: timeslotId, Action: 'cancel' })
    t.match(data.Totals, { Closed: 1, Cancelled: 1 })
    t.same(await look(), [])
    t.equal((await listLogged(sql, ['closure'])).length, 2)
  },
)

t.test('making, changing and ending a schedule appends events of its timeslots', async (t) => {
  const { sql, activityId, productId, call, book, look, lookAt, byKey } = await prepareCatalogue(t)
  const path = `/products/${productId}/schedules`
  const schedule = { From: '2030-06-15', To: '2030-06-17', Weekdays: everyDay, Times: ['14:00'], Capacity: 6 }
  const { data } = await call('POST', path, schedule)
  const slots = await sql<{ id: number; date: string }[]>`
    select id, date from timeslots where schedule_id = ${data.Schedule.ID} order by date`
  t.same(
    await look(),
    slots.map(({ id, date }) => {
      const details = { Date: date, Time: '14:00', Capacity: 6 }
      return { type: 'timeslot.made', actor: byKey, productId, timeslotId: id, basketId: null, details }
    }),
  )

  const { reference } = await book(activityId, { Time: '14:00' })
  await call('POST', `/bookings/${reference}/cancel`, {})
  await call('PATCH', `${path}/${data.Schedule.ID}`, {
    Capacity: 7,
    ClosedDates: ['2030-06-15', '2030-06-16'],
  })
  t.same(await lookAt(), [
    ['timeslot.removed', { Date: '2030-06-16', Time: '14:00' }],
    ['timeslot.closed', {}],
    ['timeslot.capacity-changed', { From: 6, To: 7 }],
  ])

  await call('PATCH', `${path}/${data.Schedule.ID}`, { ClosedDates: ['2030-06-16'] })
  t.same(await lookAt(), [
    ['timeslot.reopened', {}],
    ['timeslot.capacity-changed', { From: 6, To: 7 }],
  ])
  await call('DELETE', `${path}/${data.Schedule.ID}`)
  t.same(await lookAt(), [
    ['timeslot.removed', { Date: '2030-06-17', Time: '14:00' }],
    ['timeslot.closed', {}],
  ])
})

t.test(
  'changing the time zone of a product reschedules its timeslots, if their instants change',
  async (t) => {
    const { call, productId, look, lookAt, of, byKey } = await prepareCatalogue(t)
    await call('PATCH', `/products/${productId}`, { TimeZone: 'Europe/London' })
    t.same(await lookAt(), [['product.changed', { Fields: ['TimeZone'] }]])
    await call('PATCH', `/products/${productId}`, { TimeZone: 'Europe/Madrid' })
    t.same((await look()).slice(1), [{ ...of, type: 'timeslot.rescheduled', actor: byKey, details: {} }])
  },
)
