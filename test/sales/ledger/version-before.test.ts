/**
 * Sales that the previous version changed while this version ran beside it. The tests write the rows that the previous
 * version leaves.
 */
import t, { type Test } from 'tap'
import { previewRefund } from '../../../src/sales/booking/changes/refund-preview.ts'
import { settleOldRefunds } from '../../../src/sales/ledger/settling-old.ts'
import { until } from '../../until.ts'
import { euros, refundDesk } from './refund-fixtures.ts'

async function desk(t: Test, options: { terms?: object[] } = {}) {
  const built = await refundDesk(t, options)
  const { sql, accountId } = built
  const deletePayments = ({ BasketID }: { BasketID: number }) =>
    sql`delete from payments where basket_id = ${BasketID}`
  const cancelAsPreviousVersion = (reference: string) => sql`
    update bookings set status = 'cancelled', cancelled_at = now(), cancel_reason = 'operator'
    where reference = ${reference}`
  const addPersonAsPreviousVersion = (reference: string) => sql`
    update bookings set participants = 3 where reference = ${reference}`
  /**
   * Stores a refund event of each amount with the outcome `ignored`, as the previous version does for partial refunds.
   */
  const storePartialRefunds = async ({ BasketID }: { BasketID: number }, ...amounts: string[]) => {
    for (const [index, amount] of amounts.entries())
      await sql`
        insert into payment_events (account_id, event_id, basket_id, type, amount, currency, body_hash, outcome,
          basket_status)
        values (${accountId}, ${`re_${index}`}, ${BasketID}, 'refunded', ${amount}, 'EUR', ${Buffer.alloc(32)}, 'ignored',
          'completed')`
  }
  return {
    ...built,
    deletePayments,
    cancelAsPreviousVersion,
    addPersonAsPreviousVersion,
    storePartialRefunds,
  }
}

t.test(
  'a cancellation by the previous version leaves a deposit overpaid until a refund is decided',
  async (t) => {
    const { sell, cancelAsPreviousVersion, read, post, listRefunds } = await desk(t)
    const { basket, references } = await sell([{}, {}], { Method: 'cash', Amount: '100.00' })
    await cancelAsPreviousVersion(references[0]!)
    t.match((await read(basket)).Ledger, { Paid: euros('100.00'), Balance: euros('-10.00') })
    await post(`/baskets/${basket.BasketID}/refunds`)
    t.match(await listRefunds(), [{ Reason: 'overpaid', Refund: euros('10.00') }])
    t.match((await read(basket)).Ledger, { Balance: euros('0.00') })
  },
)

t.test(
  'a sale with stored payments owes the price of the people that the previous version adds',
  async (t) => {
    const { sell, addPersonAsPreviousVersion, read } = await desk(t)
    const { basket, references } = await sell()
    await addPersonAsPreviousVersion(references[0]!)
    t.match((await read(basket)).Ledger, { Paid: euros('90.00'), Balance: euros('45.00') })
  },
)

t.test(
  'a sale without stored payments counts as paid, also for people that the previous version adds',
  async (t) => {
    const { sell, deletePayments, addPersonAsPreviousVersion, read } = await desk(t)
    const { basket, references } = await sell()
    await deletePayments(basket)
    await addPersonAsPreviousVersion(references[0]!)
    t.match((await read(basket)).Ledger, { Paid: euros('135.00'), Balance: euros('0.00') })
  },
)

t.test(
  'a sale without stored payments is settled by a cancellation, and owes the price of people added to its free booking',
  async (t) => {
    const { sell, deletePayments, cancelAsPreviousVersion, act, read, sql } = await desk(t)
    const { basket, references } = await sell([{}, { Participants: 1 }])
    await deletePayments(basket)
    await sql`update bookings set unit_price_minor = 0 where reference = ${references[1]!}`
    await cancelAsPreviousVersion(references[0]!)
    t.match((await read(basket)).Ledger, { Paid: euros('0.00'), Balance: euros('0.00') })
    t.equal((await act(references[1]!, 'amend', { Participants: 2 })).statusCode, 200)
    t.match((await read(basket)).Ledger, { Paid: euros('0.00'), Balance: euros('45.00') })
  },
)

t.test('a closure stores the payments of many sales with as many statements as for one sale', async (t) => {
  const { sell, post, sql, read, services } = await desk(t)
  await sql`update timeslots set capacity = 500`
  const close = async (sales: number) => {
    const baskets = []
    for (let sale = 0; sale < sales; sale++) baskets.push((await sell([{}])).basket)
    await sql`delete from payments`
    let statements = 0
    services.sql.options.debug = (_connection, text) => {
      if (/\b(payments|refunds|payment_events)\b/.test(text)) statements++
    }
    t.equal((await post('/closures', { Date: '2030-06-15', Action: 'cancel' })).statusCode, 200)
    services.sql.options.debug = false
    for (const basket of baskets)
      t.match((await read(basket)).Ledger, {
        ...{ Paid: euros('90.00'), RefundDue: euros('90.00'), Balance: euros('0.00') },
      })
    return statements
  }
  const ofOne = await close(1)
  await sql`update timeslots set status = 'open'`
  t.equal(await close(12), ofOne)
})

