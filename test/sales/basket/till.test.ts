/** The till: baskets paid there, and places sold in one step. */
import t from 'tap'
import { bookingBody, bookingPath, makeCaller, makeProduct } from '../../helper.ts'
import { harbour, statuses } from './fixtures.ts'

const cash = { Method: 'cash' }

t.test('a basket that is paid at the till is confirmed and metered once', async (t) => {
  const { hold, post, counters, metered, sql } = await harbour(t)
  for (const Channel of ['pos', 'online']) {
    const { BasketID } = await hold([{}, { Time: '12:00' }], { Channel })
    const answer = await post(`/baskets/${BasketID}/pay`, { Method: 'card', Reference: 'T1-7' })
    t.equal(answer.statusCode, 200)
    t.match(answer.json().data, {
      Status: 'completed',
      Channel,
      CompletedAt: String,
      Total: { Amount: '180.00', Currency: 'EUR' },
      Payment: { Method: 'card', Reference: 'T1-7' },
    })
    t.same(statuses(answer.json().data), ['confirmed', 'confirmed'])
    t.equal((await metered()).at(-1), BasketID)
    t.match((await post(`/baskets/${BasketID}/pay`, cash)).json(), { status: 409, Status: 'completed' })
  }
  t.equal((await metered()).length, 2)
  t.same(await counters('10:00'), { booked: 4, held: 0 })
  t.same(await counters('12:00'), { booked: 4, held: 0 })
  const history = await sql`
      select type, actor, actor_id is not null as known from events where booking_id is not null order by id`
  t.match(history.slice(0, 4), [
    { type: 'booking.held', actor: 'key', known: true },
    { type: 'booking.held' },
    { type: 'booking.confirmed', actor: 'key', known: true },
    { type: 'booking.confirmed' },
  ])
})

t.test('a basket that costs nothing is completed and metered like any other', async (t) => {
  const { hold, post, metered, sql } = await harbour(t)
  await sql`update products set price_minor = 0`
  const basket = await hold()
  t.same(basket.Total, { Amount: '0.00', Currency: 'EUR' })
  t.match((await post(`/baskets/${basket.BasketID}/pay`, cash)).json().data, { Status: 'completed' })
  t.same(await metered(), [basket.BasketID])
})

t.test('a basket is paid at the prices that applied when its lines were added', async (t) => {
  const { hold, post, sql } = await harbour(t)
  const { BasketID } = await hold()
  await sql`update products set price_minor = 9900, currency = 'USD'`
  const paid = await post(`/baskets/${BasketID}/pay`, cash)
  t.match(paid.json().data, { Total: { Amount: '90.00', Currency: 'EUR' } })
})

t.test('an expired basket can be paid if its places are free, even after the worker ends it', async (t) => {
  const { hold, post, expireBasket, read, counters, sql } = await harbour(t)
  const { sweepExpiredHolds } = await import('../../../src/inventory/expiry.ts')
  for (const swept of [false, true]) {
    const basket = await hold()
    await expireBasket(basket)
    if (swept) t.equal(await sweepExpiredHolds(sql), 1)
    t.equal((await read(basket)).Status, swept ? 'expired' : 'open')
    t.equal((await post(`/baskets/${basket.BasketID}/pay`, cash)).statusCode, 200)
  }
  t.same(await counters(), { booked: 4, held: 0 })
})

t.test(
  '409 names the line of an expired basket whose places are gone, and the basket does not change',
  async (t) => {
    const { hold, post, expireBasket, sellOut, read, counters, metered } = await harbour(t)
    const basket = await hold([{ Time: '12:00' }, {}, { Participants: 1 }])
    await expireBasket(basket)
    const other = await hold([{ Participants: 8 }])
    const expired = await read(basket)
    const answer = await post(`/baskets/${basket.BasketID}/pay`, cash)
    t.equal(answer.statusCode, 409)
    t.match(answer.json(), { type: /insufficient-capacity$/, Line: 1, Available: 0 })
    t.same(await read(basket), expired)
    t.same(await counters('12:00'), { booked: 0, held: 2 })
    t.same(await metered(), [])
    await post(`/baskets/${other.BasketID}/cancel`)
    t.equal((await post(`/baskets/${basket.BasketID}/pay`, cash)).statusCode, 200)
    t.same(statuses(await read(basket)), ['confirmed', 'confirmed', 'confirmed'])
    await sellOut('10:00')
    t.same(await counters('10:00'), { booked: 8, held: 0 })
  },
)

t.test('409 basket-empty refuses the payment of a basket whose lines were all removed', async (t) => {
  const { hold, call, post, metered } = await harbour(t)
  const { BasketID, Lines } = await hold()
  await call('DELETE', `/baskets/${BasketID}/lines/${Lines[0]!.BookingReference}`)
  t.match((await post(`/baskets/${BasketID}/pay`, cash)).json(), { status: 409, type: /basket-empty$/ })
  t.same(await metered(), [])
})

