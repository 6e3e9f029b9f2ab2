/** A provider's refund is matched with the operator's refund decision once, whichever of them comes first. */
import t, { type Test } from 'tap'
import { sign } from '../../../src/sales/payment/model.ts'
import { buildOn } from '../../helper.ts'
import { secretKey } from '../basket/fixtures.ts'
import { euros, refundDesk } from './refund-fixtures.ts'

const even = { RefundDue: euros('0.00'), Balance: euros('0.00') }

async function onlineDesk(t: Test) {
  const desk = await refundDesk(t)
  const { sql, act } = desk
  const paidBack = () => sql`
    select event_id, method, amount_minor from payments where kind = 'refund' order by id`
  const cancelFully = (reference: string) => act(reference, 'cancel', { Refund: { Choice: 'full' } })
  return { ...desk, paidBack, cancelFully }
}

t.test('a provider’s refund that arrives before the decision is matched with it once', async (t) => {
  const { sell, act, sendRefund, listRefunds, read, paidBack, sql } = await onlineDesk(t)
  const { basket, references } = await sell([{}, {}])
  t.equal(await sendRefund(basket, 're_1'), 'ignored')
  t.equal(await sendRefund(basket, 're_1'), 'ignored')
  t.match(await read(basket), { Ledger: { PaidBack: euros('0.00') } })
  await act(references[0]!, 'cancel')
  t.same(await listRefunds(), [])
  t.match(await listRefunds('?Status=done'), [{ Method: 'online', BookingReference: references[0] }])
  t.match((await read(basket)).Ledger, { PaidBack: euros('45.00'), ...even })
  t.equal(await sendRefund(basket, 're_1'), 'refunded', 'the repeated event returns its current outcome')
  await act(references[1]!, 'cancel')
  t.equal((await listRefunds()).length, 1, 'the next decision needs another refund by the provider')
  t.match(await paidBack(), [{ event_id: 're_1', amount_minor: 4500 }])
  t.equal((await paidBack()).length, 1)
  const events = await sql`select type from events where type like 'refund.%' order by id`
  t.same(
    events.map(({ type }) => type),
    ['refund.due', 'refund.done', 'refund.due'],
  )
})

t.test(
  'amendments, moves, closures and overpayments are matched with earlier refunds of the provider too',
  async (t) => {
    const { sell, act, post, sendRefund, listRefunds, sql, accountId } = await onlineDesk(t)
    const one = await sell([{ Participants: 3 }])
    await sendRefund(one.basket, 're_1', '22.50')
    await act(one.references[0]!, 'amend', { Participants: 2 })
    await sendRefund(one.basket, 're_2', '10.00')
    const there = { Date: '2030-06-15', Time: '12:00', Participants: 1, Refund: { Amount: '10.00' } }
    await act(one.references[0]!, 'move', there)
    await sendRefund(one.basket, 're_3', '5.00')
    await sql`
    insert into payments (account_id, basket_id, kind, method, amount_minor, currency, actor)
    values (${accountId}, ${one.basket.BasketID}, 'payment', 'card', 500, 'EUR', 'key')`
    t.match((await post(`/baskets/${one.basket.BasketID}/refunds`)).json().data, { Status: 'done' })
    const other = await sell()
    await sendRefund(other.basket, 're_4', '90.00')
    await sendRefund(one.basket, 're_5', '45.00')
    await post('/closures', { Date: '2030-06-15', Action: 'cancel' })
    t.same(await listRefunds(), [])
    t.same(
      (await listRefunds('?Status=done')).map(({ Reason }) => Reason),
      ['closed', 'closed', 'overpaid', 'moved', 'amended'],
    )
  },
)

t.test('a decision and its refund events in two applications at the same time pay back once', async (t) => {
  const { sell, act, event, sendRefund, read, url, secret } = await onlineDesk(t)
  const { app: other } = await buildOn(t, url, { SECRET_KEY: secretKey })
  for (let round = 0; round < 8; round++) {
    const { basket, references } = await sell([{ Participants: 1 }])
    const body = JSON.stringify(event(basket, { ID: `re_${round}`, Type: 'refunded', Amount: '22.50' }))
    const tellOther = () =>
      other.inject({
        method: 'POST',
        url: '/api/v2/payments/events',
        headers: {
          'content-type': 'application/json',
          'payment-signature': sign(secret, Math.floor(Date.now() / 1000), Buffer.from(body)),
        },
        payload: body,
      })
    const answers = await Promise.all([act(references[0]!, 'cancel'), tellOther(), tellOther()])
    for (const { statusCode, body } of answers) t.equal(statusCode, 200, body)
    t.match((await read(basket)).Ledger, { PaidBack: euros('22.50'), ...even })
    t.equal(await sendRefund(basket, `re_${round}`, '22.50'), 'refunded')
  }
})

