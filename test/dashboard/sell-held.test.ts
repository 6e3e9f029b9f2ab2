/** Held sales: listed, shown on their bookings, and resumed there. */
import t, { type Test } from 'tap'
import { makeProduct } from '../helper.ts'
import { makeDashboard, textOf } from './fixtures.ts'

async function makeSalesDesk(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn, call } = dashboard
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 20 } })
  const [ada, bo] = [await signIn('staff', 'ada@quay.test'), await signIn('staff', 'bo@quay.test')]
  const form = { ActivityID: activityId, Slot: '2030-06-15T10:00', Participants: '2' }
  /** Begins a sale as Ada, and returns its address. */
  const hold = async () => (await ada.post('/dashboard/sell', form)).headers.location!
  const line = { ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 1 }
  const bookings = async () => (await call('GET', '/bookings')).data
  return { ...dashboard, ada, bo, hold, line, bookings }
}

t.test('a held sale is in the list with its customer, product, party, total, channel and user', async (t) => {
  const { ada, bo, hold, line, call } = await makeSalesDesk(t)
  t.match(textOf((await bo.get('/dashboard/sell/held')).body), 'No sale is held now.')
  const path = await hold()
  await ada.post(`${path}/customer`, { 'Customer.FirstName': 'Grace', 'Customer.LastName': 'Hopper' })
  const customer = { FirstName: 'Ina', LastName: 'Net', Email: 'ina@example.com' }
  await call('POST', '/baskets', { Channel: 'online', Lines: [line], Customer: customer })
  const { body } = await bo.get('/dashboard/sell/held')
  t.match(textOf(body), /Grace Hopper .*Kayak, .*2 people .*€90\.00 Point of sale ada@quay\.test/)
  t.match(textOf(body), /Ina Net .*€45\.00 Online/)
  for (const page of ['/dashboard/sell', '/dashboard/bookings'])
    t.match((await bo.get(page)).body, 'href="/dashboard/sell/held"', `the list is linked on ${page}`)
})

t.test('a sale that is paid or released is not in the list', async (t) => {
  const { ada, bo, hold } = await makeSalesDesk(t)
  const [paid, released] = [await hold(), await hold()]
  await ada.post(`${paid}/pay`, { Method: 'cash' })
  const sent = await bo.post(`${released}/release`, { Back: 'held' })
  t.equal(sent.headers.location, '/dashboard/sell/held?done=places-released')
  t.match(textOf((await bo.get('/dashboard/sell/held')).body), 'No sale is held now.')
})

t.test('another user of the account resumes and extends a held sale, and takes its payment', async (t) => {
  const { bo, hold, call, bookings } = await makeSalesDesk(t)
  const path = await hold()
  const { body } = await bo.get('/dashboard/sell/held')
  t.match(body, `href="${path}"`)
  t.match(body, `href="${path}/pay"`)
  t.equal((await bo.get(path)).statusCode, 200)
  const longer = await bo.post(`${path}/extend`, { Back: 'held' })
  t.equal(longer.headers.location, '/dashboard/sell/held?done=held-longer')
  t.equal((await bo.post(`${path}/pay`, { Method: 'cash' })).statusCode, 303)
  const [booking] = await bookings()
  t.equal(booking.Status, 'confirmed')
  const { History } = (await call('GET', `/bookings/${booking.BookingReference}`)).data
  t.same(
    History.map(({ Action, Actor }: { Action: string; Actor: { Name: string } }) => [Action, Actor.Name]),
    [
      ['held', 'ada@quay.test'],
      ['confirmed', 'bo@quay.test'],
    ],
  )
})

t.test('a held booking links to its sale, and its places can be released', async (t) => {
  const { bo, hold, bookings } = await makeSalesDesk(t)
  const path = await hold()
  const [{ BookingReference: reference }] = await bookings()
  const page = `/dashboard/bookings/${reference}`
  const { body } = await bo.get(page)
  t.match(textOf(body), 'A sale that is not paid yet holds its places. Resume')
  for (const to of [path, `${path}/pay`]) t.match(body, `href="${to}"`)
  t.equal((await bo.post(`${path}/extend`, { Back: reference })).headers.location, `${page}?done=held-longer`)
  const sent = await bo.post(`${path}/release`, { Back: reference })
  t.equal(sent.headers.location, `${page}?done=places-released`)
  t.notMatch((await bo.get(page)).body, 'holds its places')
})

t.test('no page offers to hold a sale for longer than its limit', async (t) => {
  const { bo, hold, bookings, sql } = await makeSalesDesk(t)
  const path = await hold()
  const [{ BookingReference: reference }] = await bookings()
  const pages = [
    path,
    `${path}/pay?Nameless=true`,
    '/dashboard/sell/held',
    `/dashboard/bookings/${reference}`,
  ]
  for (const page of pages) t.match((await bo.get(page)).body, `${path}/extend`, page)
  await sql`update baskets set hold_limit_at = expires_at`
  t.equal((await bo.post(`${path}/extend`)).statusCode, 409)
  for (const page of pages) t.notMatch((await bo.get(page)).body, `${path}/extend`, page)
})

t.test('a return address on another site is refused', async (t) => {
  const { bo, hold } = await makeSalesDesk(t)
  const path = await hold()
  t.equal((await bo.post(`${path}/extend`, { Back: '//elsewhere.test' })).statusCode, 422)
  t.equal((await bo.post(`${path}/extend`, { Back: 'elsewhere.test/' })).statusCode, 422)
})