t.test('a due refund that partial refund events have paid back is not set off', async (t) => {
  const { sell, act, read, storePartialRefunds, listRefunds } = await desk(t, { terms: [] })
  const { basket, references } = await sell()
  await act(references[0]!, 'amend', { Participants: 1 })
  await storePartialRefunds(basket, '20.00', '25.00')
  await act(references[0]!, 'amend', { Participants: 2 })
  t.match((await read(basket)).Ledger, { PaidBack: euros('45.00'), Balance: euros('45.00') })
  t.same(await listRefunds(), [])
})

t.test('partial refund events that paid back a due refund are not used for the next decision', async (t) => {
  const { sell, act, read, storePartialRefunds, sql, accountId } = await desk(t, { terms: [] })
  const { basket, references } = await sell()
  await act(references[0]!, 'amend', { Participants: 1 })
  await storePartialRefunds(basket, '20.00', '25.00')
  t.match(await previewRefund(sql, accountId, references[0]!), { own: { options: { leastMinor: 0n } } })
  await act(references[0]!, 'cancel', { Refund: { Choice: 'none' } })
  t.match((await read(basket)).Ledger, {
    ...{ Kept: euros('45.00'), PaidBack: euros('45.00'), RefundDue: euros('0.00'), Balance: euros('0.00') },
  })
})

t.test('partial refund events that paid back a due refund are not used for an overpayment', async (t) => {
  const { sell, act, post, read, cancelAsPreviousVersion, storePartialRefunds } = await desk(t, { terms: [] })
  const { basket, references } = await sell([{}, {}])
  await act(references[0]!, 'cancel')
  await storePartialRefunds(basket, '20.00', '70.00')
  await cancelAsPreviousVersion(references[1]!)
  await post(`/baskets/${basket.BasketID}/refunds`, { Refund: { Choice: 'none' } })
  t.match((await read(basket)).Ledger, {
    ...{ Kept: euros('90.00'), PaidBack: euros('90.00'), RefundDue: euros('0.00'), Balance: euros('0.00') },
  })
})

t.test(
  'a worker matches ignored refund events with payments that bought nothing and with kept money, once',
  async (t) => {
    const { sell, act, sendPaymentEvent, read, storePartialRefunds, listRefunds, sql } = await desk(t, {
      terms: [],
    })
    const { basket, references } = await sell()
    await sendPaymentEvent(basket, { ID: 'evt_2' })
    await act(references[0]!, 'cancel', { Refund: { Choice: 'none' } })
    t.match(await listRefunds(), [{ PaymentID: 'evt_2', Refund: euros('90.00') }])
    await storePartialRefunds(basket, '70.00', '60.00')
    t.equal(await settleOldRefunds(sql), 1)
    t.same(await listRefunds(), [])
    t.match((await read(basket)).Ledger, { Kept: euros('50.00'), PaidBack: euros('40.00') })
    t.equal(await settleOldRefunds(sql), 0)
  },
)

t.test('a worker corrects the set-off of a refund that a partial refund event had paid back', async (t) => {
  const { sell, act, read, storePartialRefunds, sql } = await desk(t, { terms: [] })
  const { basket, references } = await sell()
  await act(references[0]!, 'amend', { Participants: 1 })
  await act(references[0]!, 'amend', { Participants: 2 })
  t.match((await read(basket)).Ledger, { PaidBack: euros('0.00'), Balance: euros('0.00') })
  await storePartialRefunds(basket, '20.00')
  await settleOldRefunds(sql)
  t.match((await read(basket)).Ledger, { PaidBack: euros('20.00'), Balance: euros('20.00') })
})

t.test(
  'a worker that matches refund events of a partner’s sale waits for a transaction that locks the booking',
  async (t) => {
    const { hold, sendPaymentEvent, storePartialRefunds, read, sql } = await desk(t)
    const basket = await hold()
    await sendPaymentEvent(basket, { Amount: '80.00' })
    // A partner's sale has no row in baskets.
    await sql`update bookings set channel = 'partner' where basket_id = ${basket.BasketID}`
    await sql`delete from baskets where id = ${basket.BasketID}`
    await storePartialRefunds(basket, '30.00')
    let isMatched = false
    let matching: Promise<number> | undefined
    await sql.begin(async (tx) => {
      await tx`select from bookings where basket_id = ${basket.BasketID} for update`
      matching = settleOldRefunds(sql)
      void matching.finally(() => (isMatched = true))
      await until(async () => {
        const waiting = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        return isMatched || waiting.length > 0
      })
      t.equal(isMatched, false)
    })
    t.equal(await matching, 1)
    t.match((await read(basket)).Payments, [{ PaidBack: euros('30.00') }, {}])
  },
)