t.test(
  'two refund events of the same amount count if their IDs differ, and one ID counts once',
  async (t) => {
    const { sell, act, sendRefund, listRefunds, sendPaymentEvent, paidBack } = await onlineDesk(t)
    const { basket, references } = await sell([{}, {}])
    for (const reference of references) await act(reference, 'cancel')
    for (let time = 0; time < 3; time++) t.equal(await sendRefund(basket, 're_1'), 'refunded')
    t.equal((await listRefunds()).length, 1)
    const changed = await sendPaymentEvent(basket, { ID: 're_1', Type: 'refunded', Amount: '44.00' })
    t.match(changed.json(), { status: 422, type: /payment-event-reused$/ })
    t.equal(await sendRefund(basket, 're_2'), 'refunded')
    t.same(await listRefunds(), [])
    t.match(await paidBack(), [{ event_id: 're_1' }, { event_id: 're_2' }])
  },
)

t.test('one refund of the provider settles all due refunds of a sale', async (t) => {
  const { sell, act, sendRefund, listRefunds, read, paidBack } = await onlineDesk(t)
  const late = await sell([{}, {}])
  for (const reference of late.references) await act(reference, 'cancel')
  t.equal(await sendRefund(late.basket, 're_1', '90.00'), 'refunded')
  const early = await sell([{ Time: '12:00' }, {}])
  t.equal(await sendRefund(early.basket, 're_2', '90.00'), 'ignored')
  for (const reference of early.references) await act(reference, 'cancel')
  t.same(await listRefunds(), [])
  for (const { basket } of [late, early])
    t.match((await read(basket)).Ledger, { PaidBack: euros('90.00'), ...even })
  t.match(
    (await paidBack()).map(({ event_id }) => event_id),
    ['re_1', 're_1', 're_2', 're_2'],
  )
})

t.test(
  'the event of a refund that was marked as paid back online is not used for the next refund',
  async (t) => {
    const { sell, act, sendRefund, listRefunds, markDone, paidBack } = await onlineDesk(t)
    const { basket, references } = await sell([{}, {}])
    await act(references[0]!, 'cancel')
    const [due] = await listRefunds()
    await markDone(due!, { Method: 'online', Reference: 're_1' })
    t.equal(await sendRefund(basket, 're_1'), 'refunded')
    await act(references[1]!, 'cancel')
    t.equal((await listRefunds()).length, 1)
    t.match(await paidBack(), [{ event_id: 're_1', method: 'online' }])
    t.equal((await paidBack()).length, 1)
    t.equal(await sendRefund(basket, 're_2'), 'refunded')
    t.same(await listRefunds(), [])
  },
)

t.test('a refund event in another currency or for another sale matches no decision', async (t) => {
  const { sell, act, sendRefund, listRefunds } = await onlineDesk(t)
  const { basket, references } = await sell()
  const { basket: other } = await sell()
  t.equal(await sendRefund(basket, 're_2', '45.00', { Currency: 'USD' }), 'ignored')
  t.equal(await sendRefund(other, 're_3'), 'ignored')
  await act(references[0]!, 'cancel')
  t.equal((await listRefunds()).length, 1)
})

t.test(
  'no refund is due for a payment that bought nothing if its refund event arrived before its payment event',
  async (t) => {
    const { hold, sendPaymentEvent, sendRefund, listRefunds, read } = await onlineDesk(t)
    const basket = await hold()
    t.equal(await sendRefund(basket, 're_1', '80.00', { Reference: 'ch_1' }), 'ignored')
    const late = { ID: 'evt_1', Amount: '80.00', Reference: 'ch_1' }
    t.match((await sendPaymentEvent(basket, late)).json().data, {
      Outcome: 'refund-due',
      BasketStatus: 'refunded',
    })
    t.match((await sendPaymentEvent(basket, late)).json().data, {
      Outcome: 'refund-due',
      BasketStatus: 'refunded',
    })
    t.same(await listRefunds(), [])
    t.match(await listRefunds('?Status=done'), [{ PaymentID: 'evt_1' }])
    t.equal((await read(basket)).Status, 'refunded')
    t.equal(await sendRefund(basket, 're_1', '80.00', { Reference: 'ch_1' }), 'refunded')
  },
)

t.test(
  'the refund event of a payment that was marked as refunded by hand is not used for the sale’s refund',
  async (t) => {
    const { hold, sendPaymentEvent, post, sendRefund, cancelFully, listRefunds } = await onlineDesk(t)
    const basket = await hold()
    for (const ID of ['evt_1', 'evt_2']) await sendPaymentEvent(basket, { ID, Reference: ID })
    t.match(await listRefunds(), [{ PaymentID: 'evt_2', Reason: 'paid-twice' }])
    await post(`/baskets/${basket.BasketID}/refunded`, { Payments: ['evt_2'] })
    t.equal(await sendRefund(basket, 're_1', '90.00', { Reference: 'evt_2' }), 'refunded')
    await cancelFully(basket.Lines[0]!.BookingReference)
    t.match(await listRefunds(), [{ Source: 'decision', Refund: euros('90.00') }])
    t.equal(await sendRefund(basket, 're_2', '90.00', { Reference: 'evt_1' }), 'refunded')
    t.same(await listRefunds(), [])
  },
)

