/** Totals of baskets, up to the highest possible prices. */
import t from 'tap'
import { isTotal } from '../../../src/sales/basket/model.ts'
import { harbour } from './fixtures.ts'

t.test(
  'a basket at the highest price has its exact total, and a payment of that amount completes it',
  async (t) => {
    const { sql, hold, sendPaymentEvent, read } = await harbour(t)
    await sql`update products set price_minor = ${'99999999999999'}`
    const basket = await hold([{ Participants: 8 }])
    t.same(basket.Total, { Amount: '7999999999999.92', Currency: 'EUR' })
    t.equal(
      (await sendPaymentEvent(basket, { ID: 'evt_2', Amount: '7999999999999.92' })).json().data.Outcome,
      'completed',
    )
    t.equal((await read(basket)).Payments[0]!.Amount, '7999999999999.92')
  },
)

t.test(
  'an amount equals the total only if each digit and the currency agree, apart from leading zeros',
  async (t) => {
    const total = { minor: 72057594037927928n, currency: 'EUR' }
    t.ok(isTotal(total, '720575940379279.28', 'EUR'))
    t.ok(isTotal(total, '0720575940379279.28', 'EUR'))
    t.notOk(isTotal(total, '720575940379279.27', 'EUR'))
    t.notOk(isTotal(total, '720575940379279.28', 'USD'))
    t.notOk(isTotal(total, '720575940379279.2800', 'EUR'), 'with more decimals than the currency has')
  },
)

t.test('discounts of parties at the highest price are exact to the last digit', async (t) => {
  const { sql, hold, post, line, read } = await harbour(t)
  await sql`update products set price_minor = ${'99999999999999'}`
  await sql`update timeslots set capacity = 300`
  await post('/promotions', { Code: 'ALL', Percent: '100' })
  const eur = (Amount: string) => ({ Amount, Currency: 'EUR' })
  const party = { Participants: 101 }
  const free = await hold([party], { PromotionCode: 'ALL' })
  t.match(free, {
    Lines: [{ Discount: eur('100999999999998.99'), Total: eur('0.00') }],
    Promotion: { Discount: eur('100999999999998.99') },
    Total: eur('0.00'),
  })
  const Reduction = { Amount: '100999999999998.97', Reason: 'Friends' }
  const sold = await post('/bookings', { ...line(party), Payment: { Method: 'cash' }, Reduction })
  const reduced = { Reduction: eur(Reduction.Amount), Total: eur('0.02') }
  t.match(sold.json().data, { ...reduced, Discount: eur(Reduction.Amount) })
  t.match(await read(sold.json().data), reduced)
})
