/** Refunds that a payment provider makes of money that the operator decided to keep. */
import t, { type Test } from 'tap'
import { auditTotals } from '../../../src/reports/sales/totals/audit.ts'
import { settle } from '../../reports/sales/fixtures.ts'
import { euros, refundDesk } from './refund-fixtures.ts'

/** A refund desk. `keepAll` cancels a booking without a refund. */
async function keepingDesk(t: Test) {
  const desk = await refundDesk(t)
  const { act, rows } = desk
  const keepAll = (reference: string) => act(reference, 'cancel', { Refund: { Choice: 'none' } })
  const listDecisions = async () =>
    (await rows()).map(({ cause, amount_minor, kept_minor, status }) =>
      [cause, amount_minor, kept_minor, status].join(' '),
    )
  return { ...desk, keepAll, listDecisions }
}

t.test('money that the operator kept counts as paid back when the provider refunds it', async (t) => {
  const { sell, keepAll, sendRefund, read, listDecisions, listRefunds } = await keepingDesk(t)
  const { basket, references } = await sell()
  await keepAll(references[0]!)
  t.match((await read(basket)).Ledger, { Kept: euros('90.00'), PaidBack: euros('0.00') })
  for (let time = 0; time < 2; time++) t.equal(await sendRefund(basket, 're_1', '90.00'), 'refunded')
  t.match((await read(basket)).Ledger, {
    ...{ Kept: euros('0.00'), PaidBack: euros('90.00'), RefundDue: euros('0.00'), Balance: euros('0.00') },
  })
  t.same(await listDecisions(), ['cancelled 0 0 none', 'provider 9000 0 done'])
  t.same(await listRefunds(), [])
  t.match(await listRefunds('?Status=done'), [
    { Reason: 'provider', BookingReference: references[0], Refund: euros('90.00'), Method: 'online' },
  ])
})

t.test(
  'a partial refund by the provider reduces the kept money, and the amount beyond the kept money is ignored',
  async (t) => {
    const { sell, keepAll, sendRefund, read, listDecisions } = await keepingDesk(t)
    const { basket, references } = await sell()
    await keepAll(references[0]!)
    t.equal(await sendRefund(basket, 're_1', '30.00'), 'refunded')
    t.match((await read(basket)).Ledger, { Kept: euros('60.00'), PaidBack: euros('30.00') })
    t.equal(await sendRefund(basket, 're_2', '70.00'), 'refunded')
    t.match((await read(basket)).Ledger, { Kept: euros('0.00'), PaidBack: euros('90.00') })
    t.equal(await sendRefund(basket, 're_3', '10.00'), 'ignored', 'refunds cannot exceed the payment')
    t.same(await listDecisions(), ['cancelled 0 0 none', 'provider 3000 0 done', 'provider 6000 0 done'])
  },
)

t.test('a refund by the provider settles a refund that is due before it reduces kept money', async (t) => {
  const { sell, act, sendRefund, read, listDecisions } = await keepingDesk(t)
  const { basket, references } = await sell()
  await act(references[0]!, 'cancel')
  t.equal(await sendRefund(basket, 're_1', '60.00'), 'refunded')
  t.match((await read(basket)).Ledger, { Kept: euros('30.00'), PaidBack: euros('60.00') })
  t.same(await listDecisions(), ['cancelled 4500 3000 done', 'provider 1500 0 done'])
})

t.test(
  'a refund by the provider reduces kept money only by what exceeds the price of the sale’s active bookings',
  async (t) => {
    const { sell, act, keepAll, sendRefund, read } = await keepingDesk(t)
    const { basket, references } = await sell([{}, {}])
    await keepAll(references[0]!)
    t.equal(await sendRefund(basket, 're_1', '90.00'), 'ignored')
    t.equal(
      await sendRefund(basket, 're_2', '20.00'),
      'refunded',
      'the refunds exceed the price of the active booking by 20.00',
    )
    t.match((await read(basket)).Ledger, { Kept: euros('70.00'), PaidBack: euros('20.00') })
    await act(references[1]!, 'cancel', { Refund: { Choice: 'full' } })
    t.match((await read(basket)).Ledger, {
      ...{ Kept: euros('70.00'), PaidBack: euros('110.00'), RefundDue: euros('0.00') },
    })
  },
)

t.test(
  'a refund that was ignored reduces kept money once an amendment lowers the price of the active bookings',
  async (t) => {
    const { sell, act, keepAll, sendRefund, read } = await keepingDesk(t)
    const { basket, references } = await sell([{}, { Participants: 1 }])
    await keepAll(references[0]!)
    await act(references[1]!, 'amend', { Participants: 3 })
    t.equal(await sendRefund(basket, 're_1', '100.00'), 'ignored')
    await act(references[1]!, 'amend', { Participants: 2 })
    t.match((await read(basket)).Ledger, {
      ...{ Charged: euros('90.00'), Kept: euros('80.00'), PaidBack: euros('10.00'), Balance: euros('45.00') },
    })
  },
)

t.test(
  'a refund of a payment that has not arrived yet does not reduce kept money; it is applied to that payment',
  async (t) => {
    const { hold, sendPaymentEvent, sendRefund, keepAll, read, listRefunds } = await keepingDesk(t)
    const basket = await hold()
    await sendPaymentEvent(basket, { ID: 'evt_1', Reference: 'ch_1' })
    await keepAll(basket.Lines[0]!.BookingReference)
    t.equal(await sendRefund(basket, 're_2', '60.00', { Reference: 'ch_2' }), 'ignored')
    t.match((await read(basket)).Ledger, { Kept: euros('90.00'), PaidBack: euros('0.00') })
    await sendPaymentEvent(basket, { ID: 'evt_2', Reference: 'ch_2', Amount: '90.00' })
    t.match(await listRefunds(), [{ PaymentID: 'evt_2', Refund: euros('30.00') }])
    t.equal(await sendRefund(basket, 're_3', '30.00', { Reference: 'ch_2' }), 'refunded')
    t.same(await listRefunds(), [], 'no refund is due')
    t.match((await read(basket)).Ledger, { Kept: euros('90.00'), PaidBack: euros('0.00') })
    t.equal(await sendRefund(basket, 're_4', '40.00', { Reference: 'ch_2' }), 'refunded')
    t.equal(await sendRefund(basket, 're_1', '50.00', { Reference: 'ch_1' }), 'refunded')
    t.match((await read(basket)).Ledger, { Kept: euros('0.00'), PaidBack: euros('90.00') })
  },
)

t.test(
  'reports count a provider’s refund of kept money as paid back, and the audit finds no difference',
  async (t) => {
    const { sell, keepAll, sendRefund, call, sql, accountId } = await keepingDesk(t)
    const { basket, references } = await sell()
    await keepAll(references[0]!)
    await settle(sql)
    await sendRefund(basket, 're_1', '50.00')
    await settle(sql)
    const report = await call('GET', '/reports/sales?From=2030-06-15&To=2030-06-15&Basis=travel')
    t.match(report.json().data.Totals[0].Figures, {
      ...{ Kept: euros('40.00'), RefundsDecided: euros('50.00'), PaidBack: euros('50.00') },
      ...{ RefundsDue: euros('0.00'), Income: euros('40.00') },
    })
    t.same(await auditTotals(sql, accountId), [])
  },
)
