/** The page that moves a booking: the price that it shows, and the price and the refund that it accepts. */
import t, { type Test } from 'tap'
import { makeProduct } from '../helper.ts'
import { giveUnits } from '../sales/booking/unit-fixtures.ts'
import { makeDashboard, textOf } from './fixtures.ts'

const [first, second] = ['2030-06-15', '2030-06-16'] as const

t.test(
  'a price that changed since the page was shown must be confirmed again at its new amount',
  async (t) => {
    const { sql, accountId, signIn, call } = await makeDashboard(t)
    const { activityId } = await makeProduct(sql, accountId, {
      slots: { [`${first} 10:00`]: 8, [`${second} 10:00`]: 8 },
    })
    await sql`update products set has_own_prices = true`
    const setPrice = (minor: number) =>
      sql`update timeslots set unit_prices = ${sql.json({ 0: minor })} where date = ${second}`
    await setPrice(6000)
    const { data } = await call('POST', '/bookings', {
      ...{ ActivityID: activityId, Date: first, Time: '10:00', Participants: 2, Payment: { Method: 'card' } },
      Customer: { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' },
    })
    const path = `/dashboard/bookings/${data.BookingReference}`
    const { get, post } = await signIn('staff')
    const there = { Date: second, Time: '10:00' }
    const shown = await get(`${path}/move/confirm?${new URLSearchParams(there)}`)
    t.match(shown.body, 'name="ExpectedTotal" value="120.00"')
    await setPrice(7000)
    const agreed = { ...there, Price: 'current', ExpectedTotal: '120.00' }
    const refused = await post(`${path}/move`, agreed)
    t.equal(refused.statusCode, 422)
    t.match(textOf(refused.body), 'Price has changed: today the booking costs €140.00 there. Choose again.')
    t.match(textOf(refused.body), 'Today’s price there: €140.00, €50.00 more')
    t.match(refused.body, 'name="ExpectedTotal" value="140.00"')
    t.match((await call('GET', `/bookings/${data.BookingReference}`)).data, { Date: first })
    const moved = await post(`${path}/move`, { ...agreed, ExpectedTotal: '140.00' })
    t.equal(moved.headers.location, `${path}?done=moved-owed`)
    t.match((await call('GET', `/bookings/${data.BookingReference}`)).data.Total, { Amount: '140.00' })
  },
)

t.test(
  'a refund that exceeds the difference at the changed price is refused, and the new price is shown',
  async (t) => {
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
    const move = (ExpectedTotal: string, amount: string) =>
      post(`${path}/move`, {
        ...{ Date: second, Time: '10:00', Price: 'current', ExpectedTotal },
        ...{ 'Refund.Choice': 'amount', 'Refund.Amount': amount },
      })
    const refused = await move('60.00', '20')
    t.equal(refused.statusCode, 422)
    t.match(textOf(refused.body), 'Price has changed: today the booking costs €88.00 there. Choose again.')
    t.match(refused.body, 'name="ExpectedTotal" value="88.00"')
    const tooMuch = await move('88.00', '20')
    t.equal(tooMuch.statusCode, 422)
    t.match(textOf(tooMuch.body), 'Part must be at most 2.00 EUR')
    t.match((await call('GET', `/bookings/${data.BookingReference}`)).data, { Date: first })
    t.equal((await move('88.00', '2')).headers.location, `${path}?done=moved-refund`)
    t.match((await call('GET', '/refunds')).data, [{ Refund: { Amount: '2.00' } }])
  },
)

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

/** Makes a booking of two people for 90.00, which costs 70.00 on the next day, and still 90.00 on its own day. */
async function makeBooking(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn, call } = dashboard
  const { activityId, id } = await makeProduct(sql, accountId, {
    slots: { [`${first} 10:00`]: 8, [`${second} 10:00`]: 8 },
  })
  await sql`update products set has_own_prices = true`
  await sql`update timeslots set unit_prices = ${sql.json({ 0: 3500 })} where date = ${second}`
  const { data } = await call('POST', '/bookings', {
    ...{ ActivityID: activityId, Date: first, Time: '10:00', Participants: 2, Payment: { Method: 'card' } },
    Customer: { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' },
  })
  const reference: string = data.BookingReference
  const path = `/dashboard/bookings/${reference}`
  const { get, post } = await signIn('staff')
  const read = async () => (await call('GET', `/bookings/${reference}`)).data
  const confirm = async (date: string, more: Record<string, string> = {}) => {
    const query = new URLSearchParams({ Date: date, Time: '10:00', ...more })
    return textOf((await get(`${path}/move/confirm?${query}`)).body)
  }
  const move = (date: string, fields: Record<string, string>) =>
    post(`${path}/move`, { Date: date, Time: '10:00', ...fields })
  return { ...dashboard, productId: id, path, get, post, read, confirm, move }
}

t.test(
  'a move at the kept price refuses a refund amount; for another refund choice, it says that nothing is paid back',
  async (t) => {
    const { move, read, path, get } = await makeBooking(t)
    const part = { Price: 'kept', 'Refund.Choice': 'amount', 'Refund.Amount': '12,50' }
    const refused = await move(second, part)
    t.equal(refused.statusCode, 422)
    t.match(textOf(refused.body), 'Part must be at most 0.00 EUR: the booking does not become cheaper')
    t.match(await read(), { Date: first })
    const moved = await move(second, { Price: 'kept', 'Refund.Choice': 'full' })
    t.equal(moved.headers.location, `${path}?done=moved-kept`)
    t.match(textOf((await get(moved.headers.location!)).body), 'It keeps its price, so nothing is paid back.')
    t.match(await read(), { Date: second, Total: { Amount: '90.00' } })
    const back = await move(first, { Price: 'kept' })
    t.equal(
      back.headers.location,
      `${path}?done=moved`,
      'without a refund choice, the page says nothing about it',
    )
  },
)

t.test('after a move with a refund, the page says where the refund is listed', async (t) => {
  const { move, path, get } = await makeBooking(t)
  const moved = await move(second, { Price: 'current', 'Refund.Choice': 'full' })
  t.equal(moved.headers.location, `${path}?done=moved-refund`)
  t.match(textOf((await get(moved.headers.location!)).body), 'The page Refunds lists the amount to pay back.')
})

t.test('after a move at a higher price, the page says where the amount to pay is shown', async (t) => {
  const { move, path, get } = await makeBooking(t)
  await move(second, { Price: 'current', 'Refund.Choice': 'none' })
  const moved = await move(first, { Price: 'current' })
  t.equal(moved.headers.location, `${path}?done=moved-owed`)
  t.match(
    textOf((await get(moved.headers.location!)).body),
    /The amount to pay is shown under Payments\..+Still to pay €20\.00/,
  )
})

t.test('kept money is no longer mentioned after the customer has paid it again', async (t) => {
  const { move, confirm, post, path, read } = await makeBooking(t)
  await move(second, { Price: 'current', 'Refund.Choice': 'none' })
  await move(first, { Price: 'current' })
  await move(second, { Price: 'kept' })
  const paid = await post(`${path}/payments`, { Method: 'card', Amount: '20' })
  t.equal(paid.statusCode, 303, paid.body)
  t.match((await read()).Ledger, { Kept: { Amount: '20.00' }, Balance: { Amount: '0.00' } })
  t.notMatch(await confirm(first), 'you kept')
})

t.test(
  'the page says that kept money is owed again at a higher price, and how much was kept before',
  async (t) => {
    const { move, confirm, read } = await makeBooking(t)
    const there = await confirm(second)
    t.match(
      there,
      'You keep the amount that is not paid back. If the price of the booking rises again later, the customer owes this amount again.',
    )
    t.notMatch(there, 'you kept')
    await move(second, { Price: 'current', 'Refund.Choice': 'none' })
    const back = await confirm(first)
    t.match(
      back,
      'At today’s price, the customer still has to pay €20.00. When the booking became cheaper, you kept €20.00',
    )
    await move(first, { Price: 'current' })
    t.match((await read()).Ledger, { Kept: { Amount: '20.00' }, Balance: { Amount: '20.00' } })
  },
)

t.test(
  'today’s price at another product needs units of the same names, and the page names the missing units',
  async (t) => {
    const { sql, accountId, productId, confirm, move, read, call } = await makeBooking(t)
    await sql`update products set has_own_prices = false`
    const [adult] = await giveUnits(sql, accountId, productId, [{ name: 'Adult' }])
    await sql`
    update bookings set units = ${sql.json([
      {
        ...{ id: adult!, name: 'Adult', type: 'OTHER', quantity: 2, priceMinor: 4500, places: 1, people: 1 },
      },
    ])}`
    const surf = await makeProduct(sql, accountId, { name: 'Surf', slots: { [`${second} 10:00`]: 8 } })
    const [there] = await giveUnits(sql, accountId, surf.id, [{ name: 'ADULT ' }])
    await sql`update products set price_minor = 4000 where id = ${surf.id}`
    const ProductID = String(surf.id)
    t.match(await confirm(second, { ProductID }), 'Today’s price there: €80.00, €10.00 less')
    await sql`update units set name = 'Senior' where id = ${there!}`
    t.match(
      await confirm(second, { ProductID }),
      'Today’s price cannot be used: this timeslot does not sell Adult, only Senior. To use today’s price, make a unit named Adult',
    )
    await sql`update products set currency = 'USD' where id = ${surf.id}`
    const inDollars = await confirm(second, { ProductID })
    t.match(inDollars, 'the booking was sold in EUR, and this timeslot sells in USD.')
    t.notMatch(inDollars, 'make a unit', 'a new unit would not help')
    await sql`update products set currency = 'EUR' where id = ${surf.id}`
    await sql`update units set name = 'ADULT ' where id = ${there!}`
    const { ActivityID } = (await call('GET', `/products/${surf.id}`)).data
    const moved = await move(second, { ActivityID, Price: 'current', ExpectedTotal: '80.00' })
    t.equal(moved.statusCode, 303)
    t.match(await read(), {
      ProductID: surf.id,
      Units: [{ UnitID: there, Quantity: 2 }],
      Total: { Amount: '80.00' },
    })
  },
)

t.test(
  'each timeslot to which a booking can move shows today’s price, and more timeslots need no more queries',
  async (t) => {
    const { services, sql, accountId, signIn, call } = await makeDashboard(t)
    const slots = Object.fromEntries(
      ['10:00', '11:00', '12:00', '13:00'].map((time) => [`${second} ${time}`, 8] as const),
    )
    const { activityId } = await makeProduct(sql, accountId, { slots: { [`${first} 10:00`]: 8, ...slots } })
    await sql`update products set has_own_prices = true`
    const setPrice = (time: string, minor: number) =>
      sql`update timeslots set unit_prices = ${sql.json({ 0: minor })} where date = ${second} and time = ${time}`
    await setPrice('10:00', 6000)
    await setPrice('11:00', 4000)
    const sale = { ActivityID: activityId, Date: first, Time: '10:00', Participants: 2 }
    const Customer = { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' }
    const { data } = await call('POST', '/bookings', { ...sale, Customer, Payment: { Method: 'card' } })
    const path = `/dashboard/bookings/${data.BookingReference}/move`
    const { get } = await signIn('staff')
    const text = textOf((await get(`${path}?From=${first}`)).body)
    t.match(text, /At today’s price .*10:00 8 €120\.00, €30\.00 more .*11:00 8 €80\.00, €10\.00 less/)
    t.match(text, /12:00 8 €90\.00, the same/)
    await sql`update products set currency = 'USD'`
    t.match(textOf((await get(`${path}?From=${first}`)).body), '€90.00; only if the booking keeps its price')
    await sql`update bookings set channel = 'partner'`
    t.notMatch(
      textOf((await get(`${path}?From=${first}`)).body),
      'At today’s price',
      'a booking of a partner keeps its price',
    )
    await sql`update bookings set channel = 'pos'`
    let queries = 0
    services.sql.options.debug = (_connection, query) => {
      if (/\b(bookings|timeslots|products|promotions)\b/.test(query)) queries++
    }
    const count = async (from: string) => {
      queries = 0
      await get(`${path}?From=${from}`)
      return queries
    }
    const many = await count(first)
    await sql`update timeslots set status = 'closed' where date = ${second} and time <> '10:00'`
    t.equal(await count(first), many)
  },
)
