/** Bookings with units by partners, in baskets, at the till and on the waitlist: places, prices and refusals. */
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { bookingBody, bookingPath } from '../../helper.ts'
import { openDesk } from './fixtures.ts'
import { giveUnits } from './unit-fixtures.ts'

/**
 * Gives the product the units adult at 45.00, child at 25.00, which an adult must accompany, family of four, and
 * infant, which takes no place.
 */
async function openFamilyDesk(t: Test) {
  const desk = await openDesk(t)
  const { app, sql, accountId, product, partner, operator } = desk
  const [adult, child, family, infant] = await giveUnits(sql, accountId, product.id, [
    { name: 'Adult', type: 'ADULT' },
    { name: 'Child', type: 'CHILD', priceMinor: 2500 },
    { name: 'Family', type: 'FAMILY', priceMinor: 11_000, places: 4, people: 4 },
    { name: 'Infant', type: 'INFANT', priceMinor: 0, places: 0 },
  ])
  await sql`update units set accompanied_by = array[${adult!}::bigint] where id = ${child!}`
  const units = (...pairs: [number | undefined, number][]) =>
    pairs.map(([UnitID, Quantity]) => ({ UnitID, Quantity }))
  /** Sends a partner's request to book, with the changes of the test. */
  const post = (changes: object, headers: object = {}) =>
    app.inject({
      method: 'POST',
      url: bookingPath,
      headers: { ...partner.headers, ...headers },
      payload: bookingBody(product.activityId, { Participants: undefined, ...changes }),
    })
  const operate = (path: string, payload: object) =>
    app.inject({ method: 'POST', url: `/api/v2/operator${path}`, headers: operator.headers, payload })
  return { ...desk, adult, child, family, infant, units, post, operate }
}

const quantities = (booking: { Units: { UnitID: number; Quantity: number }[] }) =>
  booking.Units.map(({ UnitID, Quantity }) => [UnitID, Quantity])

t.test('a partner books units, and the response has the units and the total', async (t) => {
  const { post, units, adult, child, infant, taken } = await openFamilyDesk(t)
  const answer = await post({ Units: units([adult, 2], [child, 1], [infant, 1]) })
  t.equal(answer.statusCode, 201)
  const { Participants, Units, Total } = answer.json().data
  t.equal(Participants, 4)
  t.same(Total, { Amount: '115.00', Currency: 'EUR' })
  t.match(Units[1], {
    UnitID: child,
    Name: 'Child',
    Type: 'CHILD',
    Quantity: 1,
    UnitPrice: { Amount: '25.00' },
  })
  t.equal((await taken())['2030-06-15 10:00'], '3+0', 'an infant takes no place')
})

t.test(
  'participants without units buy the default unit, even if only the transaction can sell the product',
  async (t) => {
    const { post, adult, sql, taken } = await openFamilyDesk(t)
    const first = (await post({ Participants: 2 })).json().data
    await sql`update products set sells_plainly = false`
    const second = (await post({ Participants: 2 })).json().data
    t.match(first, { Participants: 2, Total: { Amount: '90.00' } })
    t.same(quantities(first), [[adult, 2]])
    t.same(second.Units, first.Units)
    t.equal((await taken())['2030-06-15 10:00'], '4+0')
    const rows = await sql`select units, participants, people, unit_price_minor from bookings order by id`
    t.same(rows[0], rows[1])
    const events = await sql`select details from events where type = 'booking.confirmed' order by id`
    t.same(events[0], { details: { Participants: 2, Units: [{ UnitID: adult, Quantity: 2 }] } })
    t.same(events[0], events[1])
  },
)

t.test('participants and units that disagree are refused, and so is a request with neither', async (t) => {
  const { post, units, adult, taken } = await openFamilyDesk(t)
  const disagreeing = await post({ Participants: 3, Units: units([adult, 2]) })
  t.equal(disagreeing.statusCode, 422)
  t.match(disagreeing.json().errors, [
    { field: 'Participants', message: 'must be 2, the number of people in Units' },
  ])
  const neither = await post({ Customer: undefined })
  t.match(neither.json().errors, [
    { field: 'Customer' },
    {},
    {},
    {},
    { field: 'Participants', message: 'is required' },
  ])
  t.equal((await taken())['2030-06-15 10:00'], '0+0')
})

