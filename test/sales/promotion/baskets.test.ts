/** Promotion codes in baskets: their discounts, refusals, and counted uses. */
import t from 'tap'
import { sweepExpiredHolds } from '../../../src/inventory/expiry.ts'
import { makeProduct } from '../../helper.ts'
import { discountsOf, openPromotions, refusalOf } from './fixtures.ts'

const eur = (Amount: string) => ({ Amount, Currency: 'EUR' })
const applied = { status: 200, reason: undefined }
const refused = (reason: string) => ({ status: 409, reason })

t.test('a percentage is taken off each line, and the code may be in upper or lower case', async (t) => {
  const { promote, hold, use, read } = await openPromotions(t)
  await promote({ Percent: '12.5' })
  const basket = await hold([{}, { Time: '12:00', Participants: 1 }])
  t.notOk('Promotion' in basket)
  t.notOk('Discount' in basket.Lines[0]!)
  t.same(refusalOf(await use(basket, 'sumMer')), applied)
  const reduced = await read(basket)
  t.same(reduced.Promotion, { Code: 'SUMMER', Discount: eur('16.88') })
  t.same(discountsOf(reduced), ['11.25', '5.63'])
  t.same(reduced.Total, eur('118.12'))
  t.same(reduced.Lines[0]!.Total, eur('78.75'))
})

t.test(
  'an amount is shared over the lines in proportion, and takes off no more than they cost',
  async (t) => {
    const { promote, hold, use, read } = await openPromotions(t)
    await promote({ Amount: '10.00', Currency: 'EUR' })
    await promote({ Code: 'GIFT', Amount: '1000.00', Currency: 'EUR' })
    const basket = await hold([{}, { Time: '12:00', Participants: 1 }])
    await use(basket)
    t.same(discountsOf(await read(basket)), ['6.67', '3.33'])
    await use(basket, 'GIFT')
    t.match(await read(basket), { Promotion: { Code: 'GIFT', Discount: eur('135.00') }, Total: eur('0.00') })
  },
)

t.test('a basket with a code is created with its discount, or not at all', async (t) => {
  const { promote, hold, post, line, uses, counters } = await openPromotions(t)
  await promote()
  const basket = await hold([{}], { PromotionCode: 'summer' })
  t.match(basket, { Promotion: { Code: 'SUMMER', Discount: eur('9.00') }, Total: eur('81.00') })
  t.same(await uses(), [basket.BasketID])
  const wanted = { Channel: 'online', Lines: [line()], PromotionCode: 'WINTER' }
  const answer = await post('/baskets', wanted)
  t.same(refusalOf(answer), refused('unknown-code'))
  t.equal(answer.json().detail, 'There is no promotion with this code.')
  t.same(await counters(), { booked: 0, held: 2 })
})

t.test('when lines are added or removed, the discount of the code is divided again', async (t) => {
  const { promote, hold, use, read, post, call, line } = await openPromotions(t)
  await promote({ Amount: '10.00', Currency: 'EUR' })
  const basket = await hold([{}])
  const path = `/baskets/${basket.BasketID}`
  await use(basket)
  t.same(discountsOf(await read(basket)), ['10.00'])
  const added = await post(`${path}/lines`, { Lines: [line({ Time: '12:00' })] })
  t.same(discountsOf(added.json().data), ['5.00', '5.00'])
  const [first, second] = (await read(basket)).Lines
  const removed = (await call('DELETE', `${path}/lines/${first!.BookingReference}`)).json().data
  t.equal(discountsOf(removed)[1], '10.00')
  t.match(removed, { Promotion: { Discount: eur('10.00') }, Total: eur('80.00') })
  const cancelled = await post(`/bookings/${second!.BookingReference}/cancel`)
  t.equal(cancelled.statusCode, 200)
  t.match(await read(basket), { Status: 'cancelled' })
})

t.test(
  'when a line is cancelled as a booking or by a closure, its share of the discount goes to the other lines',
  async (t) => {
    const { promote, hold, use, read, post, sql } = await openPromotions(t)
    await promote({ Amount: '9.00', Currency: 'EUR' })
    const basket = await hold([{}, { Time: '12:00' }, { Time: '12:00', Participants: 1 }, {}])
    await use(basket)
    const [first] = basket.Lines
    await post(`/bookings/${first!.BookingReference}/cancel`)
    t.match(await read(basket), { Promotion: { Discount: eur('9.00') } })
    const [{ id }] = (await sql`select id from timeslots where time = '12:00'`) as unknown as [{ id: number }]
    t.equal((await post('/closures', { TimeslotID: id, Action: 'cancel' })).statusCode, 200)
    t.match(await read(basket), { Status: 'open', Promotion: { Discount: eur('9.00') }, Total: eur('81.00') })
  },
)

