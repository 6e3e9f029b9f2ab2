/** The booking cut-off of a product: its limits, who sees it, and its changes. */
import t from 'tap'
import { makeCaller, makeProduct } from '../../helper.ts'
import { fieldsOf } from '../../operator.ts'
import { museum } from '../museum.ts'

const tour = {
  Name: 'Tour',
  Description: '',
  DurationMinutes: 60,
  Price: { Amount: '10.00', Currency: 'EUR' },
  TimeZone: 'Europe/Lisbon',
  InShopfront: true,
}

t.test('the booking cut-off is 0 by default, and at most a year', async (t) => {
  const { call } = await museum(t)
  const make = (changes: object) => call('POST', '/products', { ...tour, ...changes })
  t.equal((await make({})).data.BookingCutoffMinutes, 0)
  for (const BookingCutoffMinutes of [0, 1440, 525_600]) {
    const { status, data } = await make({ Name: `Tour ${BookingCutoffMinutes}`, BookingCutoffMinutes })
    t.equal(status, 201)
    t.equal(data.BookingCutoffMinutes, BookingCutoffMinutes)
    t.equal((await call('GET', `/products/${data.ID}`)).data.BookingCutoffMinutes, BookingCutoffMinutes)
  }
})

t.test('422 names the booking cut-off with every other failing field, and nothing changes', async (t) => {
  const { call, product } = await museum(t)
  for (const BookingCutoffMinutes of [-1, 525_601, 1.5, 'a day', [], {}]) {
    t.same(fieldsOf(await call('PATCH', product, { BookingCutoffMinutes })), ['BookingCutoffMinutes'])
    t.same(fieldsOf(await call('POST', '/products', { ...tour, BookingCutoffMinutes })), [
      'BookingCutoffMinutes',
    ])
  }
  const both = { BookingCutoffMinutes: -1, CancelCutoffMinutes: 525_601 }
  t.same(fieldsOf(await call('PATCH', product, both)).sort(), ['BookingCutoffMinutes', 'CancelCutoffMinutes'])
  t.equal((await call('GET', product)).data.BookingCutoffMinutes, 0)
})

t.test('a changed booking cut-off appends an event that names it; the same value appends none', async (t) => {
  const { cutOff, sql } = await museum(t)
  t.equal((await cutOff(30)).data.BookingCutoffMinutes, 30)
  await cutOff(30)
  const changes = await sql`select details from events where type = 'product.changed'`
  t.match(changes, [{ details: { Fields: ['BookingCutoffMinutes'] } }])
  t.equal(changes.length, 1)
})

t.test('fields that are left out stay as they are', async (t) => {
  const { call, product, cutOff } = await museum(t)
  await cutOff(30)
  t.match((await call('PATCH', product, { CancelCutoffMinutes: 60 })).data, {
    BookingCutoffMinutes: 30,
    CancelCutoffMinutes: 60,
  })
})

t.test('partners see the booking cut-off of a product that has one', async (t) => {
  const { app, partner, cutOff } = await museum(t)
  const seen = async () => {
    const answer = await app.inject({ url: '/api/v2/ota/marketplace/products', headers: partner.headers })
    return answer.json().data[0].BookingCutoffMinutes
  }
  t.equal(await seen(), undefined)
  await cutOff(1440)
  t.equal(await seen(), 1440)
})

t.test('changing the booking cut-off of an unknown or another account’s product gets 404', async (t) => {
  const { call, sql } = await museum(t)
  const other = await makeCaller(sql, { slug: 'other' })
  const theirs = await makeProduct(sql, other.accountId)
  for (const id of [theirs.id, 999_999])
    t.equal((await call('PATCH', `/products/${id}`, { BookingCutoffMinutes: 5 })).status, 404)
  t.same(await sql`select booking_cutoff_minutes as minutes from products where id = ${theirs.id}`, [
    { minutes: 0 },
  ])
})
