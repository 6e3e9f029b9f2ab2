/** How schedules make timeslots: from today, in the product's time zone, up to the horizon. */
import t from 'tap'
import { topUpSchedules } from '../../../src/catalogue/schedules/editing/applying.ts'
import type { Sql } from '../../../src/platform/postgres/database.ts'
import { clockAt } from '../../clock.ts'
import { createDatabase, makeCaller, makeProduct } from '../../helper.ts'

const everyDay = [1, 2, 3, 4, 5, 6, 7]

type Pattern = { from?: string; to?: string; weekdays?: number[]; times?: string[]; capacity?: number }

async function makeSchedule(
  sql: Sql,
  accountId: number,
  productId: number,
  { from = '2027-01-01', to = '2027-12-31', weekdays = everyDay, times = ['10:00'], capacity = 8 }: Pattern,
): Promise<void> {
  await sql`
    insert into schedules (account_id, product_id, from_date, to_date, weekdays, times, capacity)
    values (${accountId}, ${productId}, ${from}, ${to}, ${weekdays}, ${times}, ${capacity})`
}

async function slotsOf(sql: Sql, productId: number): Promise<string[]> {
  const slots = await sql<{ date: string; time: string }[]>`
    select date, time from timeslots where product_id = ${productId} order by date, time`
  return slots.map(({ date, time }) => `${date} ${time}`)
}

t.test(
  'a schedule makes timeslots on its weekdays and times, from today to the horizon, each of them once',
  async (t) => {
    const { sql } = await createDatabase(t, clockAt('2027-05-03T12:00Z'))
    const { accountId } = await makeCaller(sql)
    const { id } = await makeProduct(sql, accountId)
    await makeSchedule(sql, accountId, id, { weekdays: [1, 3], times: ['10:00', '14:30'] })
    t.equal(await topUpSchedules(sql, 9), 8)
    t.same(await slotsOf(sql, id), [
      '2027-05-03 10:00',
      '2027-05-03 14:30',
      '2027-05-05 10:00',
      '2027-05-05 14:30',
      '2027-05-10 10:00',
      '2027-05-10 14:30',
      '2027-05-12 10:00',
      '2027-05-12 14:30',
    ])
    t.equal(await topUpSchedules(sql, 9), 0)
    t.equal(
      await topUpSchedules(sql, 14),
      2,
      'a farther horizon adds only the timeslots beyond the first horizon',
    )
  },
)

t.test('a schedule makes timeslots from its first date to its last date, both included', async (t) => {
  const { sql } = await createDatabase(t, clockAt('2027-05-03T12:00Z'))
  const { accountId } = await makeCaller(sql)
  const { id } = await makeProduct(sql, accountId)
  await makeSchedule(sql, accountId, id, { from: '2027-05-05', to: '2027-05-07' })
  await makeSchedule(sql, accountId, id, { from: '2026-01-01', to: '2027-05-02', times: ['11:00'] })
  await topUpSchedules(sql, 400)
  t.same(await slotsOf(sql, id), ['2027-05-05 10:00', '2027-05-06 10:00', '2027-05-07 10:00'])
})

t.test('today is the product’s local date', async (t) => {
  const { sql } = await createDatabase(t, clockAt('2027-05-03T23:30Z'))
  const { accountId } = await makeCaller(sql)
  const today: Record<string, string> = {
    'Pacific/Auckland': '2027-05-04 10:00',
    'Europe/Lisbon': '2027-05-04 10:00',
    'Pacific/Honolulu': '2027-05-03 10:00',
  }
  for (const [timeZone, first] of Object.entries(today)) {
    const { id } = await makeProduct(sql, accountId, { name: timeZone, timeZone })
    await makeSchedule(sql, accountId, id, {})
    await topUpSchedules(sql, 0)
    t.same(await slotsOf(sql, id), [first], timeZone)
  }
})

t.test(
  'a schedule makes no timeslot at a local time that the clocks skip; if a local time occurs twice, it makes only the first',
  async (t) => {
    const { sql } = await createDatabase(t, clockAt('2027-01-01T12:00Z'))
    const { accountId } = await makeCaller(sql)
    const { id } = await makeProduct(sql, accountId)
    await makeSchedule(sql, accountId, id, { times: ['01:30'] })
    t.equal(await topUpSchedules(sql, 364), 364)
    const slots = await slotsOf(sql, id)
    t.notOk(slots.includes('2027-03-28 01:30'), 'the clocks go from 01:00 to 02:00')
    const [doubled] =
      await sql`select starts_at from timeslots where product_id = ${id} and date = '2027-10-31'`
    t.same(doubled, { starts_at: new Date('2027-10-31T00:30Z') })
    t.same(
      await sql`
    select date from timeslots where product_id = ${id}
      and starts_at at time zone 'Europe/Lisbon' <> date + time`,
      [],
    )
  },
)

t.test('an existing timeslot stays as it is', async (t) => {
  const { sql } = await createDatabase(t, clockAt('2027-05-03T00:00Z'))
  const { accountId } = await makeCaller(sql)
  const { id } = await makeProduct(sql, accountId, { slots: { '2027-05-04 10:00': 3 } })
  await sql`update timeslots set booked = 2, status = 'closed'`
  await makeSchedule(sql, accountId, id, {})
  t.equal(await topUpSchedules(sql, 2), 2)
  t.same(
    await sql`
    select capacity, booked, status, schedule_id from timeslots
    where product_id = ${id} and date = '2027-05-04'`,
    [{ capacity: 3, booked: 2, status: 'closed', schedule_id: null }],
  )
})

t.test('when two schedules have the same date and time, the first makes the timeslot', async (t) => {
  const { sql } = await createDatabase(t, clockAt('2027-05-03T00:00Z'))
  const { accountId } = await makeCaller(sql)
  const { id } = await makeProduct(sql, accountId)
  await makeSchedule(sql, accountId, id, { times: ['10:00', '12:00'], capacity: 5 })
  await makeSchedule(sql, accountId, id, { times: ['12:00', '14:00'], capacity: 9 })
  t.equal(await topUpSchedules(sql, 0), 3)
  const slots = await sql<
    { time: string; capacity: number }[]
  >`select time, capacity from timeslots order by time`
  t.same(
    slots.map(({ time, capacity }) => [time, capacity]),
    [
      ['10:00', 5],
      ['12:00', 5],
      ['14:00', 9],
    ],
  )
})

t.test('concurrent top-ups of several accounts make each timeslot once', async (t) => {
  const { sql } = await createDatabase(t, clockAt('2027-05-03T00:00Z'))
  const products: number[] = []
  for (const slug of ['one', 'two', 'three']) {
    const { accountId } = await makeCaller(sql, { slug })
    for (const name of ['Kayak', 'Surf']) {
      const { id } = await makeProduct(sql, accountId, { name })
      await makeSchedule(sql, accountId, id, { times: ['08:00', '09:00', '10:00'] })
      products.push(id)
    }
  }
  const made = await Promise.all([1, 2, 3, 4].map(() => topUpSchedules(sql, 99)))
  t.equal(
    made.reduce((a, b) => a + b),
    6 * 300,
  )
  for (const id of products) t.equal((await slotsOf(sql, id)).length, 300)
})