t.test('a code applies only to the products and the travel days that it names', async (t) => {
  const { promote, hold, use, read, call, line, post, sql, accountId, id } = await openPromotions(t)
  const other = await makeProduct(sql, accountId, { name: 'Canoe', slots: { '2030-06-16 10:00': 8 } })
  const canoe = { ActivityID: other.activityId, Date: '2030-06-16' }
  await promote({ ProductIDs: [id], TravelTo: '2030-06-15' })
  await promote({ Code: 'LATE', TravelFrom: '2030-06-17' })
  const basket = await hold([canoe])
  t.same(refusalOf(await use(basket)), refused('not-for-these-lines'))
  await post(`/baskets/${basket.BasketID}/lines`, { Lines: [line()] })
  t.same(refusalOf(await use(basket)), applied)
  t.same(discountsOf(await read(basket)), [null, '9.00'])
  t.same(refusalOf(await use(basket, 'LATE')), refused('not-for-these-lines'))
  const kayak = (await read(basket)).Lines[1]!
  await call('DELETE', `/baskets/${basket.BasketID}/lines/${kayak.BookingReference}`)
  t.match(
    await read(basket),
    { Promotion: { Code: 'SUMMER', Discount: eur('0.00') } },
    'the code stays, with a discount of 0.00',
  )
})

t.test('a code for an amount in another currency is refused', async (t) => {
  const { promote, hold, use } = await openPromotions(t)
  await promote({ Amount: '5.00', Currency: 'USD' })
  t.same(refusalOf(await use(await hold())), refused('not-for-these-lines'))
})

t.test('a code that has ended, or is not valid today in the account’s time zone, is refused', async (t) => {
  const { promote, hold, use, call, sql } = await openPromotions(t)
  const id = await promote()
  // A zone where it is now another day than in UTC: the day before or the day after.
  const zone = new Date().getUTCHours() < 11 ? 'Etc/GMT+12' : 'Pacific/Kiritimati'
  await sql`update accounts set time_zone = ${zone}`
  const [{ today, tomorrow, inUtc }] = (await sql`
    select (app_now() at time zone time_zone)::date as today, (app_now() at time zone 'UTC')::date as "inUtc",
      (app_now() at time zone time_zone)::date + 1 as tomorrow from accounts`) as unknown as [
    { today: string; tomorrow: string; inUtc: string },
  ]
  t.not(today, inUtc)
  const basket = await hold()
  const change = async (fields: Record<string, unknown>) =>
    t.equal((await call('PATCH', `/promotions/${id}`, fields)).statusCode, 200)
  await change({ SaleFrom: inUtc, SaleTo: inUtc })
  t.same(refusalOf(await use(basket)), refused('outside-sale-dates'))
  await change({ SaleFrom: tomorrow, Unset: ['SaleTo'] })
  t.same(refusalOf(await use(basket)), refused('outside-sale-dates'))
  await change({ SaleFrom: today, SaleTo: today })
  t.same(refusalOf(await use(basket)), applied)
  await change({ Active: false })
  t.same(refusalOf(await use(basket)), refused('not-active'))
})

t.test('the last use of a code goes to one basket, and to another basket after its release', async (t) => {
  const { promote, hold, use, call, post, expireBasket, sql, uses } = await openPromotions(t)
  const id = await promote({ MaxUses: 1 })
  const [one, other] = [await hold(), await hold([{ Participants: 1 }])]
  t.same(refusalOf(await use(one)), applied)
  t.same(refusalOf(await use(one)), applied, 'applying the code again needs no second use')
  t.equal((await call('GET', `/promotions/${id}`)).json().data.Uses, 1)
  const ways = {
    'the code is removed from the basket': () => call('DELETE', `/baskets/${one.BasketID}/promotion`),
    'the basket expires': async () => {
      await expireBasket(one)
      t.equal(await sweepExpiredHolds(sql), 1)
    },
  }
  for (const [way, giveBack] of Object.entries(ways)) {
    t.same(refusalOf(await use(one)), applied)
    t.same(refusalOf(await use(other)), refused('used-up'))
    await giveBack()
    t.same(await uses(), [], way)
    t.same(refusalOf(await use(other)), applied, way)
    await call('DELETE', `/baskets/${other.BasketID}/promotion`)
  }
  await use(other)
  await post(`/baskets/${other.BasketID}/cancel`)
  t.same(await uses(), [], 'the basket is cancelled')
})

t.test(
  'a use is released when the last line is cancelled, the payment fails, or a payment is refund-due',
  async (t) => {
    const { promote, hold, post, sendPaymentEvent, uses } = await openPromotions(t)
    await promote()
    const reduced = () => hold([{ Participants: 1 }], { PromotionCode: 'SUMMER' })
    const alone = await reduced()
    await post(`/bookings/${alone.Lines[0]!.BookingReference}/cancel`)
    await sendPaymentEvent(await reduced(), { ID: 'evt_1', Type: 'failed' })
    const differs = await sendPaymentEvent(await reduced(), { ID: 'evt_2', Amount: '45.00' })
    t.match(differs.json().data, { Outcome: 'refund-due' }, 'the amount differs from the reduced total')
    t.same(await uses(), [])
  },
)

