/**
 * Refunds of a payment that bought nothing, such as the second payment of a sale: whole, in parts, or together with a
 * refund that the operator decided.
 */
import t, { type Test } from 'tap'
import type { BasketView } from '../../../src/sales/basket/schemas.ts'
import { run } from '../../command-line.ts'
import { euros, refundDesk } from './refund-fixtures.ts'

/**
 * A refund desk. `sellTwice` makes a sale, by default for 90.00, that is paid twice online: only its first payment
 * buys the sale.
 */
async function openTwicePaidDesk(t: Test) {
  const desk = await refundDesk(t)
  const { hold, sendPaymentEvent, read, act, post } = desk
  let sales = 0
  const sellTwice = async (lines: object[] = [{}]) => {
    const basket = await hold(lines.map((line) => ({ ...line })))
    const ids = [`evt_${++sales}_1`, `evt_${sales}_2`] as const
    for (const ID of ids) await sendPaymentEvent(basket, { ID, Reference: `ch_${ID}` })
    return { basket, ids, references: basket.Lines.map(({ BookingReference }) => BookingReference) }
  }
  const cancel = (reference: string, Choice: string) => act(reference, 'cancel', { Refund: { Choice } })
  const paymentOf = async (basket: BasketView, id: string) =>
    (await read(basket)).Payments.find(({ ID }) => ID === id)
  const mark = (basket: BasketView, Payments: string[], more: object = {}) =>
    post(`/baskets/${basket.BasketID}/refunded`, { Payments, ...more })
  return { ...desk, sellTwice, cancel, paymentOf, mark }
}

t.test('one refund by the provider settles a decided refund and a payment that bought nothing', async (t) => {
  const { sellTwice, sendRefund, cancel, listRefunds, read, paymentOf, mark } = await openTwicePaidDesk(t)
  const { basket, ids, references } = await sellTwice()
  await cancel(references[0]!, 'full')
  t.equal((await listRefunds()).length, 2)
  t.equal(await sendRefund(basket, 're_1', '180.00'), 'refunded')
  t.equal(await sendRefund(basket, 're_1', '180.00'), 'refunded')
  t.same(await listRefunds(), [])
  t.match((await read(basket)).Ledger, { PaidBack: euros('90.00'), RefundDue: euros('0.00') })
  t.match(await paymentOf(basket, ids[1]), { RefundedAt: String })
  t.equal((await mark(basket, [ids[1]])).statusCode, 409, 'an operator cannot pay it back a second time')
})

t.test(
  'the part of a refund that exceeds the decided refund pays back the payment that bought nothing',
  async (t) => {
    const { sellTwice, sendRefund, cancel, listRefunds, read, paymentOf } = await openTwicePaidDesk(t)
    const { basket, ids, references } = await sellTwice()
    await cancel(references[0]!, 'terms')
    t.equal(await sendRefund(basket, 're_1', '100.00'), 'refunded')
    t.match(await listRefunds(), [
      { Source: 'payment', PaymentID: ids[1], Refund: euros('35.00'), PaidBack: euros('55.00') },
    ])
    t.equal((await listRefunds()).length, 1)
    t.match(await paymentOf(basket, ids[1]), { RefundedAt: null, PaidBack: euros('55.00') })
    t.match((await read(basket)).Ledger, { PaidBack: euros('45.00'), Kept: euros('45.00') })
  },
)

t.test(
  'a refund that settled a decided refund and a payment is not counted again at a later cancellation',
  async (t) => {
    const { sellTwice, sendRefund, cancel, listRefunds, read } = await openTwicePaidDesk(t)
    const { basket, references } = await sellTwice([{}, { Participants: 1 }])
    await cancel(references[0]!, 'full')
    t.equal(await sendRefund(basket, 're_1', '225.00'), 'refunded')
    const cancelled = await cancel(references[1]!, 'none')
    t.same(cancelled.json().data.Refund, euros('0.00'))
    t.same(await listRefunds(), [])
    t.match((await read(basket)).Ledger, { PaidBack: euros('90.00'), Kept: euros('45.00') })
  },
)

