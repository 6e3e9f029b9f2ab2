import t, { type Test } from 'tap'
import { dateIn } from '../../src/platform/text/calendar.ts'
import { makeCaller, makeProduct } from '../helper.ts'
import { makeDashboard, textOf } from './fixtures.ts'

async function makeSalesDesk(t: Test, { price = 4500 } = {}) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn, call } = dashboard
  const { id: productId, activityId } = await makeProduct(sql, accountId, {
    slots: { '2030-06-15 10:00': 4, '2030-06-15 12:00': 8 },
    inShopfront: false,
  })
  await sql`update products set price_minor = ${price}`
  const { get, post } = await signIn('staff')
  const hold = (fields: Record<string, string> = {}, once?: string) =>
    post(
      '/dashboard/sell',
      { ActivityID: activityId, Slot: '2030-06-15T10:00', Participants: '2', ...fields },
      once === undefined ? {} : { once },
    )
  const slots = async () => (await call('GET', '/timeslots')).data
  return { ...dashboard, productId, activityId, get, post, hold, slots }
}

t.test('a sale', async (t) => {
  t.test('shows the next timeslots on sale of all products, until a product is chosen', async (t) => {
    const { sql, accountId, get, productId } = await makeSalesDesk(t)
    await makeProduct(sql, accountId, { name: 'Canoe', slots: { '2030-06-15 11:00': 3 } })
    const { body } = await get('/dashboard/sell?From=2030-06-15&Participants=2')
    t.match(textOf(body), /Next on sale 10:00 Kayak .*4 places free 11:00 Canoe .*3 places free 12:00 Kayak/)
    const query = `ProductID=${productId}&#38;From=2030-06-15&#38;Slot=2030-06-15T10:00&#38;Participants=2`
    t.match(body, `href="/dashboard/sell?${query}"`)
    await sql`update timeslots set booked = capacity where time = '10:00'`
    t.notMatch(textOf((await get('/dashboard/sell?From=2030-06-15')).body), '10:00 Kayak')
  })

  t.test('begins with a timeslot, and holds its places', async (t) => {
    const { get, hold, slots, productId } = await makeSalesDesk(t)
    const { body } = await get(`/dashboard/sell?ProductID=${productId}&From=2030-06-15`)
    t.match(body, /value="2030-06-15T10:00"/)
    t.match(body, '4 places free')
    const once = crypto.randomUUID()
    const [answer, again] = [await hold({}, once), await hold({}, once)]
    t.equal(answer.statusCode, 303)
    t.match(answer.headers.location, /^\/dashboard\/sell\/\d+$/)
    const location = `${answer.headers.location}?done=held-already`
    t.equal(again.headers.location, location, 'sent twice, held once')
    t.match((await slots())[0], { Held: 2, Available: 2 })
    const page = await get(answer.headers.location!)
    t.match(page.body, /Held<\/span> until <time datetime="/)
    t.match(page.body, '€90.00')
  })

  t.test('shows the timeslots of a day that have not begun, even after many that have begun', async (t) => {
    const { sql, accountId, get } = await makeSalesDesk(t)
    // A time zone in which it is between nine and ten in the evening now.
    const hours = (45 - new Date().getUTCHours()) % 24
    const ahead = hours > 12 ? hours - 24 : hours
    const timeZone = ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
    const date = dateIn(timeZone, new Date())
    const begun = Array.from({ length: 60 }, (_, n) => `${date} ${10 + Math.floor(n / 10)}:${10 + (n % 10)}`)
    const slots = Object.fromEntries([...begun, `${date} 23:30`].map((when) => [when, 4]))
    const { id } = await makeProduct(sql, accountId, { name: 'Lift', timeZone, slots })
    const { body } = await get(`/dashboard/sell?ProductID=${id}&From=${date}`)
    t.match(body, `value="${date}T23:30"`)
    t.notMatch(body, `value="${date}T10:10"`)
  })

  t.test('shows all timeslots of a day, however many there are, and then leads to later days', async (t) => {
    const { sql, get, productId } = await makeSalesDesk(t)
    await sql`
      insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
      select account_id, product_id, date + 1, time '00:01' + n * interval '1 minute',
        starts_at + interval '14 hours' + n * interval '1 minute', 8
      from timeslots cross join generate_series(0, 1438) as n where id = (select min(id) from timeslots)`
    const page = (from: string) => get(`/dashboard/sell?ProductID=${productId}&From=${from}`)
    const before = (await page('2030-06-15')).body
    t.match(before, 'value="2030-06-15T12:00"')
    t.notMatch(before, 'value="2030-06-16', 'a day that is not shown as a whole is left for the next page')
    t.match(before, /From=2030-06-16[^"]*">Later timeslots/)
    const whole = (await page('2030-06-16')).body
    for (const time of ['00:01', '05:30', '23:59']) t.match(whole, `value="2030-06-16T${time}"`)
    t.notMatch(textOf(whole), 'Later timeslots')
    await sql`
      insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
      select account_id, product_id, date + 2, time, starts_at + interval '2 days', 8
      from timeslots where id = (select min(id) from timeslots)`
    const { body } = await page('2030-06-16')
    t.match(body, 'value="2030-06-16T23:59"')
    t.match(body, /From=2030-06-17[^"]*">Later timeslots/)
    t.match((await page('2030-06-17')).body, 'value="2030-06-17T10:00"')
  })

  t.test('is paid, and then shows the reference of the booking', async (t) => {
    const { get, post, hold, slots, call } = await makeSalesDesk(t)
    const { location } = (await hold()).headers
    const customer = { 'Customer.FirstName': 'Grace', 'Customer.Email': 'grace@example.com' }
    t.equal((await post(`${location}/customer`, customer)).headers.location, `${location}/pay`)
    t.match((await get(`${location}/pay`)).body, 'Take €90.00')
    t.equal((await post(`${location}/pay`, { Method: 'shells' })).statusCode, 422)
    const once = crypto.randomUUID()
    for (const _ of [1, 2]) {
      const paid = await post(`${location}/pay`, { Method: 'card', Reference: 'T1-7' }, { once })
      t.equal(paid.headers.location, location)
    }
    const [booking, ...others] = (await call('GET', '/bookings')).data
    t.match(booking, {
      Status: 'confirmed',
      Channel: 'pos',
      Participants: 2,
      PaymentReference: 'T1-7',
      Customer: { FirstName: 'Grace' },
    })
    t.same(others, [])
    t.match((await slots())[0], { Booked: 2, Held: 0 })
    const { body } = await get(location!)
    t.match(body, new RegExp(`class="reference"><a href="/dashboard/bookings/${booking.BookingReference}"`))
    t.match(body, 'card, T1-7')
    const { History } = (await call('GET', `/bookings/${booking.BookingReference}`)).data
    t.ok(
      History.every(({ Actor }: { Actor: { Name: string } }) => Actor.Name === 'staff@quay.test'),
      'the history names the seller',
    )
    t.equal((await get(`${location}/pay`)).headers.location, location, 'and nothing is left to pay')
  })

  t.test('a sale of a free product is completed at the till too', async (t) => {
    const { get, post, hold, call } = await makeSalesDesk(t, { price: 0 })
    const { location } = (await hold()).headers
    t.match((await get(`${location}/pay?Nameless=true`)).body, 'Confirm without a payment')
    t.equal((await post(`${location}/pay`, { Method: 'cash' })).statusCode, 303)
    t.equal((await call('GET', '/bookings')).data[0].Status, 'confirmed')
  })

  t.test('can be held for longer, and its places can be released', async (t) => {
    const { get, post, hold, slots } = await makeSalesDesk(t)
    const { location } = (await hold()).headers
    t.equal((await post(`${location}/extend`)).headers.location, `${location}?done=held-longer`)
    t.equal((await post(`${location}/release`)).headers.location, '/dashboard/sell?done=places-released')
    t.match((await slots())[0], { Held: 0 })
    t.match((await get(location!)).body, 'were released')
    const late = await post(`${location}/pay`, { Method: 'cash' })
    t.equal(late.headers.location, `${location}?done=sale-was-released`)
  })

  t.test('is completed after its hold has expired, if the places are still free', async (t) => {
    const { get, post, hold, sql, slots } = await makeSalesDesk(t)
    const { location } = (await hold()).headers
    await sql`update baskets set expires_at = now() - interval '1 minute'`
    t.equal((await post(`${location}/pay`, { Method: 'cash' })).statusCode, 303)
    t.match((await get(location!)).body, 'class="reference"')
    t.match((await slots())[0], { Booked: 2 })
  })

  t.test('a sale of more places than are free is refused, and the page shows an alternative', async (t) => {
    const { hold, slots, activityId } = await makeSalesDesk(t)
    const answer = await hold({ Participants: '5' })
    t.equal(answer.statusCode, 409)
    t.match(answer.body, 'The timeslot has 4 places left')
    const beside = 'id="field-Participants-about">Only 4 places are free<'
    t.match(answer.body, beside)
    t.match(answer.body, new RegExp(`value="${activityId}"[\\s\\S]*name="Slot" value="2030-06-15T12:00"`))
    t.match((await slots())[0], { Held: 0 })
  })

  t.test('names the number of free places if it is lower than the limit for one booking', async (t) => {
    const { hold, sql } = await makeSalesDesk(t)
    await sql`update products set max_places = 10`
    t.match(textOf((await hold({ Participants: '12' })).body), 'Only 4 places are free')
    await sql`update timeslots set capacity = 10`
    const { statusCode, body } = await hold({ Participants: '12' })
    t.equal(statusCode, 422)
    t.match(textOf(body), 'How many must be at most 10 places in all')
  })

  t.test('if no timeslot is chosen, errors in the party are named in the same response', async (t) => {
    const { post, hold, activityId, productId, sql } = await makeSalesDesk(t)
    await sql`update products set max_places = 3`
    const fields = { ActivityID: activityId, Participants: '9' }
    const answer = await post(`/dashboard/sell?ProductID=${productId}&From=2030-06-15`, fields)
    t.equal(answer.statusCode, 422)
    t.match(textOf(answer.body), /Timeslot .*How many must be at most 3 places in all/)
    t.match(answer.body, /#field-Slot[\s\S]*#field-Participants/)
    t.match(answer.body, '<span class="fault" id="field-Slot-about">Timeslot', 'also beside the timeslots')
    t.equal((await hold({ Slot: '2030-13-45T10:00' })).statusCode, 422)
  })

  t.test('refuses a form with a wrong CSRF token, and a basket of another account', async (t) => {
    const { app, get, post, hold, sql, slots } = await makeSalesDesk(t)
    const { location } = (await hold()).headers
    t.equal((await post(`${location}/pay`, { Method: 'cash' }, { csrf: 'guessed' })).statusCode, 403)
    const { accountId, headers } = await makeCaller(sql, { slug: 'pier', scopes: ['operator'] })
    const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 4 } })
    const line = { ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 1 }
    const theirs = await app.inject({
      method: 'POST',
      url: '/api/v2/operator/baskets',
      headers,
      payload: { Channel: 'pos', Lines: [line] },
    })
    const path = `/dashboard/sell/${theirs.json().data.BasketID}`
    t.equal((await get(path)).statusCode, 404)
    for (const action of ['pay', 'release', 'extend', 'customer'])
      t.equal((await post(`${path}/${action}`, { Method: 'cash' })).statusCode, 404, action)
    t.equal(
      (await hold({ ActivityID: activityId })).statusCode,
      422,
      'products of another account cannot be sold',
    )
    t.match((await slots())[0], { Held: 2 })
  })
})
