/** Reductions of a sale at the till: by an amount or a percentage, with a promotion, and refusals. */
import t from 'tap'
import { harbour } from './fixtures.ts'

const cash = { Method: 'cash' }
const eur = (Amount: string) => ({ Amount, Currency: 'EUR' })
type Answer = { json: () => { errors?: { field: string }[] } }
const fields = (answer: Answer) => (answer.json().errors ?? []).map(({ field }) => field)

t.test('the till reduces a sale by an amount or a percentage, and stores the reason', async (t) => {
  const { post, line, call } = await harbour(t)
  const sell = (Reduction: object) => post('/bookings', { ...line(), Payment: cash, Reduction })
  const answer = await sell({ Amount: '5.00', Reason: ' Late start ' })
  t.equal(answer.statusCode, 201, answer.body)
  const { data } = answer.json()
  t.match(data, {
    UnitPrice: eur('45.00'),
    Discount: eur('5.00'),
    Reduction: { ...eur('5.00'), Reason: 'Late start' },
    Total: eur('85.00'),
  })
  t.match((await call('GET', `/bookings/${data.BookingReference}`)).json().data.History, [
    { Action: 'confirmed' },
    { Action: 'reduced', Details: { ...eur('5.00'), Reason: 'Late start' } },
  ])
  t.match((await call('GET', `/baskets/${data.BasketID}`)).json().data, {
    Reduction: { ...eur('5.00'), Reason: 'Late start' },
    Total: eur('85.00'),
  })
  t.match((await sell({ Percent: '12.5', Reason: 'Staff' })).json().data, { Total: eur('78.75') })
  t.match((await sell({ Percent: '100', Reason: 'Gift' })).json().data, { Total: eur('0.00') })
})

t.test(
  'a reduction of a basket is divided among its lines, after the discount of its promotion',
  async (t) => {
    const { post, hold, sql } = await harbour(t)
    await post('/promotions', { Code: 'SUMMER', Percent: '10' })
    const basket = await hold([{}, { Time: '12:00', Participants: 1 }], { PromotionCode: 'SUMMER' })
    const Reduction = { Percent: '50', Reason: 'Rain' }
    const paid = await post(`/baskets/${basket.BasketID}/pay`, { ...cash, Reduction })
    t.match(paid.json().data, {
      Status: 'completed',
      Promotion: { Code: 'SUMMER', Discount: eur('13.50') },
      Reduction: { ...eur('60.75'), Reason: 'Rain' },
      Total: eur('60.75'),
      Lines: [{ Discount: eur('49.50') }, { Discount: eur('24.75') }],
    })
    t.match(await sql`select details from events where type = 'booking.reduced' order by id`, [
      { details: eur('40.50') },
      { details: eur('20.25') },
    ])
    t.same(
      await sql`select from events where details::text like '%Rain%'`,
      [],
      'events do not contain the reason',
    )
  },
)

t.test(
  '422 refuses a reduction that is zero, exceeds the total, or is both an amount and a percentage',
  async (t) => {
    const { post, hold, line, read, counters } = await harbour(t)
    const basket = await hold()
    const pay = async (Reduction: object) =>
      fields(await post(`/baskets/${basket.BasketID}/pay`, { ...cash, Reduction }))
    t.same(await pay({ Amount: '90.01', Reason: 'x' }), ['Reduction.Amount'])
    t.same(await pay({ Amount: '0.00', Reason: 'x' }), ['Reduction.Amount'])
    t.same(await pay({ Amount: '0.001', Reason: 'x' }), ['Reduction.Amount'])
    t.same(await pay({ Percent: '100.01', Reason: 'x' }), ['Reduction.Percent'])
    t.same(await pay({ Percent: '0', Reason: 'x' }), ['Reduction.Percent'])
    t.same(await pay({ Percent: '1.234', Reason: 'x' }), ['Reduction.Percent'])
    t.same(await pay({ Amount: '1.00', Percent: '1', Reason: 'x' }), ['Reduction.Percent'])
    t.same(await pay({ Reason: 'x' }), ['Reduction.Amount'])
    t.same(await pay({ Amount: '1.00' }), ['Reduction.Reason'])
    for (const Reason of ['', ' ', 'x'.repeat(256)])
      t.same(await pay({ Amount: '1.00', Reason }), ['Reduction.Reason'])
    const Reduction = { Amount: '90.01', Reason: 'x' }
    t.same(fields(await post('/bookings', { ...line(), Payment: cash, Reduction })), ['Reduction.Amount'])
    t.match(await read(basket), { Status: 'open', Total: eur('90.00') })
    t.same(await counters(), { booked: 0, held: 2 })
  },
)
