/** Test bookings are deleted while partners still use them. */
import t from 'tap'
import { bookingPath, makeProduct } from '../helper.ts'
import { until } from '../until.ts'
import { makeModes } from './fixtures.ts'

t.test('a test booking that is deleted while it is being cancelled is not found', async (t) => {
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
    await until(async () => {
      const waiting = await tx`
        select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
      return waiting.length > 0
    })
    await tx`delete from bookings where account_id = ${testId} and reference = ${reference}`
  })
  t.equal((await cancelling!).status, 404)
})
