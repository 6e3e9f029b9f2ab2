/**
 * Who gets which events: a partner gets those of its own bookings and of products in the shopfront, and an
 * account gets only its own.
 */
import t from 'tap'
import { testAccountOf } from '../../../src/accounts/model.ts'
import { createKey } from '../../../src/accounts/service.ts'
import { followLive } from '../../../src/test-mode/following.ts'
import { createTestKey } from '../../../src/test-mode/service.ts'
import { bookingBody, bookingPath } from '../../helper.ts'
import { pumpEvents } from '../../pump.ts'
import { buildQuayWithWebhooks, openReceiver } from './fixtures.ts'

t.test('a partner', async (t) => {
  const { app, accountId, book, deliver, deliverAll, recordEvents, makeEndpoint, product, sql } =
    await buildQuayWithWebhooks(t)
  const [own, other, none] = [await openReceiver(t), await openReceiver(t), await openReceiver(t)]
  const atlas = await partnerId('Atlas')
  const [bravo, plain] = [await makeKey('Bravo'), await makeKey(null)]
  await makeEndpoint(own.url, { partnerId: atlas, body: 'full' })
  await makeEndpoint(other.url, { partnerId: await partnerId('Bravo'), body: 'full' })
  await makeEndpoint(none.url, { partnerId: 0, body: 'full' })
  const clear = () => {
    for (const { received } of [own, other, none]) received.length = 0
  }

  async function partnerId(name: string) {
    const [row] = await sql<[{ id: number }]>`
      select id from partners where account_id = ${accountId} and name = ${name}`
    return row.id
  }
  function makeKey(partner: string | null) {
    return createKey(sql, { accountId, partner, scopes: ['ota'], expiresInDays: null })
  }
  async function bookWith(token: string) {
    const answer = await app.inject({
      ...{ method: 'POST', url: bookingPath, headers: { authorization: `Bearer ${token}` } },
      payload: bookingBody(product.activityId),
    })
    return answer.json().data.BookingReference as string
  }
  const bookingsAt = ({ received }: typeof own) =>
    received.filter(({ body }) => body.type === 'booking.confirmed').map(({ body }) => body.data)

  t.test('gets only events of its own bookings, without their actor and their basket', async (t) => {
    const mine = await book()
    const theirs = await bookWith(bravo)
    const nobodys = await bookWith(plain)
    await deliver()
    for (const [receiver, reference] of [
      [own, mine],
      [other, theirs],
      [none, nobodys],
    ] as const) {
      const [event, ...more] = bookingsAt(receiver)
      t.same(more, [])
      t.match(event, { BookingReference: reference, Booking: { BookingReference: reference } })
      t.notOk('Actor' in event! || 'BasketID' in event!)
    }
  })

  t.test('gets no event when a customer is erased', async (t) => {
    clear()
    await recordEvents({ type: 'booking.customer-erased', details: {}, bookingId: 1, partnerId: atlas })
    await deliver()
    t.same(own.types(), [])
  })

  t.test('gets products and days of the shopfront, and no others', async (t) => {
    await deliverAll()
    clear()
    const [hidden] = await sql<[{ id: number }]>`
      insert into products (account_id, name, description, duration_minutes, price_minor, currency, time_zone,
        in_shopfront)
      values (${accountId}, 'Secret', '', 60, 100, 'EUR', 'UTC', false) returning id`
    await recordEvents(
      { type: 'product.changed', details: { Fields: ['Name'] }, productId: hidden.id },
      { type: 'product.made', details: {}, productId: hidden.id },
      { type: 'product.changed', details: { Fields: ['Name'] }, productId: product.id },
      { type: 'promotion.made', details: { PromotionID: 1 } },
      { type: 'partner-terms.changed', details: { PartnerID: atlas } },
      { type: 'basket.opened', details: {}, basketId: 1 },
      { type: 'timeslot.prices-changed', details: {}, productId: product.id, timeslotId: 1 },
    )
    await deliverAll()
    t.same(own.types().sort(), ['availability.changed', 'availability.changed', 'product.changed'])
    const days = own.received.filter(({ body }) => body.type === 'availability.changed')
    t.same(days.map(({ body }) => body.data.Date).sort(), ['2030-06-15', null])
    t.ok(days.every(({ body }) => body.data.ProductID === product.id))
  })

  t.test(
    'gets an event when a product leaves the shopfront, without data that it may no longer see',
    async (t) => {
      clear()
      await recordEvents({ type: 'timeslot.prices-changed', details: {}, timeslotId: 1 })
      await pumpEvents(sql)
      await sql`update products set in_shopfront = false where id = ${product.id}`
      await recordEvents({
        type: 'product.changed',
        details: { Fields: ['InShopfront'] },
        productId: product.id,
      })
      await deliverAll()
      const changed = own.received.find(({ body }) => body.type === 'product.changed')
      t.same(changed!.body.data.Product, {
        ID: product.id,
        ActivityID: product.activityId,
        InShopfront: false,
      })
      for (const { body } of own.received.filter(({ body }) => body.type === 'availability.changed'))
        t.same(body.data.Timeslots ?? [], [])
      clear()
      await recordEvents(
        { type: 'product.changed', details: { Fields: ['Name'] }, productId: product.id },
        { type: 'timeslot.prices-changed', details: {}, timeslotId: 1 },
      )
      await deliverAll()
      t.same(own.received, [])
    },
  )
})

t.test('a customer who is erased between an event and its delivery is not in the body', async (t) => {
  const { book, deliver, makeEndpoint, sql } = await buildQuayWithWebhooks(t)
  const receiver = await openReceiver(t)
  await makeEndpoint(receiver.url, { types: ['booking.*'], body: 'full' })
  const reference = await book()
  await pumpEvents(sql)
  await sql`update bookings set first_name = '', last_name = '', email = '', phone = null`
  await deliver()
  t.equal(receiver.received[0]!.body.data.BookingReference, reference)
  t.notMatch(receiver.received[0]!.text, /Ada|Lovelace|ada@example/)
})

t.test('a test account and its live account each get only their own events', async (t) => {
  const { accountId, app, book, deliver, makeEndpoint, product, sql } = await buildQuayWithWebhooks(t)
  const request = { accountId, partner: 'Atlas', scopes: ['ota' as const], expiresInDays: null }
  const token = await createTestKey(sql, request)
  await pumpEvents(sql)
  await followLive(sql)
  const [live, test] = [await openReceiver(t), await openReceiver(t)]
  await makeEndpoint(live.url, { types: ['booking.*'], body: 'full' })
  await makeEndpoint(test.url, { types: ['booking.*'], body: 'full', accountId: testAccountOf(accountId) })
  const reference = await book()
  const answer = await app.inject({
    ...{ method: 'POST', url: bookingPath, headers: { authorization: `Bearer ${token}` } },
    payload: bookingBody(product.activityId),
  })
  await deliver()
  const bookings = ({ received }: typeof live) =>
    received.map(({ body }) => [body.data.BookingReference, body.data.TestMode])
  t.same(bookings(live), [[reference, undefined]])
  t.same(bookings(test), [[answer.json().data.BookingReference, true]])
})