t.test(
  'a provider’s partial refunds settle a refund part by part, and are not used for a later one',
  async (t) => {
    const { sell, cancelFully, sendRefund, listRefunds, read, paidBack } = await onlineDesk(t)
    const { basket, references } = await sell([{}, {}])
    await cancelFully(references[0]!)
    t.equal(await sendRefund(basket, 're_1', '50.00'), 'refunded')
    t.match(await listRefunds(), [{ Refund: euros('40.00'), BookingReference: references[0] }])
    t.match((await read(basket)).Ledger, { PaidBack: euros('50.00'), RefundDue: euros('40.00') })
    t.equal(await sendRefund(basket, 're_1', '50.00'), 'refunded')
    t.equal(await sendRefund(basket, 're_2', '40.00'), 'refunded')
    t.same(await listRefunds(), [])
    await cancelFully(references[1]!)
    t.match(await listRefunds(), [{ Refund: euros('90.00'), BookingReference: references[1] }])
    t.match(await paidBack(), [
      { event_id: 're_1', amount_minor: 5000 },
      { event_id: 're_2', amount_minor: 4000 },
    ])
    t.equal((await paidBack()).length, 2)
  },
)

t.test(
  'partial events of a refund that was marked as paid back online are not used for a later refund',
  async (t) => {
    const { sell, act, cancelFully, sendRefund, listRefunds, markDone, read } = await onlineDesk(t)
    const { basket, references } = await sell([{}, {}])
    await cancelFully(references[0]!)
    const [due] = await listRefunds()
    await markDone(due!, { Method: 'online' })
    t.equal(await sendRefund(basket, 're_1', '50.00'), 'refunded')
    t.equal(await sendRefund(basket, 're_2', '40.00'), 'refunded')
    await act(references[1]!, 'cancel', { Refund: { Amount: '50.00' } })
    t.match(await listRefunds(), [{ Refund: euros('50.00') }])
    t.match((await read(basket)).Ledger, { PaidBack: euros('90.00'), RefundDue: euros('50.00') })
  },
)

t.test('the part of a provider’s refund that exceeds what is due counts for the next decision', async (t) => {
  const { sell, act, cancelFully, sendRefund, listRefunds, read } = await onlineDesk(t)
  const { basket, references } = await sell([{}, {}])
  await act(references[0]!, 'cancel')
  t.equal(await sendRefund(basket, 're_1', '100.00'), 'refunded')
  t.match((await read(basket)).Ledger, { PaidBack: euros('45.00'), RefundDue: euros('0.00') })
  await cancelFully(references[1]!)
  t.match(await listRefunds(), [{ Refund: euros('35.00') }])
  t.match((await read(basket)).Ledger, { PaidBack: euros('100.00'), ...{ RefundDue: euros('35.00') } })
})

t.test('money that a provider paid back before the decision is never counted as kept', async (t) => {
  const { sell, act, sendRefund, listRefunds, read, rows } = await onlineDesk(t)
  const choices = [undefined, { Choice: 'terms' }, { Choice: 'none' }]
  for (const [index, Refund] of choices.entries()) {
    const { basket, references } = await sell([{ Participants: 1 }])
    await sendRefund(basket, `re_${index}`, '40.00')
    const few = await act(references[0]!, 'cancel', { Refund: { Amount: '39.99' } })
    t.match(few.json(), { status: 422, errors: [{ field: 'Refund.Amount', message: /at least 40\.00/ }] })
    const cancelled = await act(references[0]!, 'cancel', { ...(Refund && { Refund }) })
    t.same(cancelled.json().data.Refund, euros('40.00'))
    t.match((await read(basket)).Ledger, { PaidBack: euros('40.00'), Kept: euros('5.00'), ...even })
  }
  t.same(await listRefunds(), [])
  t.match(await rows(), [{ by_terms_minor: 2250, amount_minor: 4000, kept_minor: 500, status: 'done' }])
})

t.test(
  'a provider’s refund up to the price of active bookings reduces no kept money and settles their cancellation',
  async (t) => {
    const { sell, act, cancelFully, sendRefund, listRefunds, read } = await onlineDesk(t)
    const { basket, references } = await sell([{}, {}])
    await sendRefund(basket, 're_1', '90.00')
    t.same(
      (await act(references[0]!, 'cancel', { Refund: { Choice: 'none' } })).json().data.Refund,
      euros('0.00'),
    )
    t.match((await read(basket)).Ledger, { Kept: euros('90.00'), PaidBack: euros('0.00') })
    await cancelFully(references[1]!)
    t.same(await listRefunds(), [])
    t.match((await read(basket)).Ledger, { Kept: euros('90.00'), PaidBack: euros('90.00'), ...even })
  },
)
