/** Test bookings are deleted while partners still use them. */
import t from 'tap'
import type { Transaction } from '../../src/platform/postgres/database.ts'
import { bookingBody, bookingPath, makeProduct } from '../helper.ts'
import { until } from '../until.ts'
import { makeModes } from './fixtures.ts'

/** Resolves when another transaction waits for a lock. */
const untilWaiting = (tx: Transaction) =>
  until(async () => {
    const waiting = await tx`
      select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    return waiting.length > 0
  })

t.test('the cancellation of a test booking that is deleted meanwhile gets 404', async (t) => {
  const { sql, accountId, testId, openTest } = await makeModes(t)
  const product = await makeProduct(sql, accountId, { name: 'Sail', slots: { '2030-06-15 10:00': 8 } })
  const test = await openTest()
  const made = await test.book(product.activityId)
  t.equal(made.status, 201)
  const reference = made.json.data.BookingReference
  let cancelling: ReturnType<typeof test.ask> | undefined
  await sql.begin(async (tx) => {
    await tx`select from timeslots where account_id = ${testId} for update`
    cancelling = test.ask('POST', `${bookingPath}/${reference}/cancel`)
    await untilWaiting(tx)
    await tx`delete from bookings where account_id = ${testId} and reference = ${reference}`
  })
  t.equal((await cancelling!).status, 404)
})

t.test('a request to take a test offer that is deleted meanwhile gets 404', async (t) => {
  const { sql, accountId, testId, openTest } = await makeModes(t)
  const product = await makeProduct(sql, accountId, { name: 'Sail', slots: { '2030-06-15 10:00': 2 } })
  const test = await openTest()
  const made = await test.book(product.activityId)
  const joined = await test.call('POST', '/waitlist', bookingBody(product.activityId))
  t.equal(joined.status, 201, joined.body)
  await test.ask('POST', `${bookingPath}/${made.json.data.BookingReference}/cancel`)
  const { WaitlistID: id, MultiBookingID: bookingId, BasketID: basketId } = joined.json.data
  let taking: ReturnType<typeof test.ask> | undefined
  await sql.begin(async (tx) => {
    await tx`select from timeslots where account_id = ${testId} for update`
    taking = test.call('POST', `/waitlist/${id}/take`)
    await untilWaiting(tx)
    await tx`delete from waitlist_entries where account_id = ${testId} and id = ${id}`
    await tx`delete from bookings where account_id = ${testId} and id = ${bookingId}`
    await tx`delete from baskets where account_id = ${testId} and id = ${basketId}`
  })
  t.equal((await taking!).status, 404)
})