t.test(
  'a customer uses a code up to its limit per customer; upper and lower case of the e-mail address do not matter',
  async (t) => {
    const { promote, hold, use, call, read } = await openPromotions(t)
    await promote({ MaxUsesPerCustomer: 1 })
    const first = await hold([{ Participants: 1 }])
    t.same(refusalOf(await use(first)), applied)
    const again = await hold([{ Participants: 1 }], { Customer: { Email: 'ADA@example.com' } })
    t.same(refusalOf(await use(again)), refused('used-by-customer'))
    const unknown = await hold([{ Participants: 1 }], { Customer: undefined })
    t.same(refusalOf(await use(unknown)), refused('customer-needed'))
    const setEmail = (Email: string) => call('PATCH', `/baskets/${unknown.BasketID}`, { Customer: { Email } })
    await setEmail('bob@example.com')
    t.same(refusalOf(await use(unknown)), applied)
    t.same(refusalOf(await setEmail('ada@example.com')), refused('used-by-customer'))
    t.equal((await read(unknown)).Customer.Email, 'bob@example.com')
    t.equal((await setEmail('eve@example.com')).statusCode, 200)
    t.same(refusalOf(await use(again)), refused('used-by-customer'))
    const bob = await hold([{ Participants: 1 }], { Customer: { Email: 'bob@example.com' } })
    t.same(refusalOf(await use(bob)), applied, 'the use counts for the new customer of the basket')
  },
)

t.test('the limit of a code for each customer is checked again for the customer who pays', async (t) => {
  const { promote, hold, use, call, post } = await openPromotions(t)
  await promote({ MaxUsesPerCustomer: 1 })
  const [ada, bob] = [await hold(), await hold([{}], { Customer: { Email: 'bob@example.com' } })]
  await use(ada)
  await use(bob)
  // The customer of one line is changed through its booking.
  const [line] = bob.Lines
  await call('PATCH', `/bookings/${line!.BookingReference}`, { Customer: { Email: 'ada@example.com' } })
  const paid = await post(`/baskets/${bob.BasketID}/pay`, { Method: 'cash' })
  t.same(refusalOf(paid), refused('used-by-customer'))
})

t.test('a late payment completes a basket only if its code has a use left and has not ended', async (t) => {
  const { promote, hold, use, expireBasket, sql, post, sendPaymentEvent, read, uses, counters } =
    await openPromotions(t)
  await promote({ MaxUses: 1 })
  const late = await hold()
  await use(late)
  await expireBasket(late)
  await sweepExpiredHolds(sql)
  const other = await hold([{ Participants: 1 }])
  await use(other)
  const pay = () => post(`/baskets/${late.BasketID}/pay`, { Method: 'cash' })
  t.same(refusalOf(await pay()), refused('used-up'))
  t.match(await read(late), { Status: 'expired', Total: eur('81.00') })
  await post(`/baskets/${other.BasketID}/cancel`)
  t.match((await pay()).json().data, { Status: 'completed', Total: eur('81.00') })
  t.same(await uses(), [late.BasketID])

  const later = await hold([{}], { Customer: { Email: 'bob@example.com' } })
  t.same(refusalOf(await use(later)), refused('used-up'))
  await sql`update promotions set max_uses = 2`
  await use(later)
  await expireBasket(later)
  await sweepExpiredHolds(sql)
  await sql`update promotions set active = false`
  t.match((await sendPaymentEvent(await read(later))).json().data, { Outcome: 'refund-due' })
  t.match(await read(later), { Status: 'refund-due', RefundReason: 'promotion-gone' })
  t.same(await uses(), [late.BasketID])
  t.same(await counters(), { booked: 2, held: 0 })
})

t.test('a provider’s payment of the reduced total completes the basket', async (t) => {
  const { promote, hold, use, sendPaymentEvent, read } = await openPromotions(t)
  await promote()
  const basket = await hold()
  await use(basket)
  t.match((await sendPaymentEvent(await read(basket))).json().data, { Outcome: 'completed' })
  t.match(await read(basket), { Total: eur('81.00'), Payments: [{ Amount: '81.00' }] })
})

t.test(
  'removing the code restores the full price; the code of a completed basket cannot be removed',
  async (t) => {
    const { promote, hold, use, call, post, read, sql } = await openPromotions(t)
    await promote()
    const basket = await hold()
    const path = `/baskets/${basket.BasketID}/promotion`
    await use(basket)
    const bare = (await call('DELETE', path)).json().data
    t.same(bare.Total, eur('90.00'))
    t.notOk('Promotion' in bare)
    t.same((await call('DELETE', path)).json().data, bare)
    await use(basket)
    await post(`/baskets/${basket.BasketID}/pay`, { Method: 'cash' })
    for (const answer of [await call('DELETE', path), await use(basket)])
      t.match(answer.json(), { status: 409, type: /basket-not-open$/ })
    t.match(await read(basket), { Promotion: { Discount: eur('9.00') } })
    const types = await sql`select type from events where type like 'basket.promotion%' order by id`
    t.match(types, [
      { type: 'basket.promotion-applied' },
      { type: 'basket.promotion-removed' },
      { type: 'basket.promotion-applied' },
    ])
  },
)
