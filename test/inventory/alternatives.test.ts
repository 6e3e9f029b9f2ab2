/** The alternatives to a timeslot with too few places: the limits of the search, and its cost. */
import t, { type Test } from 'tap'
import { activityUuid } from '../../src/catalogue/model.ts'
import { listAlternatives } from '../../src/inventory/alternatives.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { explain } from '../explain.ts'
import { bookingBody, bookingPath, build, createDatabase, makeCaller, makeProduct } from '../helper.ts'

const asked = { date: '2030-06-15', time: '10:00' }

/** Inserts timeslots with one place each, every ten minutes from the local date and time `from`. */
async function insertSlots(
  sql: Sql,
  product: { id: number },
  { from, count }: { from: string; count: number },
) {
  await sql`
    insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
    select account_id, id, start::date, start::time, start at time zone time_zone, 1
    from products cross join generate_series(0, ${count - 1}::integer) as n
      cross join lateral (select ${from}::timestamp + n * interval '10 minutes' as start) as slot
    where id = ${product.id}`
}

/** An operator whose product has one place at the requested time, and an API key that books. */
async function openPier(t: Test) {
  const { app, sql } = await build(t)
  const { accountId, headers } = await makeCaller(sql)
  const product = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 1 } })
  /** Sends a booking request for two people, which is refused; returns the offered alternatives. */
  const requestAlternatives = async (changes: Record<string, unknown> = {}) => {
    const payload = bookingBody(product.activityId, changes)
    const answer = await app.inject({ method: 'POST', url: bookingPath, headers, payload })
    t.equal(answer.statusCode, 409)
    const { Alternatives } = answer.json() as { Alternatives: { Date: string; Time: string }[] }
    return Alternatives.map((slot) => `${slot.Date} ${slot.Time}`)
  }
  const addSlot = async (when: string, capacity: number) => {
    await sql`
      insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
      values (${accountId}, ${product.id}, ${when.slice(0, 10)}, ${when.slice(11)}, ${when}::timestamp, ${capacity})`
  }
  return { app, sql, accountId, product, requestAlternatives, addSlot }
}

t.test('alternatives are searched for among the next 500 timeslots of the activity', async (t) => {
  const { sql, product, requestAlternatives, addSlot } = await openPier(t)
  await insertSlots(sql, product, { from: '2030-06-15 10:10', count: 499 })
  await addSlot('2030-06-18 21:25', 9)
  t.same(await requestAlternatives(), ['2030-06-18 21:25'], 'the 500th is offered')
  await addSlot('2030-06-15 10:05', 1)
  t.same(await requestAlternatives(), [], 'the 501st is not')
})

t.test('alternatives are searched for within 92 days', async (t) => {
  const { requestAlternatives, addSlot } = await openPier(t)
  await addSlot('2030-09-14 23:59', 9)
  await addSlot('2030-09-15 00:00', 9)
  t.same(await requestAlternatives(), ['2030-09-14 23:59'])
  t.same(await requestAlternatives({ Date: '2030-06-16' }), ['2030-09-14 23:59', '2030-09-15 00:00'])
})

t.test('if the requested day is past, the search begins today', async (t) => {
  const { requestAlternatives, addSlot } = await openPier(t)
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  await addSlot(`${tomorrow} 23:00`, 9)
  t.same(await requestAlternatives({ Date: '2020-01-01' }), [`${tomorrow} 23:00`])
})

t.test('the cost of a search does not grow with the number of timeslots', async (t) => {
  const { sql, url } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  const slots = { '2030-06-15 10:00': 1, '2030-06-16 10:00': 9 }
  const sparse = await makeProduct(sql, accountId, { slots })
  const crowded = await makeProduct(sql, accountId, { name: 'Crowded' })
  await insertSlots(sql, crowded, { from: '2030-06-15 10:00', count: 10_000 })
  await sql`vacuum analyze`
  for (const [{ activityId }, most] of [
    [crowded, 500],
    [sparse, 1],
  ] as const) {
    const request = { ...asked, accountId, activity: activityUuid(activityId), places: 2, whole: false }
    const nodes = await explain(url, (sql) => listAlternatives(sql, [request], true), {
      options: 'analyze, format json',
    })
    const read = nodes
      .filter((node) => node['Relation Name'] === 'timeslots')
      .map((node) => node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0))
    t.same(read, [most])
  }
})

t.test('equal requests get equal alternatives, and unknown products get none', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-16 10:00': 9 } })
  const request = { ...asked, accountId, activity: activityUuid(activityId), places: 2, whole: false }
  const unknown = { ...request, accountId: accountId + 1 }
  const tooMany = { ...request, places: 10 }
  const alternatives = [{ Date: '2030-06-16', Time: '10:00', Available: 9 }]
  t.same(await listAlternatives(sql, [request, unknown, request, tooMany, request], true), [
    { alternatives },
    { alternatives: null },
    { alternatives },
    { alternatives: [] },
    { alternatives },
  ])
})

t.test(
  'a refusal for one operator does not wait for all requests of another that fit on no timeslot',
  async (t) => {
    const { app, sql } = await build(t, { environment: { REQUEST_TIMEOUT_SECONDS: '300' } })
    const troubled = await makeCaller(sql, { slug: 'troubled' })
    const neighbour = await makeCaller(sql, { slug: 'neighbour' })
    const crowded = await makeProduct(sql, troubled.accountId)
    await insertSlots(sql, crowded, { from: '2030-01-01 00:00', count: 60_000 })
    await sql`analyze timeslots`
    const small = await makeProduct(sql, neighbour.accountId, { slots: { '2030-06-15 10:00': 1 } })
    const book = ({ headers }: typeof neighbour, activityId: string, changes: Record<string, unknown>) => {
      const payload = bookingBody(activityId, changes)
      return app.inject({ method: 'POST', url: bookingPath, headers, payload })
    }
    let answered = 0
    const impossible = Array.from({ length: 240 }, (_, minute) => {
      const Time = `0${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`
      const response = book(troubled, crowded.activityId, { Date: '2030-01-01', Time, Participants: 999 })
      return response.finally(() => answered++)
    })
    const refused = await book(neighbour, small.activityId, { Participants: 2 })
    t.equal(refused.statusCode, 409)
    t.ok(answered < 120, `${answered} of 240 were answered before`)
    for (const { statusCode } of await Promise.all(impossible)) t.equal(statusCode, 409)
  },
)
