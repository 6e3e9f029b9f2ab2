/** Money that an operator decided to keep, and that its payment provider paid back all the same. */
import t, { type Test } from 'tap'
import { auditTotals } from '../../../src/reports/sales/totals/audit.ts'
import type { BasketView } from '../../../src/sales/basket/schemas.ts'
import { settle } from '../../reports/sales/fixtures.ts'
import { euros, refundDesk } from './refund-fixtures.ts'

async function keepingDesk(t: Test) {
  const desk = await refundDesk(t)
  const { tell, act, rows } = desk
  const refunded = async (basket: BasketView, ID: string, Amount: string, more: object = {}) => {
    const answer = await tell(basket, { ID, Type: 'refunded', Amount, ...more })
    t.equal(answer.statusCode, 200, answer.body)
    return answer.json().data.Outcome as string
  }
  const keepAll = (reference: string) => act(reference, 'cancel', { Refund: { Choice: 'none' } })
  const decided = async () =>
    (await rows()).map(({ cause, amount_minor, kept_minor, status }) =>
      [cause, amount_minor, kept_minor, status].join(' '),
    )
  return { ...desk, refunded, keepAll, decided }
}

t.test('what a provider pays back after all was to be kept is paid back, and not kept', async (t) => {
  const { sell, keepAll, refunded, read, decided, listRefunds } = await keepingDesk(t)
  const { basket, references } = await sell()
  await keepAll(references[0]!)
  t.match((await read(basket)).Ledger, { Kept: euros('90.00'), PaidBack: euros('0.00') })
  for (let time = 0; time < 2; time++) t.equal(await refunded(basket, 're_1', '90.00'), 'refunded')
  t.match((await read(basket)).Ledger, {
    ...{ Kept: euros('0.00'), PaidBack: euros('90.00'), RefundDue: euros('0.00'), Balance: euros('0.00') },
  })
  t.same(await decided(), ['cancelled 0 0 none', 'provider 9000 0 done'])
  t.same(await listRefunds(), [])
  t.match(await listRefunds('?Status=done'), [
    { Reason: 'provider', BookingReference: references[0], Refund: euros('90.00'), Method: 'online' },
  ])
})

t.test(
  'of a part only that is not kept any more, and of more than was kept the rest is ignored',
  async (t) => {
    const { sell, keepAll, refunded, read, decided } = await keepingDesk(t)
    const { basket, references } = await sell()
    await keepAll(references[0]!)
    t.equal(await refunded(basket, 're_1', '30.00'), 'refunded')
    t.match((await read(basket)).Ledger, { Kept: euros('60.00'), PaidBack: euros('30.00') })
    t.equal(await refunded(basket, 're_2', '70.00'), 'refunded')
    t.match((await read(basket)).Ledger, { Kept: euros('0.00'), PaidBack: euros('90.00') })
    t.equal(await refunded(basket, 're_3', '10.00'), 'ignored', 'no more than was paid is paid back')
    t.same(await decided(), ['cancelled 0 0 none', 'provider 3000 0 done', 'provider 6000 0 done'])
  },
)

t.test('what is due is paid back first, and then what the terms kept', async (t) => {
  const { sell, act, refunded, read, decided } = await keepingDesk(t)
  const { basket, references } = await sell()
  await act(references[0]!, 'cancel')
  t.equal(await refunded(basket, 're_1', '60.00'), 'refunded')
  t.match((await read(basket)).Ledger, { Kept: euros('30.00'), PaidBack: euros('60.00') })
  t.same(await decided(), ['cancelled 4500 3000 done', 'provider 1500 0 done'])
})

t.test(
  'while a booking of the sale stands, the refund may be for that, and is no refund of kept money',
  async (t) => {
    const { sell, act, keepAll, refunded, read } = await keepingDesk(t)
    const { basket, references } = await sell([{}, {}])
    await keepAll(references[0]!)
    t.equal(await refunded(basket, 're_1', '90.00'), 'ignored')
    t.equal(await refunded(basket, 're_2', '20.00'), 'refunded', 'but not what is more than it costs')
    t.match((await read(basket)).Ledger, { Kept: euros('70.00'), PaidBack: euros('20.00') })
    await act(references[1]!, 'cancel', { Refund: { Choice: 'full' } })
    t.match((await read(basket)).Ledger, {
      ...{ Kept: euros('70.00'), PaidBack: euros('110.00'), RefundDue: euros('0.00') },
    })
  },
)

t.test(
  'it is of kept money once the booking costs less, also where nothing is decided about that',
  async (t) => {
    const { sell, act, keepAll, refunded, read } = await keepingDesk(t)
    const { basket, references } = await sell([{}, { Participants: 1 }])
    await keepAll(references[0]!)
    await act(references[1]!, 'amend', { Participants: 3 })
    t.equal(await refunded(basket, 're_1', '100.00'), 'ignored')
    await act(references[1]!, 'amend', { Participants: 2 })
    t.match((await read(basket)).Ledger, {
      ...{ Charged: euros('90.00'), Kept: euros('80.00'), PaidBack: euros('10.00'), Balance: euros('45.00') },
    })
  },
)

t.test(
  'a refund that names a payment which is still to come waits for it, and what was to be kept stays kept',
  async (t) => {
    const { hold, tell, refunded, keepAll, read, listRefunds } = await keepingDesk(t)
    const basket = await hold()
    await tell(basket, { ID: 'evt_1', Reference: 'ch_1' })
    await keepAll(basket.Lines[0]!.BookingReference)
    t.equal(await refunded(basket, 're_2', '60.00', { Reference: 'ch_2' }), 'ignored')
    t.match((await read(basket)).Ledger, { Kept: euros('90.00'), PaidBack: euros('0.00') })
    await tell(basket, { ID: 'evt_2', Reference: 'ch_2', Amount: '90.00' })
    t.match(await listRefunds(), [{ PaymentID: 'evt_2', Refund: euros('30.00') }])
    t.equal(await refunded(basket, 're_3', '30.00', { Reference: 'ch_2' }), 'refunded')
    t.same(await listRefunds(), [], 'nobody is asked to pay it back again')
    t.match((await read(basket)).Ledger, { Kept: euros('90.00'), PaidBack: euros('0.00') })
    t.equal(await refunded(basket, 're_4', '40.00', { Reference: 'ch_2' }), 'refunded')
    t.equal(await refunded(basket, 're_1', '50.00', { Reference: 'ch_1' }), 'refunded')
    t.match((await read(basket)).Ledger, { Kept: euros('0.00'), PaidBack: euros('90.00') })
  },
)

t.test('reports count it as paid back, and their audit agrees', async (t) => {
  const { sell, keepAll, refunded, call, sql, accountId } = await keepingDesk(t)
  const { basket, references } = await sell()
  await keepAll(references[0]!)
  await settle(sql)
  await refunded(basket, 're_1', '50.00')
  await settle(sql)
  const report = await call('GET', '/reports/sales?From=2030-06-15&To=2030-06-15&Basis=travel')
  t.match(report.json().data.Totals[0].Figures, {
    ...{ Kept: euros('40.00'), RefundsDecided: euros('50.00'), PaidBack: euros('50.00') },
    ...{ RefundsDue: euros('0.00'), Income: euros('40.00') },
  })
  t.same(await auditTotals(sql, accountId), [])
})
