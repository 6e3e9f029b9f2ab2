/** The amounts that are still to be paid for sales, on the pages of bookings and in the CSV file. */
import t, { type Test } from 'tap'
import { makeProduct } from '../helper.ts'
import { makeDashboard, textOf } from './fixtures.ts'

const day = '2030-06-15'

async function makeSales(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn, call } = dashboard
  const slots = { [`${day} 10:00`]: 40, [`${day} 12:00`]: 40 }
  const { activityId } = await makeProduct(sql, accountId, { slots })
  const user = await signIn('owner')
  /** Sells a booking at each of these times, and takes this amount in cash; returns the references. */
  const sell = async (times: string[], Amount: string) => {
    const Lines = times.map((Time) => ({ ActivityID: activityId, Date: day, Time, Participants: 2 }))
    const { data } = await call('POST', '/baskets', { Channel: 'pos', Lines })
    await call('POST', `/baskets/${data.BasketID}/pay`, { Method: 'cash', Amount })
    return data.Lines.map((line: { BookingReference: string }) => line.BookingReference) as string[]
  }
  const show = async (path: string) => textOf((await user.get(`/dashboard/${path}`)).body)
  const readBalances = async () => {
    const [head, ...rows] = (await user.get('/dashboard/bookings.csv')).body.trim().split('\r\n')
    t.match(head, /,Sale,SaleToPay,SaleOverpaid,PeopleHere,PeopleAbsent$/)
    return new Map(rows.map((row) => [row.split(',')[0]!.replace('\uFEFF', ''), row.split(',').at(-4)]))
  }
  return { ...dashboard, ...user, activityId, sell, show, readBalances }
}

const countOf = (text: string, part: string) => text.split(part).length - 1

t.test('a sale of several bookings that is not fully paid', async (t) => {
  const { sell, show, readBalances, sql } = await makeSales(t)
  const [morning, noon] = await sell(['10:00', '12:00'], '100.00')

  t.test('shows the amount to pay on the page of its timeslot', async (t) => {
    const [slot] = await sql<{ id: number }[]>`select id from timeslots where time = '10:00'`
    t.match(await show(`calendar/timeslots/${slot!.id}`), '€80.00 to pay for the sale of 2 bookings')
  })

  t.test('shows the amount to pay once in the list of bookings, as the amount of the sale', async (t) => {
    const text = await show('bookings')
    t.equal(countOf(text, '€80.00'), 1)
    t.match(text, '€80.00 to pay for the sale of 2 bookings')
    t.equal(countOf(text, 'to pay with'), 1, 'the other booking names the booking that shows the amount')
  })

  t.test('shows the amount once on the page of the day, at the first departure', async (t) => {
    const text = await show(`today?Date=${day}`)
    t.equal(countOf(text, '€80.00'), 1)
    t.match(text, new RegExp(`€80.00 to pay for the sale of 2 bookings.*to pay with ${morning}`))
  })

  t.test('says on the manifest of each departure that the amount is for the whole sale', async (t) => {
    const slots = await sql<{ id: number }[]>`select id from timeslots`
    for (const { id } of slots)
      t.match(await show(`today/manifest/${id}`), '€80.00 to pay for the sale of 2 bookings')
  })

  t.test('has its balance only once in the file, so that the column can be added up', async (t) => {
    const balances = await readBalances()
    t.same([balances.get(morning!), balances.get(noon!)].sort(), ['', '80.00'])
  })
})

t.test('the file has the balance of the operator’s sales with active bookings: 0.00 if paid', async (t) => {
  const { sell, readBalances, call, activityId, book } = await makeSales(t)
  const [owing] = await sell(['10:00'], '40.00')
  const [paid] = await sell(['10:00'], '90.00')
  const [cancelled] = await sell(['10:00'], '90.00')
  await call('POST', `/bookings/${cancelled}/cancel`, { Override: true })
  const { reference } = await book(activityId, { Date: day })
  const balances = await readBalances()
  t.equal(balances.get(owing!), '50.00')
  t.equal(balances.get(paid!), '0.00')
  t.equal(balances.get(cancelled!), '')
  t.equal(balances.get(reference), '', 'a partner’s booking is paid to the partner')
})

