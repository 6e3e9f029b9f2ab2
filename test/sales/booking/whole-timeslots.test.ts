/** Bookings that have one price and take a whole timeslot: a private tour. */
import t, { type Test } from 'tap'
import { bookingBody, bookingPath } from '../../helper.ts'
import { until } from '../../until.ts'
import { openDesk } from './fixtures.ts'

/** The product is priced per booking, for up to six people, and a booking takes the whole timeslot. */
async function openPrivateDesk(t: Test) {
  const desk = await openDesk(t)
  const { app, sql, product, partner, operator } = desk
  await sql`
    update products set priced_per_booking = true, takes_timeslot = true, max_places = 6, sells_plainly = false
    where id = ${product.id}`
  const post = (changes: object = {}) =>
    app.inject({
      method: 'POST',
      url: bookingPath,
      headers: partner.headers,
      payload: bookingBody(product.activityId, { ...changes }),
    })
  const operate = (method: 'POST' | 'PATCH', path: string, payload: object) =>
    app.inject({ method, url: `/api/v2/operator${path}`, headers: operator.headers, payload })
  return { ...desk, post, operate }
}

t.test('a private tour has one price, takes all places, and leaves none for anybody else', async (t) => {
  const { post, taken } = await openPrivateDesk(t)
  const made = await post({ Participants: 3 })
  t.match(made.json().data, {
    Participants: 3,
    Units: [{ UnitID: 0, Quantity: 3 }],
    Total: { Amount: '45.00' },
  })
  t.notOk('UnitPrice' in made.json().data.Units[0])
  t.equal((await taken())['2030-06-15 10:00'], '8+0')
  t.equal((await post({ Participants: 1 })).statusCode, 409)
  t.equal((await post({ Participants: 7, Time: '14:00' })).statusCode, 422)
  t.equal((await post({ Participants: 5, Time: '14:00' })).statusCode, 409, 'the timeslot has only 4 places')
})

t.test(
  'of concurrent private tours for one timeslot, one is booked, and the others are offered free timeslots',
  async (t) => {
    const { post, differences } = await openPrivateDesk(t)
    const answers = await Promise.all([post(), post(), post()])
    t.same(answers.map(({ statusCode }) => statusCode).sort(), [201, 409, 409])
    const refused = answers.find(({ statusCode }) => statusCode === 409)!
    t.same(
      refused.json().Alternatives.map(({ Time }: { Time: string }) => Time),
      ['14:00', '10:00'],
    )
    await post({ Time: '14:00' })
    const later = (await post()).json().Alternatives
    t.same(later, [{ Date: '2030-06-16', Time: '10:00', Available: 10 }], 'only timeslots without bookings')
    t.same(await differences(), [])
  },
)

t.test(
  'the timeslot of a private tour stays full when places are added, and is free after a cancellation',
  async (t) => {
    const { post, operate, slotId, taken, act, differences } = await openPrivateDesk(t)
    const { BookingReference } = (await post()).json().data
    const id = await slotId('2030-06-15', '10:00')
    const raised = await operate('PATCH', `/timeslots/${id}`, { Capacity: 12 })
    t.match(raised.json().data, { Capacity: 12, Booked: 12, Available: 0 })
    t.same(await differences(), [])
    await act(BookingReference, 'cancel')
    t.equal((await taken())['2030-06-15 10:00'], '0+0')
  },
)

t.test('a private tour moves only to a timeslot without bookings, and takes all of its places', async (t) => {
  const { post, act, taken, differences } = await openPrivateDesk(t)
  const { BookingReference } = (await post()).json().data
  const other = (await post({ Date: '2030-06-16' })).json().data
  const there = { Date: '2030-06-16', Time: '10:00' }
  t.equal((await act(BookingReference, 'move', there)).statusCode, 409)
  await act(other.BookingReference, 'cancel')
  const moved = await act(BookingReference, 'move', there)
  t.match(moved.json().data, { Participants: 2, Total: { Amount: '45.00' } })
  t.same(await taken(), { '2030-06-15 10:00': '0+0', '2030-06-15 14:00': '0+0', '2030-06-16 10:00': '10+0' })
  t.same(await differences(), [])
})