t.test('422 refuses a payment that the till does not take', async (t) => {
  const { hold, post, line } = await harbour(t)
  const { BasketID } = await hold()
  for (const payment of [{}, { Method: 'online' }, { Method: 'cash', Reference: '' }]) {
    t.equal((await post(`/baskets/${BasketID}/pay`, payment)).statusCode, 422)
    t.equal((await post('/bookings', { ...line(), Payment: payment })).statusCode, 422)
  }
})

t.test(
  'a basket is sold once if it is paid several times at once, or again with its idempotency key',
  async (t) => {
    const { hold, post, metered, counters } = await harbour(t)
    const { BasketID } = await hold()
    const path = `/baskets/${BasketID}/pay`
    const codes = (await Promise.all([1, 2, 3, 4].map(() => post(path, cash)))).map(
      ({ statusCode }) => statusCode,
    )
    t.same(codes.sort(), [200, 409, 409, 409])
    const other = await hold()
    const key = { 'idempotency-key': 'pay-1' }
    const first = await post(`/baskets/${other.BasketID}/pay`, cash, key)
    const again = await post(`/baskets/${other.BasketID}/pay`, cash, key)
    t.equal(again.headers['idempotency-replayed'], 'true')
    t.same(again.json(), first.json())
    t.same(await metered(), [BasketID, other.BasketID])
    t.same(await counters(), { booked: 4, held: 0 })
  },
)

t.test('the till sells places in one step, also of a product outside the shopfront', async (t) => {
  const { post, line, sql, accountId, metered } = await harbour(t)
  const slots = { '2030-06-15 10:00': 3 }
  const hidden = await makeProduct(sql, accountId, { name: 'Staff', inShopfront: false, slots })
  const sale = { ...line({ ActivityID: hidden.activityId }), Payment: { Method: 'card', Reference: 'T1-8' } }
  const answer = await post('/bookings', sale)
  t.equal(answer.statusCode, 201)
  const { data } = answer.json()
  t.match(data, {
    BookingReference: /^[2-9A-Z]{10}$/,
    Status: 'confirmed',
    ActivityID: hidden.activityId,
    Date: '2030-06-15',
    Time: '10:00',
    Participants: 2,
    PaymentReference: 'T1-8',
    UnitPrice: { Amount: '45.00', Currency: 'EUR' },
  })
  t.same(await metered(), [data.BasketID])
  t.match(await sql`select channel, status, first_name from bookings`, [
    { channel: 'pos', status: 'confirmed', first_name: null },
  ])
  t.match(await sql`select status, channel, payment_method from baskets`, [
    { status: 'completed', channel: 'pos', payment_method: 'card' },
  ])
})

t.test(
  'a sale in one step may be refused with 409 or 422, and is made once for each idempotency key',
  async (t) => {
    const { post, line, metered } = await harbour(t)
    const sell = (changes: object = {}, more: object = {}) =>
      post('/bookings', { ...line(), Payment: cash, ...changes }, { ...more })
    t.match((await sell({ Participants: 9 })).json(), { status: 409, Available: 8, Alternatives: [] })
    t.match((await sell({ Time: '11:00' })).json(), {
      type: /timeslot-unavailable$/,
      Alternatives: [{ Time: '12:00', Available: 4 }],
    })
    t.match((await sell({ ActivityID: `s_${crypto.randomUUID()}` })).json().errors, [{ field: 'ActivityID' }])
    t.match((await sell({ Answers: [{ QuestionID: 9, Value: 'x' }] })).json().errors, [
      { field: 'Answers[0].QuestionID' },
    ])
    const key = { 'idempotency-key': 'sale-1' }
    const all = await Promise.all([1, 2, 3].map(() => sell({}, key)))
    t.equal(new Set(all.map(({ body }) => body)).size, 1)
    t.equal((await metered()).length, 1)
  },
)

t.test(
  'when the till and a partner sell the last places at the same time, each place is sold only once',
  async (t) => {
    const { app, post, line, sql, counters, activityId, metered } = await harbour(t)
    const { headers } = await makeCaller(sql, { slug: 'harbour', scopes: ['ota'] })
    const sellers = [...Array(20)].map((_, index) =>
      index % 2 === 0
        ? post('/bookings', { ...line({ Participants: 1 }), Payment: cash })
        : app.inject({
            method: 'POST',
            url: bookingPath,
            headers,
            payload: bookingBody(activityId, { Participants: 1 }),
          }),
    )
    const codes = (await Promise.all(sellers)).map(({ statusCode }) => statusCode)
    t.equal(codes.filter((code) => code === 201).length, 8)
    t.equal(codes.filter((code) => code === 409).length, 12)
    t.same(await counters(), { booked: 8, held: 0 })
    t.equal((await metered()).length, 8)
  },
)