t.test('a payment that bought nothing can be paid back in parts, and the rest stays due', async (t) => {
  const { sellTwice, sendRefund, listRefunds, read, paymentOf, sql } = await openTwicePaidDesk(t)
  for (const named of [true, false]) {
    const { basket, ids } = await sellTwice()
    const more = named ? { Reference: `ch_${ids[1]}` } : {}
    const parts = [
      ['40.00', '50.00'],
      ['30.00', '20.00'],
    ] as const
    for (const [Amount, rest] of parts) {
      t.equal(await sendRefund(basket, `re_${ids[1]}_${Amount}`, Amount, more), 'refunded')
      t.match(await listRefunds(), [{ PaymentID: ids[1], Refund: euros(rest) }])
    }
    t.match((await read(basket)).Ledger, { PaidBack: euros('0.00'), Balance: euros('0.00') })
    t.equal(await sendRefund(basket, `re_${ids[1]}`, '20.00', more), 'refunded')
    t.same(await listRefunds(), [])
    const last = { PaymentID: ids[1], Refund: euros('20.00'), PaidBack: euros('70.00') }
    t.match(await listRefunds('?Status=done'), [last])
    t.match(await paymentOf(basket, ids[1]), { RefundedAt: String, PaidBack: euros('70.00') })
  }
  const events = await sql`select details from events where type = 'refund.done' order by id`
  t.same(
    events.slice(0, 3).map(({ details }) => details),
    [euros('40.00'), euros('30.00'), euros('20.00')],
  )
})

t.test('the command that lists refunds names the part of a payment that was paid back before', async (t) => {
  const { sellTwice, sendRefund, mark, url } = await openTwicePaidDesk(t)
  const list = (...args: string[]) =>
    run({ DATABASE_URL: url }, 'refunds', 'list', '--account', 'harbour', ...args)
  const { basket, ids } = await sellTwice()
  const whole = await sellTwice()
  await mark(whole.basket, [whole.ids[1]])
  await sendRefund(basket, 're_1', '40.00')
  t.match((await list()).stdout, /PAID BACK .*\n.* 50\.00 +EUR +40\.00 /)
  await sendRefund(basket, 're_2', '50.00')
  t.match(JSON.parse((await list('--status', 'done', '--json')).stdout), [
    { ID: ids[1], ...euros('50.00'), PaidBack: '40.00' },
    { ID: whole.ids[1], ...euros('90.00'), PaidBack: null },
  ])
})

t.test(
  'a refund event that arrives before the payment that bought nothing is applied when the payment arrives',
  async (t) => {
    const { hold, sendPaymentEvent, sendRefund, listRefunds, read } = await openTwicePaidDesk(t)
    const basket = await hold()
    await sendPaymentEvent(basket, { ID: 'evt_1' })
    t.equal(await sendRefund(basket, 're_1', '40.00'), 'ignored')
    t.match((await sendPaymentEvent(basket, { ID: 'evt_2' })).json().data, { Outcome: 'refund-due' })
    t.match(await listRefunds(), [{ PaymentID: 'evt_2', Refund: euros('50.00') }])
    t.equal(await sendRefund(basket, 're_1', '40.00'), 'refunded')
    t.equal(await sendRefund(basket, 're_2', '50.00'), 'refunded')
    t.same(await listRefunds(), [])
    t.match((await read(basket)).Ledger, { Paid: euros('90.00'), PaidBack: euros('0.00') })
  },
)

t.test(
  'a basket whose payment bought nothing is refunded once the last part of the payment is paid back',
  async (t) => {
    const { hold, sendPaymentEvent, sendRefund, read } = await openTwicePaidDesk(t)
    const basket = await hold()
    await sendPaymentEvent(basket, { Amount: '80.00' })
    t.equal(await sendRefund(basket, 're_1', '79.99'), 'refunded')
    t.equal((await read(basket)).Status, 'refund-due')
    const last = await sendPaymentEvent(basket, { ID: 're_2', Type: 'refunded', Amount: '0.01' })
    t.match(last.json().data, { Outcome: 'refunded', BasketStatus: 'refunded' })
  },
)