t.test('a 422 names every rule that is broken', async (t) => {
  const { post, units, child, sql, product } = await openFamilyDesk(t)
  await sql`update products set min_places = 3, sells_plainly = false where id = ${product.id}`
  const answer = await post({ Units: units([child, 1]) })
  t.equal(answer.statusCode, 422)
  t.match(answer.json().errors, [
    { field: 'Units[0].Quantity', message: /^Child must be accompanied/ },
    { field: 'Units', message: 'must be at least 3 places in all' },
  ])
  t.match((await post({ Participants: 2 })).json().errors, [{ field: 'Participants' }])
  t.match((await post({ Units: units([999, 1]) })).json().errors, [{ field: 'Units[0].UnitID' }])
})

t.test(
  'units that need more places than are free are refused with the next timeslots that fit',
  async (t) => {
    const { post, units, family } = await openFamilyDesk(t)
    const answer = await post({ Units: units([family, 2]), Time: '14:00' })
    t.equal(answer.statusCode, 409)
    t.match(answer.json(), {
      Available: 4,
      Alternatives: [{ Date: '2030-06-16', Time: '10:00', Available: 10 }],
    })
  },
)

t.test('a booking is replayed for its idempotency key after a unit is withdrawn', async (t) => {
  const { post, units, adult, child, sql } = await openFamilyDesk(t)
  for (const request of [{ Units: units([adult, 1], [child, 1]) }, { Participants: 2 }]) {
    const key = { 'idempotency-key': randomUUID() }
    const first = await post(request, key)
    t.equal(first.statusCode, 201)
    await sql`update units set position = null where id = ${child!}`
    await sql`update products set price_minor = price_minor + 1`
    const again = await post(request, key)
    t.equal(again.headers['idempotency-replayed'], 'true')
    t.same(again.json(), first.json())
    await sql`update units set position = 1 where id = ${child!}`
  }
})

t.test('a response that was stored before units existed is replayed unchanged', async (t) => {
  const { post, sql } = await openFamilyDesk(t)
  const key = { 'idempotency-key': randomUUID() }
  const { Units, Total, ...first } = (await post({ Participants: 2 }, key)).json().data
  await sql`update idempotency_keys set response = ${sql.json(first)}`
  const again = await post({ Participants: 2 }, key)
  t.equal(again.statusCode, 201)
  t.same(again.json().data, first)
})

t.test(
  'a timeslot’s own prices take precedence over its schedule’s, and these over the unit’s',
  async (t) => {
    const { post, units, adult, child, sql, product } = await openFamilyDesk(t)
    const total = async (changes: object = {}) => {
      const answer = await post({ Units: units([adult, 1], [child, 1]), ...changes })
      return answer.json().data.Total.Amount
    }
    await sql`
    with schedule as (
      insert into schedules (account_id, product_id, from_date, to_date, weekdays, times, capacity, unit_prices)
      select account_id, id, '2030-06-01', '2030-06-30', '{6}', '{10:00}', 8, ${sql.json({ 0: 6000, [child!]: 3000 })}
      from products returning id
    )
    update timeslots set schedule_id = schedule.id from schedule where date = '2030-06-15' and time = '10:00'`
    t.equal(await total(), '70.00', 'own prices are read only if has_own_prices is set')
    await sql`update products set has_own_prices = true where id = ${product.id}`
    t.equal(await total(), '90.00')
    await sql`update timeslots set unit_prices = ${sql.json({ [adult!]: 100 })} where time = '10:00'`
    t.equal(await total(), '31.00')
    t.equal((await post({ Participants: 1 })).json().data.Total.Amount, '1.00')
    await sql`update schedules set unit_prices = ${sql.json({ [adult!]: 6000 })}`
    await sql`update timeslots set unit_prices = ${sql.json({ 0: 200 })} where time = '10:00'`
    t.equal(
      (await post({ Participants: 1 })).json().data.Total.Amount,
      '2.00',
      'the default unit may be named 0 or by its id',
    )
    t.equal(await total({ Time: '14:00' }), '70.00')
  },
)

t.test('a price change does not affect bookings that are already made', async (t) => {
  const { post, units, adult, child, sql, read } = await openFamilyDesk(t)
  const { BookingReference } = (await post({ Units: units([adult, 1], [child, 1]) })).json().data
  await sql`update units set price_minor = 1, name = 'Kid' where id = ${child!}`
  await sql`update products set price_minor = 1`
  const booking = (await read(`/${BookingReference}`)).json().data
  t.same(booking.Total, { Amount: '70.00', Currency: 'EUR' })
  t.equal(booking.Units[1].Name, 'Child')
})