t.test(
  'people can be added to a private tour at the same price, up to the limit of the product',
  async (t) => {
    const { post, act, taken } = await openPrivateDesk(t)
    const { BookingReference } = (await post()).json().data
    const amended = await act(BookingReference, 'amend', { Participants: 6 })
    t.match(amended.json().data, { Participants: 6, Total: { Amount: '45.00' } })
    t.equal((await act(BookingReference, 'amend', { Participants: 7 })).statusCode, 422)
    t.equal((await taken())['2030-06-15 10:00'], '8+0')
  },
)

t.test('a private tour keeps its price and the whole timeslot after its product changes', async (t) => {
  const { post, act, sql, taken, differences } = await openPrivateDesk(t)
  const { BookingReference } = (await post({ Participants: 3 })).json().data
  await sql`update products set priced_per_booking = false, takes_timeslot = false, price_minor = 9900`
  const amended = await act(BookingReference, 'amend', { Participants: 4 })
  t.match(amended.json().data, { Participants: 4, Total: { Amount: '45.00' } })
  t.equal((await taken())['2030-06-15 10:00'], '8+0')
  const there = { Date: '2030-06-16', Time: '10:00', Participants: 5 }
  t.match((await act(BookingReference, 'move', there)).json().data, { Total: { Amount: '45.00' } })
  t.equal((await taken())['2030-06-16 10:00'], '10+0')
  t.same(await differences(), [])
})

t.test(
  'bookings made before the product became a private tour share the timeslot, and can be amended',
  async (t) => {
    const { post, act, sql, taken } = await openPrivateDesk(t)
    await sql`update products set priced_per_booking = false, takes_timeslot = false`
    const { BookingReference } = (await post({ Participants: 2 })).json().data
    await post({ Participants: 2 })
    await sql`update products set priced_per_booking = true, takes_timeslot = true, price_minor = 30000`
    const amended = await act(BookingReference, 'amend', { Participants: 3 })
    t.match(amended.json().data, { Participants: 3, Total: { Amount: '135.00' } })
    t.equal((await taken())['2030-06-15 10:00'], '5+0')
    const there = { Date: '2030-06-16', Time: '10:00', Participants: 4 }
    t.match((await act(BookingReference, 'move', there)).json().data, { Total: { Amount: '180.00' } })
    t.equal((await taken())['2030-06-16 10:00'], '10+0')
  },
)

t.test(
  'a closure leaves a private tour and a booking beside it in place if both together do not fit',
  async (t) => {
    const { post, operate, slotId, sql, taken, differences } = await openPrivateDesk(t)
    await post()
    const id = await slotId('2030-06-15', '10:00')
    // An earlier version of the service, which had no private tours, could add places and sell them.
    await sql`update timeslots set capacity = 12 where id = ${id}`
    await sql`update products set priced_per_booking = false, takes_timeslot = false, sells_plainly = true`
    t.equal((await post()).statusCode, 201)
    const target = { Date: '2030-06-16', Time: '10:00' }
    const closed = await operate('POST', '/closures', { TimeslotID: id, Action: 'move', MoveTo: target })
    t.equal(closed.statusCode, 200)
    t.match(closed.json().data.Totals, { Left: 1, Moved: 0 })
    t.match(await taken(), { '2030-06-15 10:00': '10+0', '2030-06-16 10:00': '0+0' })
    t.same(await differences(), [])
  },
)

t.test('a closure gives a private tour all places of the target, even those just added', async (t) => {
  const { post, operate, slotId, sql, taken, differences } = await openPrivateDesk(t)
  await post()
  const id = await slotId('2030-06-15', '10:00')
  const target = { Date: '2030-06-16', Time: '10:00' }
  let closing: ReturnType<typeof operate> | undefined
  await sql.begin(async (tx) => {
    await tx`select from timeslots where date = '2030-06-16' for update`
    closing = operate('POST', '/closures', { TimeslotID: id, Action: 'move', MoveTo: target })
    // inject() sends the request only when its result is used.
    void closing.then(() => {})
    await until(async () => {
      const waiting = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return waiting.length > 0
    })
    await tx`update timeslots set capacity = 12 where date = '2030-06-16'`
  })
  t.equal((await closing!).statusCode, 200)
  t.match(await taken(), { '2030-06-15 10:00': '0+0', '2030-06-16 10:00': '12+0' })
  t.same(await differences(), [])
})