t.test('marking a partly refunded payment as refunded requires the amount that is due now', async (t) => {
  const { sellTwice, sendRefund, listRefunds, mark, paymentOf } = await openTwicePaidDesk(t)
  const { basket, ids } = await sellTwice()
  await sendRefund(basket, 're_1', '40.00')
  const message = 'must be 50.00, the amount that is due now'
  t.match((await mark(basket, [ids[1]], { Amount: '90.00' })).json(), {
    status: 422,
    errors: [{ field: 'Amount', message }],
  })
  t.match(await paymentOf(basket, ids[1]), { RefundedAt: null })
  t.equal((await mark(basket, [ids[1]], { Amount: '50' })).statusCode, 200)
  t.same(await listRefunds(), [])
  t.equal(await sendRefund(basket, 're_2', '50.00'), 'refunded', 'the event confirms the mark')
  t.equal(await sendRefund(basket, 're_3', '50.00'), 'ignored', 'another event of the same amount is ignored')
})

t.test('undoing the mark of a partly refunded payment makes the rest due again', async (t) => {
  const { sellTwice, sendRefund, listRefunds, mark, post, read, call, sql } = await openTwicePaidDesk(t)
  const { basket, ids, references } = await sellTwice()
  await sendRefund(basket, 're_1', '40.00')
  t.equal((await mark(basket, [ids[1]], { Method: 'card' })).statusCode, 200)
  const undo = { Payment: ids[1], Reason: 'The terminal refused it' }
  const undone = await post(`/baskets/${basket.BasketID}/refunded/undo`, undo)
  const due = { Refund: euros('50.00'), PaidBack: euros('40.00') }
  t.match(undone.json().data, due)
  t.match(await listRefunds(), [due])
  const events =
    await sql`select type, details from events where type in ('refund.done', 'refund.undone') order by id`
  t.same(events, [
    { type: 'refund.done', details: euros('40.00') },
    { type: 'refund.done', details: euros('50.00') },
    { type: 'refund.undone', details: { ...euros('50.00'), Method: 'card' } },
  ])
  t.equal((await mark(basket, [ids[1]], { Method: 'transfer' })).statusCode, 200)
  const { History } = (await call('GET', `/bookings/${references[0]}`)).json().data
  const ofRefunds = (History as { Action: string; Details: object }[]).filter(({ Action }) =>
    /refund/.test(Action),
  )
  t.match(ofRefunds, [
    { Action: 'refund-undone', Details: { ...euros('50.00'), Method: 'card' } },
    {
      Action: 'payment-refunded',
      Details: { ...euros('50.00'), Method: 'transfer', PaidBackBefore: euros('40.00') },
    },
  ])
  t.equal((await read(basket)).Status, 'completed')
})

t.test(
  'after a payment was marked as refunded by hand, a provider’s refund still settles the decided refund',
  async (t) => {
    const { sellTwice, sendRefund, cancel, mark, listRefunds } = await openTwicePaidDesk(t)
    const { basket, ids, references } = await sellTwice()
    await mark(basket, [ids[1]])
    await cancel(references[0]!, 'full')
    t.equal(await sendRefund(basket, 're_1', '60.00'), 'refunded')
    t.match(await listRefunds(), [{ Source: 'decision', Refund: euros('30.00') }])
  },
)

t.test('one refund of two payments that bought nothing settles both', async (t) => {
  const { hold, sendPaymentEvent, sendRefund, listRefunds } = await openTwicePaidDesk(t)
  const basket = await hold()
  for (const ID of ['evt_1', 'evt_2', 'evt_3']) await sendPaymentEvent(basket, { ID })
  t.equal((await listRefunds()).length, 2)
  t.equal(await sendRefund(basket, 're_1', '180.00'), 'refunded')
  t.same(await listRefunds(), [])
})

t.test('concurrent requests to undo the mark of a payment that bought nothing undo it once', async (t) => {
  const { sellTwice, mark, post, paymentOf, sql } = await openTwicePaidDesk(t)
  const { basket, ids } = await sellTwice()
  t.equal((await mark(basket, [ids[1]])).statusCode, 200)
  const undo = () =>
    post(`/baskets/${basket.BasketID}/refunded/undo`, { Payment: ids[1], Reason: 'The bank refused it' })
  const answers = await Promise.all([undo(), undo(), undo()])
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [200, 409, 409])
  t.match(await paymentOf(basket, ids[1]), { RefundedAt: null })
  t.equal((await sql`select from undone_refunds`).length, 1)
  t.equal((await mark(basket, [ids[1]])).statusCode, 200, 'it can be marked again')
})
