/** What baskets cost, up to the dearest. */
import t from 'tap'
import { isTotal } from '../../../src/sales/basket/model.ts'
import { harbour } from './fixtures.ts'

t.test('a basket of the dearest places has its exact total, and is paid by just that', async (t) => {
  const { sql, hold, tell, read } = await harbour(t)
  await sql`update products set price_minor = ${'99999999999999'}`
  const basket = await hold([{ Participants: 8 }])
  t.same(basket.Total, { Amount: '7999999999999.92', Currency: 'EUR' })
  t.equal((await tell(basket, { ID: 'evt_2', Amount: '7999999999999.92' })).json().data.Outcome, 'completed')
  t.equal((await read(basket)).Payments[0]!.Amount, '7999999999999.92')
})

t.test('an amount is the total to its last digit, however it is written', async (t) => {
  const total = { minor: 72057594037927928n, currency: 'EUR' }
  t.ok(isTotal(total, '720575940379279.28', 'EUR'))
  t.ok(isTotal(total, '0720575940379279.28', 'EUR'))
  t.notOk(isTotal(total, '720575940379279.27', 'EUR'))
  t.notOk(isTotal(total, '720575940379279.28', 'USD'))
  t.notOk(isTotal(total, '720575940379279.2800', 'EUR'), 'with more decimals than the currency has')
})
