/** When a sale with a due refund owes money again, the refund is set off against that amount. */
import t from 'tap'
import { euros, refundDesk } from './refund-fixtures.ts'

const noTerms = { terms: [] }

t.test('a party that becomes larger again owes the difference minus the refund that is due', async (t) => {
  const { sell, act, call, read, listRefunds, rows, sql } = await refundDesk(t, noTerms)
  const { basket, references } = await sell()
  const [reference] = references as [string]
  await act(reference, 'amend', { Participants: 1, Refund: { Amount: '20.00' } })
  t.match(await listRefunds(), [{ Refund: euros('20.00'), Kept: euros('25.00') }])
  await act(reference, 'amend', { Participants: 2 })
  t.match((await read(basket)).Ledger, { RefundDue: euros('0.00'), Balance: euros('25.00') })
  t.same(await listRefunds(), [])
  t.match(await rows(), [{ amount_minor: 0, kept_minor: 2500, status: 'none' }])
  const { History } = (await call('GET', `/bookings/${reference}`)).json().data
  t.match(History.at(-1), { Action: 'amended', Details: { SetOff: euros('20.00'), ToTotal: euros('90.00') } })
  t.match(await sql`select details from events where type = 'refund.set-off'`, [
    { details: { RefundID: Number, ...euros('20.00') } },
  ])
})

t.test('the rest of a refund after a set-off stays due, and is paid back once', async (t) => {
  const { sell, act, read, listRefunds, markDone } = await refundDesk(t, noTerms)
  const { basket, references } = await sell([{ Participants: 4 }])
  await act(references[0]!, 'amend', { Participants: 1 })
  await act(references[0]!, 'amend', { Participants: 2 })
  const [due] = await listRefunds()
  t.match(due, { Refund: euros('90.00'), SetOff: euros('45.00') })
  t.match((await read(basket)).Ledger, { RefundDue: euros('90.00'), Balance: euros('0.00') })
  t.equal((await markDone(due!)).statusCode, 200)
  t.equal((await markDone(due!)).statusCode, 409)
  t.match((await read(basket)).Ledger, { PaidBack: euros('90.00'), Balance: euros('0.00') })
  await act(references[0]!, 'amend', { Participants: 3 })
  t.match((await read(basket)).Ledger, { Balance: euros('45.00') }, 'what was paid back is not set off')
})

t.test('a refund cannot be marked as done with the amount from before a set-off', async (t) => {
  const { sell, act, read, listRefunds, markDone } = await refundDesk(t, noTerms)
  const { basket, references } = await sell([{ Participants: 4 }])
  await act(references[0]!, 'amend', { Participants: 1 })
  const [seen] = await listRefunds()
  await act(references[0]!, 'amend', { Participants: 2 })
  const refused = await markDone(seen!, { Method: 'cash', Amount: seen!.Refund.Amount })
  t.equal(refused.statusCode, 422)
  t.match(refused.json().errors, [{ field: 'Amount', message: /^must be 90\.00/ }])
  t.match((await read(basket)).Ledger, { PaidBack: euros('0.00'), RefundDue: euros('90.00') })
  t.equal((await markDone(seen!, { Method: 'cash', Amount: '90' })).statusCode, 200)
  t.match((await read(basket)).Ledger, { PaidBack: euros('90.00'), RefundDue: euros('0.00') })
})

t.test('a move to a dearer timeslot sets off the due refund of another booking of the sale', async (t) => {
  const { sell, act, read, listRefunds, sql } = await refundDesk(t, noTerms)
  await sql`update products set has_own_prices = true`
  await sql`update timeslots set unit_prices = ${sql.json({ 0: 6000 })} where time = '12:00'`
  const { basket, references } = await sell([{ Participants: 1 }, {}])
  await act(references[0]!, 'cancel')
  const moved = await act(references[1]!, 'move', { Date: '2030-06-15', Time: '12:00', Price: 'current' })
  t.equal(moved.statusCode, 200, moved.body)
  t.match(await listRefunds(), [{ Refund: euros('15.00'), SetOff: euros('30.00') }])
  t.match((await read(basket)).Ledger, { RefundDue: euros('15.00'), Balance: euros('0.00') })
})

t.test('if the provider pays a refund that was set off, the sale owes that amount again', async (t) => {
  const { sell, act, read, sendPaymentEvent, listRefunds } = await refundDesk(t, noTerms)
  const { basket, references } = await sell()
  await act(references[0]!, 'amend', { Participants: 1 })
  await act(references[0]!, 'amend', { Participants: 2 })
  t.match((await read(basket)).Ledger, { Balance: euros('0.00') })
  const answer = await sendPaymentEvent(basket, { ID: 're_1', Type: 'refunded', Amount: '45.00' })
  t.equal(answer.json().data.Outcome, 'refunded')
  t.match((await read(basket)).Ledger, { PaidBack: euros('45.00'), Balance: euros('45.00') })
  t.match(await listRefunds('?Status=done'), [{ Refund: euros('45.00') }])
  t.equal((await listRefunds('?Status=done')).length, 1)
})

t.test('a due refund is set off by an amendment or paid by a concurrent request, not both', async (t) => {
  const { sell, act, read, listRefunds, markDone, sendPaymentEvent, sql } = await refundDesk(t, noTerms)
  await sql`update timeslots set capacity = 500`
  for (let round = 0; round < 6; round++) {
    const { basket, references } = await sell()
    const [reference] = references as [string]
    await act(reference, 'amend', { Participants: 1 })
    const [due] = await listRefunds()
    const event = { ID: `re_${round}`, Type: 'refunded', Amount: '45.00' }
    await Promise.all([
      act(reference, 'amend', { Participants: 2 }),
      round % 2 === 0 ? markDone(due!) : sendPaymentEvent(basket, event),
      round % 2 === 0 ? markDone(due!) : sendPaymentEvent(basket, event),
    ])
    const { Ledger } = await read(basket)
    t.match(Ledger, { RefundDue: euros('0.00') })
    t.equal(Ledger!.PaidBack.Amount, Ledger!.Balance.Amount, 'what was paid back is owed again, and no more')
    t.same(await listRefunds(), [])
  }
})

t.test(
  'an overpayment is used before a due refund is set off, and concurrent retries set off once',
  async (t) => {
    const { sell, act, read, sql, accountId } = await refundDesk(t, noTerms)
    const { basket, references } = await sell()
    await act(references[0]!, 'amend', { Participants: 1 })
    await sql`
    insert into payments (account_id, basket_id, kind, method, amount_minor, currency, actor)
    values (${accountId}, ${basket.BasketID}, 'payment', 'card', 2000, 'EUR', 'key')`
    const larger = () => act(references[0]!, 'amend', { Participants: 2 }, { 'idempotency-key': 'k' })
    await Promise.all([larger(), larger(), larger()])
    t.match((await read(basket)).Ledger, { RefundDue: euros('20.00'), Balance: euros('0.00') })
  },
)
