/** Units on the pages of the dashboard: what is sold by unit is shown and changed by unit. */
import t, { type Test } from 'tap'
import { offerUrl } from '../../src/sales/waitlist/model.ts'
import { adult, child, family } from '../catalogue/units/fixtures.ts'
import { makeProduct } from '../helper.ts'
import { makeDashboard, textOf } from './fixtures.ts'
import { secretKey } from './world.ts'

const day = '2030-06-15'
const customer = { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' }
const traveller = {
  'Customer.FirstName': 'Grace',
  'Customer.LastName': 'Hopper',
  'Customer.Email': 'grace@example.com',
}

/** A product with adults, children and families, and a user with the role staff who sells it. */
async function makeSalesDesk(t: Test) {
  const dashboard = await makeDashboard(t, { environment: { SECRET_KEY: secretKey } })
  const { sql, accountId, signIn, call } = dashboard
  const { id: productId, activityId } = await makeProduct(sql, accountId, {
    slots: { [`${day} 10:00`]: 8, [`${day} 12:00`]: 8 },
  })
  const { data } = await call('PUT', `/products/${productId}/units`, { Units: [adult, child, family] })
  const [adults, children, families] = data.map(({ UnitID }: { UnitID: number }) => UnitID) as number[]
  const slots = await sql<{ id: number }[]>`select id from timeslots order by time`
  const { get, post } = await signIn('staff')
  const page = `/dashboard/sell?ProductID=${productId}&From=${day}`
  const field = (id: number | undefined, quantity: number | string) => ({ [`Unit-${id}`]: String(quantity) })
  const hold = (fields: Record<string, string>, time = '10:00') =>
    post(page, { ActivityID: activityId, Slot: `${day}T${time}`, ...fields })
  /** Books two adults and a child by the operator API; returns the booking reference. */
  const sell = async () => {
    const Units = [
      { UnitID: adults, Quantity: 2 },
      { UnitID: children, Quantity: 1 },
    ]
    const line = { ActivityID: activityId, Date: day, Time: '10:00', Units, Customer: customer }
    const sold = await call('POST', '/bookings', { ...line, Payment: { Method: 'cash' } })
    return sold.data.BookingReference as string
  }
  const show = async (path: string) => textOf((await get(path)).body)
  const ids = { adults, children, families, productId, slotIds: slots.map(({ id }) => id) }
  return { ...dashboard, ...ids, activityId, get, post, page, field, hold, sell, show }
}

t.test('a sale of a product with units', async (t) => {
  t.test('asks for how many of each unit, with its ages, its price and its rules', async (t) => {
    const { show, page } = await makeSalesDesk(t)
    const text = await show(page)
    t.match(text, 'Adult, €45.00')
    t.match(text, /Child \(4–11\), €20\.00 .{0,40}At most 6, only with Adult/)
    t.match(text, /Family, €99\.50 .{0,40}4 people each/)
    t.notMatch(text, 'How many')
  })

  t.test('shows the prices of each timeslot where they differ', async (t) => {
    const { show, page, sql, children, slotIds } = await makeSalesDesk(t)
    await sql`update timeslots set unit_prices = ${sql.json({ 0: 5000, [String(children)]: 2500 })}
      where id = ${slotIds[1]!}`
    await sql`update products set has_own_prices = true`
    const text = await show(page)
    t.match(text, /10:00 8 places free Adult €45.00, Child €20.00, Family €99.50/)
    t.match(text, /12:00 8 places free Adult €50.00, Child €25.00, Family €99.50/)
    t.match(text, 'Child (4–11), €20.00 to €25.00')
  })

  t.test('holds and sells what was chosen, and shows the price of each unit', async (t) => {
    const { get, post, hold, field, adults, children, families, call } = await makeSalesDesk(t)
    const { statusCode, headers } = await hold({
      ...field(adults, 2),
      ...field(children, 1),
      ...field(families, ''),
    })
    t.equal(statusCode, 303)
    const basket = textOf((await get(headers.location!)).body)
    t.match(basket, /2 × Adult, 1 × Child 2 × Adult at €45.00 1 × Child at €20.00 /)
    t.match(basket, 'To pay: €110.00')
    await post(`${headers.location}/pay`, { Method: 'cash' })
    t.match(textOf((await get(headers.location!)).body), /2 × Adult at €45.00 .* Paid: €110.00/)
    const [booking] = (await call('GET', '/bookings')).data
    t.match(booking, {
      Participants: 3,
      Total: { Amount: '110.00' },
      Units: [{ Name: 'Adult' }, { Name: 'Child' }],
    })
  })

  t.test('names each broken rule at the field of its unit', async (t) => {
    const { hold, field, children, families } = await makeSalesDesk(t)
    const wrong = await hold({ ...field(children, 7) })
    t.equal(wrong.statusCode, 422)
    t.match(
      wrong.body,
      `id="field-Unit-${children}-about">Child must be at most 6; must be accompanied by Adult`,
    )
    t.match(
      wrong.body,
      new RegExp(`name="Unit-${children}" value="7"[^>]* aria-invalid="true"`),
      'the page keeps what was typed',
    )
    const text = await hold({ ...field(families, 'two') })
    t.match(text.body, `id="field-Unit-${families}-about">Family must be a whole number`)
    const none = await hold({ ...field(children, '0') })
    t.equal(none.statusCode, 422)
    t.match(none.body, 'id="field-Units-about">Who comes needs a number in at least one of its fields')
  })

  t.test('refuses a unit that is no longer sold, and asks to choose again', async (t) => {
    const { hold, field, call, productId, children } = await makeSalesDesk(t)
    await call('PUT', `/products/${productId}/units`, { Units: [adult] })
    const gone = await hold(field(children, 1))
    t.equal(gone.statusCode, 422)
    t.match(textOf(gone.body), 'Who comes names units that have changed: choose again')
  })

  t.test('a party that needs more places than are free gets 409 with a timeslot that fits it', async (t) => {
    const { hold, field, families } = await makeSalesDesk(t)
    await hold(field(families, 1))
    const refused = await hold(field(families, 2))
    t.equal(refused.statusCode, 409)
    t.match(
      refused.body,
      new RegExp(`value="${day}T12:00">\\s*<input type="hidden" name="Unit-${families}" value="2">`),
    )
  })
})

t.test('a price per booking is shown with the number of people that it is for', async (t) => {
  const { sql, show, page, call, productId, hold } = await makeSalesDesk(t)
  await call('PUT', `/products/${productId}/units`, { Units: [] })
  await sql`update products set priced_per_booking = true, takes_timeslot = true, max_places = 6, sells_plainly = false`
  t.match(await show(page), '€45.00 for the whole booking, for up to 6 people. It takes the whole timeslot.')
  const tooMany = await hold({ Participants: '7' })
  t.equal(tooMany.statusCode, 422)
  t.match(textOf(tooMany.body), 'How many must be at most 6 people in all')
  const { headers } = await hold({ Participants: '4' })
  t.match(await show(headers.location!), /4 people .*To pay: €45.00/)
})

t.test('a booking with units', async (t) => {
  t.test('shows its units, the price of each, and the total', async (t) => {
    const { sell, show } = await makeSalesDesk(t)
    const text = await show(`/dashboard/bookings/${await sell()}`)
    t.match(text, 'Party 2 × Adult, 1 × Child Prices 2 × Adult at €45.00, 1 × Child at €20.00 Total €110.00')
    t.match(text, /confirmed the booking for 2 × Adult, 1 × Child/, 'also in its history')
  })

  t.test('shows by how much its price was reduced', async (t) => {
    const { sell, show, sql } = await makeSalesDesk(t)
    const reference = await sell()
    await sql`update bookings set discount_minor = 1000`
    t.match(await show(`/dashboard/bookings/${reference}`), 'Reduced by €10.00 Total €100.00')
  })

  t.test('is amended by unit, and its history says what changed', async (t) => {
    const { sell, show, get, post, field, adults, children, families } = await makeSalesDesk(t)
    const path = `/dashboard/bookings/${await sell()}`
    const { body } = await get(path)
    t.match(body, new RegExp(`name="Unit-${adults}" value="2"`))
    t.match(body, new RegExp(`name="Unit-${families}" value=""`))
    const wanted = { ...field(adults, 3), ...field(children, 0), ...field(families, 1) }
    t.equal((await post(`${path}/amend`, wanted)).headers.location, `${path}?done=amended-owed`)
    const text = await show(path)
    t.match(text, 'Party 3 × Adult, 1 × Family (7 people)')
    t.match(text, 'Adult from 2 to 3, Child from 1 to 0, Family from 0 to 1')
    const refused = await post(`${path}/amend`, field(children, 2))
    t.equal(refused.statusCode, 422)
    t.match(textOf(refused.body), 'Child must be accompanied by Adult')
  })

  t.test('keeps a unit that is no longer sold, and can have fewer of it', async (t) => {
    const { sell, show, post, call, productId, field, adults, children } = await makeSalesDesk(t)
    const path = `/dashboard/bookings/${await sell()}`
    await call('PUT', `/products/${productId}/units`, { Units: [{ ...adult, UnitID: adults }] })
    t.match(await show(path), /Child, no longer sold .{0,40}At most 1/)
    const wanted = { ...field(adults, 4), ...field(children, 1) }
    t.equal((await post(`${path}/amend`, wanted)).statusCode, 303)
    t.match(await show(path), 'Party 4 × Adult, 1 × Child')
    t.equal((await post(`${path}/amend`, { ...field(adults, 4), ...field(children, 0) })).statusCode, 303)
    t.match(await show(path), 'Party 4 × Adult Prices')
  })

  t.test('shows its units in lists, on the page that moves it, and at check-in', async (t) => {
    const { sell, show, slotIds } = await makeSalesDesk(t)
    const reference = await sell()
    t.match(await show('/dashboard/bookings'), /Ada Lovelace .*2 × Adult, 1 × Child €110\.00/)
    t.match(await show(`/dashboard/bookings/${reference}/move`), 'Ada Lovelace, 2 × Adult, 1 × Child, Kayak')
    t.match(await show(`/dashboard/today?Date=${day}`), /Ada Lovelace , 2 × Adult, 1 × Child .* €110.00/)
    t.match(
      await show(`/dashboard/calendar/timeslots/${slotIds[0]}`),
      `${reference} Ada Lovelace 2 × Adult, 1 × Child €110.00`,
    )
  })

  t.test('has its units and its total in the CSV file', async (t) => {
    const { sell, get } = await makeSalesDesk(t)
    await sell()
    const [head, row] = (await get('/dashboard/bookings.csv')).body.trim().split('\r\n')
    t.match(head, /,CancelReason,Units,Total(,|$)/)
    t.match(row, /,"2 × Adult, 1 × Child",110\.00(,|$)/)
  })
})

t.test(
  'a party with units joins the waitlist of a full timeslot, and the pages show its units and its price',
  async (t) => {
    const { call, post, show, field, activityId, adults, children, families, slotIds, sql, app, accountId } =
      await makeSalesDesk(t)
    const line = {
      ActivityID: activityId,
      Date: day,
      Time: '10:00',
      Units: [{ UnitID: families, Quantity: 2 }],
    }
    await call('POST', '/bookings', { ...line, Payment: { Method: 'cash' } })
    const path = `/dashboard/calendar/timeslots/${slotIds[0]}`
    const wrong = await post(`${path}/waitlist`, { ...traveller, ...field(children, 1) })
    t.equal(wrong.statusCode, 422)
    t.match(textOf(wrong.body), 'Child must be accompanied by Adult')
    const joined = await post(`${path}/waitlist`, {
      ...traveller,
      ...field(adults, 1),
      ...field(children, 2),
    })
    t.equal(joined.statusCode, 303)
    const waiting = /Grace Hopper .* 1 × Adult, 2 × Child €85.00 waiting/
    t.match(await show(path), /Grace Hopper \w+ 1 × Adult, 2 × Child, €85.00 waiting/)
    t.match(await show('/dashboard/calendar/waitlist'), waiting)
    const [entry] = await sql<{ id: number }[]>`select id from waitlist_entries`
    const link = offerUrl('', secretKey, { accountId, entryId: entry!.id })
    t.match(textOf((await app.inject({ url: link })).body), '1 × Adult, 2 × Child, €85.00 in all')
  },
)
