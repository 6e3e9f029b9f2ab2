/** Late payments of a basket for an all-day timeslot, before and after the end of the sale. */
import t, { type Test } from 'tap'
import { sweepExpiredHolds } from '../../../src/inventory/expiry.ts'
import { harbour, statuses } from '../basket/fixtures.ts'

/** A timeslot that opened an hour ago and closes in an hour, and a basket for it whose hold has expired. */
async function openLateBasket(t: Test) {
  const desk = await harbour(t)
  const { sql, hold, expireBasket } = desk
  await sql`
    update timeslots set starts_at = app_now() - interval '1 hour', closes_at = app_now() + interval '1 hour',
      opening_hours = '[{"opens": "10:00", "closes": "12:00"}]'
    where time = '10:00'`
  const basket = await hold()
  await expireBasket(basket)
  return { ...desk, basket }
}

t.test(
  'a late payment before the end of the sale completes the basket, although the timeslot has opened',
  async (t) => {
    const { basket, sendPaymentEvent, read, sql, counters } = await openLateBasket(t)
    await sweepExpiredHolds(sql)
    t.match((await sendPaymentEvent(basket)).json(), { data: { Outcome: 'completed' } })
    t.same(statuses(await read(basket)), ['confirmed'])
    t.same(await counters(), { booked: 2, held: 0 })
  },
)

t.test('a late payment after the end of the sale is refund-due, although places are free', async (t) => {
  const { basket, sendPaymentEvent, read, sql, counters } = await openLateBasket(t)
  await sweepExpiredHolds(sql)
  await sql`update products set booking_cutoff_minutes = 120`
  t.match((await sendPaymentEvent(basket)).json(), { data: { Outcome: 'refund-due' } })
  t.match(await read(basket), { Status: 'refund-due', RefundReason: 'places-gone' })
  t.same(await counters(), { booked: 0, held: 0 })
})

t.test('a payment after the end of the sale still buys places that are held', async (t) => {
  const { basket, sendPaymentEvent, sql, counters } = await openLateBasket(t)
  await sql`update products set booking_cutoff_minutes = 120`
  t.match((await sendPaymentEvent(basket)).json(), { data: { Outcome: 'completed' } })
  t.same(await counters(), { booked: 2, held: 0 })
})
