/** A change of a schedule with many timeslots commits in steps: requests meanwhile, and changes that stop halfway. */
import t, { type Test } from 'tap'
import { finishSchedules } from '../../../src/catalogue/schedules/editing/following.ts'
import { changeInSteps } from '../../../src/catalogue/schedules/editing/in-steps.ts'
import { changeSchedule, removeSchedule } from '../../../src/catalogue/schedules/editing/service.ts'
import { theService } from '../../../src/events/actor.ts'
import { clockAt } from '../../clock.ts'
import { dyingAt } from '../../customers/fixtures.ts'
import { makeProduct } from '../../helper.ts'
import { openAt } from '../../messaging/emails/fixtures.ts'
import { makeOperator } from '../../operator.ts'
import { until } from '../../until.ts'

const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`)
const hourly = {
  From: '2030-06-02',
  To: '2030-07-21',
  Weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  Times: hours,
  Capacity: 8,
}
const days = 50
const horizonDays = 60

/** An operator on 1 June 2030 whose product has a schedule of 1,200 timeslots. */
async function prepare(t: Test) {
  const environment = { SCHEDULE_HORIZON_DAYS: String(horizonDays) }
  const operator = await makeOperator(t, { ...clockAt('2030-06-01T08:00Z'), environment })
  const { sql, accountId, call } = operator
  const { id: productId, activityId } = await makeProduct(sql, accountId, { timeZone: 'UTC' })
  const path = `/products/${productId}/schedules`
  const { data } = await call('POST', path, hourly)
  const { ID: id } = data.Schedule
  const place = { accountId, productId, horizonDays, actor: theService }
  const once = {
    operation: 'test',
    accountId,
    apiKeyId: 1,
    body: {},
    reused: () => new Error('reused'),
    isAwaited: () => true,
  }
  const capacities = async () => {
    const rows = await sql<{ capacity: number; count: number }[]>`
      select capacity, count(*) from timeslots group by capacity order by capacity`
    return Object.fromEntries(rows.map(({ capacity, count }) => [capacity, count]))
  }
  return { ...operator, productId, activityId, path, made: data, id, place, once, capacities }
}

t.test(
  'a schedule is made, changed and ended in transactions of a few hundred timeslots each, with one response',
  async (t) => {
    const { sql, call, path, made, id, capacities, book, activityId } = await prepare(t)
    t.equal(made.Timeslots.Made.Count, 24 * days)
    t.equal(made.Timeslots.Made.Timeslots.length, 100)
    t.match(made.Timeslots.Made.Timeslots[0], { Date: '2030-06-02', Time: '00:00' })
    const transactions = async () => {
      const [row] = await sql`select count(distinct xmin::text) as count, max(sum) as most from (
      select xmin, count(*) over (partition by xmin::text) as sum from timeslots) as written`
      return row!
    }
    t.match(await transactions(), { count: 3 })
    await book(activityId, { Date: '2030-07-20', Time: '10:00' })
    const preview = await call('POST', `${path}/preview`, { ScheduleID: id, Capacity: 9 })
    const changed = await call('PATCH', `${path}/${id}`, { Capacity: 9 })
    t.same(changed.data.Timeslots, preview.data)
    t.equal(changed.data.Timeslots.Changed.Count, 24 * days - 1)
    t.same(await capacities(), { 8: 1, 9: 24 * days - 1 })
    t.ok((await transactions()).most < 600)
    const ended = await call('DELETE', `${path}/${id}`)
    t.equal(ended.data.Schedule.To, '2030-07-21')
    t.equal(ended.data.Timeslots.Removed.Count, 24 * days - 1)
    t.match(ended.data.Timeslots.Left, { Count: 1, Timeslots: [{ Date: '2030-07-20', Reason: 'booked' }] })
    t.same(await sql`select from schedules`, [])
    t.same(await capacities(), { 8: 1 })
  },
)

t.test('bookings of other timeslots continue while a step waits for a locked timeslot', async (t) => {
  const { sql, call, path, id, book, activityId, capacities } = await prepare(t)
  const changing = await sql.begin(async (tx) => {
    await tx`select from timeslots where date = '2030-07-20' and time = '10:00' for update`
    const promise = call('PATCH', `${path}/${id}`, { Capacity: 9 })
    await until(async () => {
      const waiting = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return waiting.length > 0
    })
    t.equal((await book(activityId, { Date: '2030-06-03', Time: '10:00' })).status, 201)
    return { promise }
  })
  t.equal((await changing.promise).status, 200)
  t.same(await capacities(), { 9: 24 * days })
})

t.test('a change that stops between two steps is finished by the worker', async (t) => {
  const { sql, url, id, place, once, capacities } = await prepare(t)
  const request = { ...once, idempotencyKey: undefined }
  await t.rejects(
    changeInSteps(dyingAt(sql, 3), request, place, (tx) =>
      changeSchedule(tx, place, { id, change: { Capacity: 9 } }),
    ),
    /killed/,
  )
  const between = await capacities()
  t.ok(between[9]! >= 500 && between[8]! > 0, 'two steps are done')
  t.equal(
    await finishSchedules(sql, horizonDays),
    0,
    'the worker does not continue while the request may still be running',
  )
  const later = openAt(t, url, '2030-06-01T09:00Z')
  t.equal(await finishSchedules(later, horizonDays), 1)
  t.same(await capacities(), { 9: 24 * days })
  t.equal(await finishSchedules(later, horizonDays), 0)

  await t.rejects(
    changeInSteps(dyingAt(sql, 2), request, place, (tx) => removeSchedule(tx, place, id)),
    /killed/,
  )
  const left = (await sql`select from timeslots`).length
  t.ok(left > 0 && left < 24 * days)
  t.equal(await finishSchedules(openAt(t, url, '2030-06-01T10:00Z'), horizonDays), 1)
  t.same(await sql`select from schedules`, [])
  t.same(await sql`select from timeslots`, [])
})

t.test(
  'a retry with the same Idempotency-Key continues a change that stopped, and its response is complete',
  async (t) => {
    const { sql, id, place, once, capacities } = await prepare(t)
    const request = { ...once, idempotencyKey: 'k' }
    // Idempotency keys get the time of the real clock. By the clock of the test, they would have expired.
    await sql`alter table idempotency_keys alter column created_at set default app_now()`
    const change = (pool: typeof sql) =>
      changeInSteps(pool, request, place, (tx) => changeSchedule(tx, place, { id, change: { Capacity: 9 } }))
    await t.rejects(change(dyingAt(sql, 2)), /killed/)
    const { answer } = await change(sql)
    t.equal(answer.Timeslots.Changed.Count, 24 * days)
    t.same(await capacities(), { 9: 24 * days })
    t.same(await change(sql), { answer, replayed: true })
  },
)

t.test(
  'a retry without an Idempotency-Key ends a schedule if the first request stopped between two steps',
  async (t) => {
    const { sql, id, place, once, call, path } = await prepare(t)
    const request = { ...once, idempotencyKey: undefined }
    await t.rejects(
      changeInSteps(dyingAt(sql, 2), request, place, (tx) => removeSchedule(tx, place, id)),
      /killed/,
    )
    t.equal((await call('DELETE', `${path}/${id}`)).status, 200)
    t.same(await sql`select from timeslots`, [])
    t.equal((await call('DELETE', `${path}/${id}`)).status, 404)
  },
)

t.test('an invalid change is refused before the first step', async (t) => {
  const { sql, call, path, id, capacities } = await prepare(t)
  t.equal((await call('PATCH', `${path}/${id}`, { To: '2030-01-01', Capacity: 9 })).status, 422)
  t.same(await capacities(), { 8: 24 * days })
  t.same(await sql`select from schedules where follow_from is not null or ending`, [])
})
