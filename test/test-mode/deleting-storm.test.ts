/**
 * Random operations of partners and operators on test bookings, while these are deleted and their timeslots are
 * removed. No response has a status of 500 or above, and each place is counted once.
 */
import t from 'tap'
import { findCaller } from '../../src/accounts/service.ts'
import { sweepExpiredHolds } from '../../src/inventory/expiry.ts'
import { listCounterDifferences } from '../../src/reports/sales-audit/queries.ts'
import { followLive } from '../../src/test-mode/following.ts'
import { sweepTestBookings } from '../../src/test-mode/purging.ts'
import { makeFolder } from '../command-line.ts'
import { createRandom } from '../faults/random.ts'
import { pumpEvents } from '../pump.ts'
import { makeActs } from './acts.ts'
import { listCatalogueFaults, makeModes } from './fixtures.ts'

const rounds = 120
const season = {
  From: '2030-06-01',
  To: '2030-06-20',
  Weekdays: ['Sat', 'Sun'],
  Times: ['10:00'],
  Capacity: 5,
}
const days = ['2030-06-15', '2030-06-16']

t.test('test bookings that are deleted while they are used', async (t) => {
  const world = await makeModes(t, { environment: { SCHEDULE_HORIZON_DAYS: '1500' } })
  const { sql, accountId, testId, call, services } = world
  const folder = await makeFolder(t)
  const random = createRandom(5)
  const { pick } = random
  const below = (most: number) => random.whole(0, most - 1)
  const products: { id: number; activityId: string }[] = []
  for (const Name of ['Kayak', 'Sail']) {
    const { data } = await call('POST', '/products', {
      ...{ Name, Description: '', DurationMinutes: 60, TimeZone: 'Europe/Lisbon', InShopfront: true },
      Price: { Amount: '45.00', Currency: 'EUR' },
    })
    products.push({ id: data.ID, activityId: data.ActivityID })
    await call('POST', `/products/${data.ID}/schedules`, season)
  }
  await call('POST', '/promotions', { Code: 'TEN', Percent: '10' })
  const test = await world.openTest()
  const caller = (await findCaller(sql, test.token))!

  const activityIds = products.map(({ activityId }) => activityId)
  const { reservations } = services
  const { act, faults } = makeActs({ test, caller, reservations, random, activityIds, days })
  const use = async () => {
    for (let round = 0; round < rounds; round++) await act()
  }
  let isOver = false
  const failures: string[] = []
  const repeatUntilOver = async (work: () => Promise<unknown>) => {
    while (!isOver)
      try {
        await work()
      } catch (error) {
        failures.push(`${(error as Error).stack} ${String((error as Error).cause)}`)
      }
  }
  const background = [
    repeatUntilOver(async () => {
      await sql`
        update bookings set created_at = app_now() - interval '8 days'
        where account_id = ${testId} and id in (
          select id from bookings where account_id = ${testId} order by random() limit 2
        )`
      await sweepTestBookings(sql, folder)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }),
    repeatUntilOver(async () => {
      await pumpEvents(sql)
      await followLive(sql, { dataDir: folder })
    }),
    repeatUntilOver(async () => {
      await sql`
        update baskets set expires_at = app_now() - interval '1 second'
        where account_id = ${testId} and status = 'open' and id in (
          select id from baskets where account_id = ${testId} order by random() limit 1
        )`
      await sweepExpiredHolds(sql)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }),
    repeatUntilOver(async () => {
      const { id } = pick(products)
      const [schedule] = (await call('GET', `/products/${id}/schedules`)).data
      if (schedule) await call('DELETE', `/products/${id}/schedules/${schedule.ID}`)
      await call('POST', `/products/${id}/schedules`, { ...season, Capacity: 4 + below(6) })
      await new Promise((resolve) => setTimeout(resolve, 1500))
    }),
  ]
  await Promise.all([use(), use(), use(), use(), use(), use()])
  isOver = true
  await Promise.all(background)
  await world.follow()
  await sweepTestBookings(sql, folder)

  t.test('no request gets a 5xx while bookings are deleted', async (t) => {
    t.same(faults, [])
  })

  t.test('no deletion and no update of the test catalogue fails', async (t) => {
    t.same(failures, [])
  })

  t.test('every timeslot agrees with its bookings, and the test catalogue equals the live one', async (t) => {
    t.same(await listCounterDifferences(sql, testId), [])
    t.same(await listCounterDifferences(sql, accountId), [])
    await sql`update test_accounts set compared_at = null`
    await world.follow()
    t.same(await listCatalogueFaults(sql, accountId), {})
  })

  t.test('deleted bookings leave nothing behind', async (t) => {
    const orphans = (table: string) => sql`
      select booking_id from ${sql(table)} as one
      where account_id = ${testId} and booking_id is not null and not exists (
        select from bookings where bookings.account_id = one.account_id and bookings.id = one.booking_id)`
    for (const table of ['tickets', 'waitlist_entries', 'reservations', 'emails', 'events', 'workflow_runs'])
      t.same(await orphans(table), [], table)
    t.same(
      await sql`
        select id, status from baskets where account_id = ${testId} and not exists (
          select from bookings where bookings.account_id = baskets.account_id and basket_id = baskets.id)`,
      [],
      'baskets',
    )
    t.same(
      await sql`
        select basket_id from promotion_uses as used where account_id = ${testId} and not exists (
          select from baskets where baskets.account_id = used.account_id and baskets.id = used.basket_id)`,
      [],
      'promotion uses',
    )
  })
})
