/** A customer's personal data in the dashboard: owners see, download and erase it. */
import t from 'tap'
import { makeProduct } from '../helper.ts'
import { customer } from '../sales/basket/fixtures.ts'
import { makeDashboard, textOf } from './fixtures.ts'

const slots = { '2030-06-15 10:00': 8 }

t.test('owners download and erase the data of the customer of a booking', async (t) => {
  const { sql, accountId, signIn, call, book } = await makeDashboard(t)
  const { id, activityId } = await makeProduct(sql, accountId, { slots })
  await sql`
    insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
    values (${accountId}, ${id}, 1, 'Can you swim?', 'text', true, '{}', 'booking')`
  const { reference } = await book(activityId, { Date: '2030-06-15', Customer: customer })
  const second = await book(activityId, {
    Date: '2030-06-15',
    Customer: { ...customer, Email: 'ADA@example.com' },
  })
  await book(activityId, { Date: '2030-06-15', Customer: { ...customer, Email: 'b@example.com' } })
  const [owner, staff] = [await signIn(), await signIn('staff')]
  const path = `/dashboard/customers/${reference}`

  const before = (await owner.get(`/dashboard/bookings/${reference}`)).body
  t.match(before, `href="${path}"`)
  t.match(textOf(before), 'Customer and answers')
  t.match(textOf(before), 'Still to ask: Can you swim?')
  t.notMatch((await staff.get(`/dashboard/bookings/${reference}`)).body, path)
  const page = textOf((await owner.get(path)).body)
  t.match(page, new RegExp(`known by ada@example.com.*${reference} To come .*${second.reference} To come`))

  const file = await owner.get(`${path}/data.json`)
  t.match(file.headers, {
    'content-type': /^application\/json/,
    'content-disposition': `attachment; filename="customer-${reference}.json"`,
    'cache-control': 'no-store',
  })
  t.match(file.json(), {
    Bookings: [{ BookingReference: reference }, { BookingReference: second.reference }],
  })
  t.equal(file.json().Bookings.length, 2)

  await owner.post(`/dashboard/bookings/${reference}/amend`, { Participants: '1' })
  const findStoredResponses = () =>
    sql`select from idempotency_keys where response::text ilike '%ada@example.com%'`
  t.equal((await findStoredResponses()).length, 1)
  const refused = await owner.post(`${path}/erase`)
  t.equal(refused.statusCode, 409)
  t.match(textOf(refused.body), `not over yet: ${reference}, ${second.reference}.`)
  const done = await owner.post(`${path}/erase`, { EvenUpcoming: 'true' })
  t.equal(done.statusCode, 303)
  const after = textOf((await owner.get(String(done.headers.location))).body)
  t.match(after, /The customer is erased from all/)
  t.notMatch(after, 'Customer and answers', 'the page no longer links to the form of the customer')
  t.match(textOf((await owner.get(path)).body), 'The customer’s data in this booking has been erased.')
  const booking = `/dashboard/bookings/${reference}`
  t.notMatch((await owner.get(booking)).body, `action="${booking}/notes"`, 'the page has no form for notes')
  t.notMatch(after, 'Still to ask', 'the page does not ask for answers')
  t.equal((await owner.get(`${booking}/customer`)).headers.location, booking)
  const late = await owner.post(`${booking}/customer`, { 'Customer.LastName': 'King' })
  t.equal(late.statusCode, 409)
  t.match(textOf(late.body), 'The personal data of this booking’s customer has been erased.')
  t.notMatch(late.body, `action="${booking}/customer"`)
  t.match((await call('GET', `/bookings/${reference}`)).data, {
    Customer: { FirstName: 'Erased', Email: null },
    History: [
      { Action: 'confirmed' },
      { Action: 'amended' },
      { Action: 'customer-erased', Actor: { Kind: 'user', Name: owner.email } },
    ],
  })
  t.equal((await findStoredResponses()).length, 0)
  t.match(await sql`select * from erasures`, [{ cause: 'dashboard', user_id: owner.userId, bookings: 2 }])
  t.match(await sql`select email from bookings where email is not null`, [{ email: 'b@example.com' }])
})

t.test('an erasure clears the holder of a scanned or redeemed ticket from stored responses', async (t) => {
  const { sql, accountId, signIn, call, book } = await makeDashboard(t)
  const { activityId } = await makeProduct(sql, accountId, { slots })
  const own = await book(activityId, { Date: '2030-06-15', Customer: customer })
  const bo = { FirstName: 'Bo', LastName: 'Berg', Email: 'bo@example.com' }
  const other = await book(activityId, { Date: '2030-06-15', Customer: bo })
  const path = `/bookings/${other.reference}/tickets`
  const tickets = (await call('POST', path)).data as { TicketID: string }[]
  for (const { TicketID } of tickets)
    await call('PATCH', `${path}/${TicketID}`, { Contact: { ...customer, Email: 'ADA@example.com' } })
  const owner = await signIn()
  await owner.post('/dashboard/scan', { Code: tickets[0]!.TicketID, Anyway: 'true' })
  await owner.post(`/dashboard${path}/${tickets[1]!.TicketID}/redeem`)
  const stored = (text: string) =>
    sql`select operation from idempotency_keys where response::text ilike ${`%${text}%`} order by operation`
  const operations = ['dashboard.scan', 'dashboard.ticket.redeem']
  t.same(
    (await stored('ada@example.com')).map(({ operation }) => operation),
    operations,
  )
  const erase = `/dashboard/customers/${own.reference}/erase`
  t.equal((await owner.post(erase, { EvenUpcoming: 'true' })).statusCode, 303)
  t.same(await stored('ada@example.com'), [])
  t.match(await stored('bo@example.com'), [{ operation: 'dashboard.scan' }], 'another customer stays')
})

t.test('a customer cannot be erased while one of their bookings is held', async (t) => {
  const { sql, accountId, signIn, call } = await makeDashboard(t)
  const { activityId } = await makeProduct(sql, accountId, { slots })
  const Lines = [{ ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 1 }]
  const held = await call('POST', '/baskets', { Channel: 'pos', Lines, Customer: customer })
  const path = `/dashboard/customers/${held.data.Lines[0].BookingReference}`
  const owner = await signIn()
  const { body } = await owner.get(path)
  t.notMatch(body, `action="${path}/erase"`)
  t.match(textOf(body), 'A booking of this customer is held or on the waitlist.')
  t.equal((await owner.post(`${path}/erase`)).statusCode, 409)
})

t.test('a customer without e-mail address and phone number is identified by the booking alone', async (t) => {
  const { sql, accountId, signIn, call } = await makeDashboard(t)
  const { activityId } = await makeProduct(sql, accountId, { slots })
  const line = { ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 1 }
  const sold = await call('POST', '/bookings', { ...line, Payment: { Method: 'cash' } })
  await call('POST', '/bookings', { ...line, Payment: { Method: 'cash' } })
  const reference = sold.data.BookingReference
  const owner = await signIn()
  const erased = await owner.post(`/dashboard/customers/${reference}/erase`, { EvenUpcoming: 'true' })
  t.equal(erased.statusCode, 303)
  t.match(await sql`select reference from bookings where erasure_id is not null`, [{ reference }])
})