t.test('the amount to be paid for a sale of one booking is shown without naming the sale', async (t) => {
  const { sell, show } = await makeSales(t)
  await sell(['10:00'], '40.00')
  t.match(await show('bookings'), '€50.00 to pay')
  t.notMatch(await show('bookings'), 'for the sale')
})

t.test('the amounts on the page of a booking add up after a part was paid back', async (t) => {
  const { sell, show, call, post, sql } = await makeSales(t)
  const [reference] = await sell(['10:00'], '90.00')
  const path = `bookings/${reference}`
  await call('POST', `/bookings/${reference}/cancel`, {
    Override: true,
    Refund: { Amount: '50.00' },
  })
  const sums = 'Price of the bookings €0.00 Kept of cancelled, moved and changed bookings €40.00 Paid €90.00'
  t.match(await show(path), `${sums} Still to be paid back €50.00 Still to pay €0.00`)
  t.match(await show(path), 'Refund decided €50.00')
  const [{ id }] = await sql<[{ id: number }]>`select id from refunds`
  t.equal((await post(`/dashboard/refunds/${id}/done`, { Method: 'cash' })).statusCode, 303)
  t.match(await show(path), `${sums} Paid back €50.00 Still to pay €0.00`)
})

t.test('the amount that a partner owes is shown as unknown if it sold without terms', async (t) => {
  const { show, activityId, book, call } = await makeSales(t)
  const { reference } = await book(activityId, { Date: day })
  t.match(await show(`bookings/${reference}`), 'Owed by the partner Not known: sold without partner terms')
  await call('POST', `/bookings/${reference}/cancel`, { Override: true })
  t.match(
    await show(`bookings/${reference}`),
    'Owed by the partner €0.00',
    'nothing is owed once it is cancelled',
  )
})

t.test('a filter limits the list and its file to bookings that are still to be paid', async (t) => {
  const { sell, show, call, get, sql, accountId } = await makeSales(t)
  const [owing] = await sell(['10:00'], '40.00')
  const [paid] = await sell(['10:00'], '90.00')
  const [other] = await sell(['12:00'], '0')
  const text = await show('bookings?ToPay=true')
  t.match(text, owing)
  t.notMatch(text, paid)
  const listed = async (query: string) =>
    (await call('GET', `/bookings?${query}`)).data.map(
      ({ BookingReference }: { BookingReference: string }) => BookingReference,
    )
  t.same(await listed('ToPay=true'), [other, owing], 'the newest first')
  t.same(await listed('ToPay=true&Limit=1'), [other])
  t.same(await listed('ToPay=true&Status=cancelled'), [])
  t.same(await listed('Limit=3'), [other, paid, owing])
  t.equal((await get('/dashboard/bookings.csv?ToPay=true')).body.trim().split('\r\n').length, 3)
  // So many newer bookings that a page ends before it reaches the bookings that are to be paid.
  await sql`
    insert into bookings (account_id, id, basket_id, timeslot_id, reference, channel, status, participants,
      unit_price_minor, currency, answers, created_at)
    select account_id, 10000000 + n, basket_id, timeslot_id, 'MANY' || n, 'pos', 'confirmed', 1, 0, 'EUR', '[]',
      app_now() + interval '1 hour'
    from bookings, generate_series(1, 5001) as n where account_id = ${accountId} and reference = ${paid!}`
  const page = await call('GET', '/bookings?ToPay=true')
  t.same(page.data, [])
  t.match(page.headers.link, 'rel="next"')
  t.match(await show('bookings?ToPay=true'), 'There are older bookings to search. Show more')
  t.equal((await get('/dashboard/bookings.csv?ToPay=true')).body.trim().split('\r\n').length, 3)
})
