/**
 * Sales of which the version before, that writes down no payments and no refunds, did something while this version ran
 * beside it: it completes, cancels and changes bookings, and knows of their money only how it was paid.
 */
import t, { type Test } from 'tap'
import { euros, refundDesk } from './refund-fixtures.ts'

async function desk(t: Test) {
  const built = await refundDesk(t)
  const { sql } = built
  const forget = ({ BasketID }: { BasketID: number }) =>
    sql`delete from payments where basket_id = ${BasketID}`
  const cancelBefore = (reference: string) => sql`
    update bookings set status = 'cancelled', cancelled_at = now(), cancel_reason = 'operator'
    where reference = ${reference}`
  const raiseBefore = (reference: string) => sql`
    update bookings set participants = 3 where reference = ${reference}`
  return { ...built, forget, cancelBefore, raiseBefore }
}

t.test('what it cancels of a sale with a deposit is paid too much, until somebody decides', async (t) => {
  const { sell, cancelBefore, read, post, listRefunds } = await desk(t)
  const { basket, references } = await sell([{}, {}], { Method: 'cash', Amount: '100.00' })
  await cancelBefore(references[0]!)
  t.match((await read(basket)).Ledger, { Paid: euros('100.00'), Balance: euros('-10.00') })
  await post(`/baskets/${basket.BasketID}/refunds`)
  t.match(await listRefunds(), [{ Reason: 'overpaid', Refund: euros('10.00') }])
  t.match((await read(basket)).Ledger, { Balance: euros('0.00') })
})

t.test('what it adds to a sale whose payments are written down is owed', async (t) => {
  const { sell, raiseBefore, read } = await desk(t)
  const { basket, references } = await sell()
  await raiseBefore(references[0]!)
  t.match((await read(basket)).Ledger, { Paid: euros('90.00'), Balance: euros('45.00') })
})

t.test('what it added to a sale of its own counts as paid', async (t) => {
  const { sell, forget, raiseBefore, read } = await desk(t)
  const { basket, references } = await sell()
  await forget(basket)
  await raiseBefore(references[0]!)
  t.match((await read(basket)).Ledger, { Paid: euros('135.00'), Balance: euros('0.00') })
})

t.test(
  'what it cancelled of its own sale is settled, and a free booking beside it owes what is added',
  async (t) => {
    const { sell, forget, cancelBefore, act, read, sql } = await desk(t)
    const { basket, references } = await sell([{}, { Participants: 1 }])
    await forget(basket)
    await sql`update bookings set unit_price_minor = 0 where reference = ${references[1]!}`
    await cancelBefore(references[0]!)
    t.match((await read(basket)).Ledger, { Paid: euros('0.00'), Balance: euros('0.00') })
    t.equal((await act(references[1]!, 'amend', { Participants: 2 })).statusCode, 200)
    t.match((await read(basket)).Ledger, { Paid: euros('0.00'), Balance: euros('45.00') })
  },
)

t.test(
  'a closure of many such sales writes down what each was paid, in as many statements as of one',
  async (t) => {
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
  },
)
