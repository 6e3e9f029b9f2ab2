/** The page that moves a booking agrees on a price, and takes no other. */
import t from 'tap'
import { makeProduct } from '../helper.ts'
import { makeDashboard, textOf } from './fixtures.ts'

const [first, second] = ['2030-06-15', '2030-06-16'] as const

t.test(
  'a price that changed since the page was shown is shown again, and taken when it is chosen',
  async (t) => {
    const { sql, accountId, signIn, call } = await makeDashboard(t)
    const { activityId } = await makeProduct(sql, accountId, {
      slots: { [`${first} 10:00`]: 8, [`${second} 10:00`]: 8 },
    })
    await sql`update products set has_own_prices = true`
    const price = (minor: number) =>
      sql`update timeslots set unit_prices = ${sql.json({ 0: minor })} where date = ${second}`
    await price(6000)
    const { data } = await call('POST', '/bookings', {
      ...{ ActivityID: activityId, Date: first, Time: '10:00', Participants: 2, Payment: { Method: 'card' } },
      Customer: { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' },
    })
    const path = `/dashboard/bookings/${data.BookingReference}`
    const { get, post } = await signIn('staff')
    const there = { Date: second, Time: '10:00' }
    const shown = await get(`${path}/move/confirm?${new URLSearchParams(there)}`)
    t.match(shown.body, 'name="ExpectedTotal" value="120.00"')
    await price(7000)
    const agreed = { ...there, Price: 'current', ExpectedTotal: '120.00' }
    const refused = await post(`${path}/move`, agreed)
    t.equal(refused.statusCode, 422)
    t.match(textOf(refused.body), 'Price has changed: today the booking costs €140.00 there. Choose again.')
    t.match(textOf(refused.body), 'Today’s price there: €140.00, €50.00 more')
    t.match(refused.body, 'name="ExpectedTotal" value="140.00"')
    t.match((await call('GET', `/bookings/${data.BookingReference}`)).data, { Date: first })
    const moved = await post(`${path}/move`, { ...agreed, ExpectedTotal: '140.00' })
    t.equal(moved.headers.location, `${path}?done=moved`)
    t.match((await call('GET', `/bookings/${data.BookingReference}`)).data.Total, { Amount: '140.00' })
  },
)

t.test('a refund that the new price leaves no room for is asked for again, with the new price', async (t) => {
  const { sql, accountId, signIn, call } = await makeDashboard(t)
  const { activityId } = await makeProduct(sql, accountId, {
    slots: { [`${first} 10:00`]: 8, [`${second} 10:00`]: 8 },
  })
  await sql`update products set has_own_prices = true`
  await sql`update timeslots set unit_prices = ${sql.json({ 0: 4400 })} where date = ${second}`
  const { data } = await call('POST', '/bookings', {
    ...{ ActivityID: activityId, Date: first, Time: '10:00', Participants: 2, Payment: { Method: 'card' } },
    Customer: { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' },
  })
  const path = `/dashboard/bookings/${data.BookingReference}`
  const { post } = await signIn('staff')
  const agreed = { Date: second, Time: '10:00', Price: 'current', ExpectedTotal: '60.00' }
  const refused = await post(`${path}/move`, {
    ...agreed,
    'Refund.Choice': 'amount',
    'Refund.Amount': '20',
  })
  t.equal(refused.statusCode, 422)
  t.match(textOf(refused.body), 'Price has changed: today the booking costs €88.00 there. Choose again.')
  t.match(refused.body, 'name="ExpectedTotal" value="88.00"')
})

t.test('a booking that keeps its price is moved, no matter what the product costs there today', async (t) => {
  const { sql, accountId, signIn, call } = await makeDashboard(t)
  const { activityId } = await makeProduct(sql, accountId, {
    slots: { [`${first} 10:00`]: 8, [`${second} 10:00`]: 8 },
  })
  const { data } = await call('POST', '/bookings', {
    ...{ ActivityID: activityId, Date: first, Time: '10:00', Participants: 2, Payment: { Method: 'card' } },
    Customer: { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' },
  })
  const path = `/dashboard/bookings/${data.BookingReference}`
  const { post } = await signIn('staff')
  const form = { Date: second, Time: '10:00', Price: 'kept', ExpectedTotal: '120.00' }
  t.equal((await post(`${path}/move`, form)).headers.location, `${path}?done=moved`)
  t.match((await call('GET', `/bookings/${data.BookingReference}`)).data.Total, { Amount: '90.00' })
})