t.test('an expired basket that needs more places than are left cannot be paid', async (t) => {
  const { post, operate, slotId, sql, product, taken, differences } = await openPrivateDesk(t)
  const line = { ActivityID: product.activityId, Date: '2030-06-15', Time: '10:00', Participants: 2 }
  const basket = (await operate('POST', '/baskets', { Channel: 'pos', Lines: [line] })).json().data
  t.equal((await taken())['2030-06-15 10:00'], '0+8')
  await sql`update baskets set expires_at = now() - interval '1 second'`
  await sql`update products set priced_per_booking = false, takes_timeslot = false`
  t.equal((await post({ Participants: 6 })).statusCode, 201)
  const id = await slotId('2030-06-15', '10:00')
  await operate('PATCH', `/timeslots/${id}`, { Capacity: 16 })
  const paid = await operate('POST', `/baskets/${basket.BasketID}/pay`, { Method: 'cash' })
  t.equal(paid.statusCode, 409)
  t.match(paid.json(), { Available: 10, Line: 0 })
  t.equal((await taken())['2030-06-15 10:00'], '6+0')
  t.same(await differences(), [])
})

t.test(
  'a private tour on the waitlist is offered the timeslot even after its capacity was reduced',
  async (t) => {
    const { post, operate, act, slotId, sql, product, taken } = await openPrivateDesk(t)
    await sql`update products set takes_timeslot = false`
    const guest = (await post()).json().data
    await sql`update products set takes_timeslot = true`
    const place = { ActivityID: product.activityId, Date: '2030-06-15', Time: '10:00' }
    const { Customer } = bookingBody(product.activityId)
    t.equal((await operate('POST', '/waitlist', { ...place, Participants: 2, Customer })).statusCode, 201)
    const id = await slotId('2030-06-15', '10:00')
    await operate('PATCH', `/timeslots/${id}`, { Capacity: 6 })
    await act(guest.BookingReference, 'cancel')
    t.equal((await taken())['2030-06-15 10:00'], '0+6')
  },
)

t.test(
  'a private tour for a closed timeslot is refused with the next timeslot without bookings',
  async (t) => {
    const { post, operate, slotId, sql } = await openPrivateDesk(t)
    await operate('POST', `/timeslots/${await slotId('2030-06-15', '10:00')}/close`, {})
    await sql`update timeslots set booked = 1 where time = '14:00'`
    const refused = await post()
    t.equal(refused.statusCode, 409)
    t.same(refused.json().Alternatives, [{ Date: '2030-06-16', Time: '10:00', Available: 10 }])
  },
)

t.test(
  'a closure moves a private tour to a timeslot without bookings, and takes all of its places',
  async (t) => {
    const { post, operate, slotId, taken, differences } = await openPrivateDesk(t)
    await post()
    const id = await slotId('2030-06-15', '10:00')
    const close = (date: string, time: string) =>
      operate('POST', '/closures', { TimeslotID: id, Action: 'move', MoveTo: { Date: date, Time: time } })
    t.equal((await close('2030-06-16', '10:00')).statusCode, 200)
    t.same(await taken(), {
      '2030-06-15 10:00': '0+0',
      '2030-06-15 14:00': '0+0',
      '2030-06-16 10:00': '10+0',
    })
    t.same(await differences(), [])
  },
)

t.test(
  'a private tour on the waitlist is offered the timeslot, with all places, once it has no bookings',
  async (t) => {
    const { post, operate, act, slotId, sql, product, taken } = await openPrivateDesk(t)
    await sql`update products set takes_timeslot = false`
    const guests = [(await post()).json().data, (await post()).json().data]
    await sql`update products set takes_timeslot = true`
    const place = { ActivityID: product.activityId, Date: '2030-06-15', Time: '10:00' }
    const { Customer } = bookingBody(product.activityId)
    t.equal((await operate('POST', '/waitlist', { ...place, Participants: 2, Customer })).statusCode, 201)
    const id = await slotId('2030-06-15', '10:00')
    await operate('PATCH', `/timeslots/${id}`, { Capacity: 12 })
    await act(guests[0].BookingReference, 'cancel')
    t.equal((await taken())['2030-06-15 10:00'], '2+0', 'another booking is still on the timeslot')
    await act(guests[1].BookingReference, 'cancel')
    t.equal((await taken())['2030-06-15 10:00'], '0+12')
  },
)