t.test(
  'an amendment by units keeps sold prices, and the history has the old and the new units',
  async (t) => {
    const { post, units, adult, child, sql, act, history, taken, differences } = await openFamilyDesk(t)
    const { BookingReference } = (await post({ Units: units([adult, 1], [child, 1]) })).json().data
    await sql`update units set price_minor = 3000 where id = ${child!}`
    const amended = await act(BookingReference, 'amend', { Units: units([adult, 1], [child, 2]) })
    t.same(amended.json().data.Total, { Amount: '100.00', Currency: 'EUR' })
    t.match((await history(BookingReference)).at(-1), {
      Action: 'amended',
      Details: {
        From: 2,
        To: 3,
        FromUnits: units([adult, 1], [child, 1]),
        ToUnits: units([adult, 1], [child, 2]),
      },
    })
    t.equal((await act(BookingReference, 'amend', { Units: units([child, 1]) })).statusCode, 422)
    t.equal((await taken())['2030-06-15 10:00'], '3+0')
    t.same(await differences(), [])
  },
)

t.test('a move may add units, which are charged, and the history has both numbers of people', async (t) => {
  const { post, units, adult, child, act, taken, history } = await openFamilyDesk(t)
  const { BookingReference } = (await post({ Units: units([adult, 1], [child, 1]) })).json().data
  const there = { Date: '2030-06-16', Time: '10:00' }
  const moved = await act(BookingReference, 'move', { ...there, Units: units([adult, 2], [child, 1]) })
  t.same(moved.json().data.Total, { Amount: '115.00', Currency: 'EUR' })
  t.same(await taken(), { '2030-06-15 10:00': '0+0', '2030-06-15 14:00': '0+0', '2030-06-16 10:00': '3+0' })
  t.match((await history(BookingReference)).at(-1)!.Details, {
    FromParticipants: 2,
    ToParticipants: 3,
    ToUnits: units([adult, 2], [child, 1]),
  })
})

t.test('baskets and the till sell units, and name the line that breaks a rule', async (t) => {
  const { operate, units, adult, child, product, taken } = await openFamilyDesk(t)
  const line = { ActivityID: product.activityId, Date: '2030-06-15', Time: '10:00' }
  const lines = [
    { ...line, Units: units([adult, 1], [child, 1]) },
    { ...line, Participants: 1 },
  ]
  const basket = (await operate('/baskets', { Channel: 'pos', Lines: lines })).json().data
  t.same(basket.Total, { Amount: '115.00', Currency: 'EUR' })
  t.equal((await taken())['2030-06-15 10:00'], '0+3')
  const refused = await operate('/baskets', {
    Channel: 'pos',
    Lines: [lines[1], { ...line, Units: units([child, 1]) }, line],
  })
  t.match(refused.json().errors, [{ field: 'Lines[2].Participants' }])
  const broken = await operate('/baskets', {
    Channel: 'pos',
    Lines: [lines[1], { ...line, Units: units([child, 1]) }],
  })
  t.match(broken.json().errors, [{ field: 'Lines[1].Units[0].Quantity' }])
  const sale = await operate('/bookings', { ...line, Units: units([adult, 2]), Payment: { Method: 'cash' } })
  t.equal(sale.statusCode, 201)
  t.match(sale.json().data, { Participants: 2, Total: { Amount: '90.00' } })
})

t.test(
  'a party with units joins the waitlist, and is offered as many places as its units take',
  async (t) => {
    const { operate, units, family, infant, product, post, act, taken } = await openFamilyDesk(t)
    const { BookingReference } = (await post({ Participants: 4, Time: '14:00' })).json().data
    const place = { ActivityID: product.activityId, Date: '2030-06-15', Time: '14:00' }
    const { Customer } = bookingBody(product.activityId)
    const joined = await operate('/waitlist', { ...place, Units: units([family, 1], [infant, 1]), Customer })
    t.match(joined.json().data, { Participants: 5, Total: { Amount: '110.00' } })
    await act(BookingReference, 'cancel')
    t.equal((await taken())['2030-06-15 14:00'], '0+4')
  },
)
