/** A request for the dates of many products returns the same dates as a request for each product. */
import t, { type Test } from 'tap'
import { createAvailability } from '../../../src/catalogue/availability/service.ts'
import { activityUuid } from '../../../src/catalogue/model.ts'
import type { Sql } from '../../../src/platform/postgres/database.ts'
import { bookingBody, bookingPath, build, makeCaller, makeProduct } from '../../helper.ts'

const base = '/api/v2/ota/marketplace/availability'
const june = 'StartDate=2030-06-01&EndDate=2030-06-30'
const nowhere = 's_00000000-0000-4000-8000-000000000000'

async function prepare(t: Test) {
  const built = await build(t)
  const { sql, app } = built
  const caller = await makeCaller(sql)
  const { accountId, headers } = caller
  const kayak = await makeProduct(sql, accountId, {
    slots: { '2030-06-15 10:00': 8, '2030-06-15 14:00': 4, '2030-06-17 10:00': 5 },
  })
  const sauna = await makeProduct(sql, accountId, { name: 'Sauna' })
  const hike = await makeProduct(sql, accountId, {
    ...{
      name: 'Hike',
      timeZone: 'Pacific/Auckland',
      slots: { '2030-06-01 09:00': 3, '2030-07-01 09:00': 3 },
    },
  })
  const get = (url: string) => app.inject({ url, headers })
  return {
    ...{ ...built, ...caller, kayak, sauna, hike, get },
    many: (ids: string[], range = june) => get(`${base}?ActivityIDs=${ids.join(',')}&${range}`),
    one: async (id: string) => (await get(`${base}/${id}/dates?${june}`)).json().data,
  }
}

const fieldsOf = (answer: { json(): { errors: { field: string }[] } }) =>
  answer.json().errors.map(({ field }) => field)

t.test('each product has the same dates as in its own list, in the order of the request', async (t) => {
  const { many, one, kayak, sauna, hike } = await prepare(t)
  const ids = [hike, kayak, sauna].map(({ activityId }) => activityId)
  const answer = await many(ids)
  t.equal(answer.statusCode, 200)
  t.same(
    answer.json().data,
    await Promise.all(ids.map(async (id) => ({ ActivityID: id, Dates: await one(id) }))),
  )
  t.same(answer.json().data[0].Dates, [{ Date: '2030-06-01', Timeslots: 1, Capacity: 3, Available: 3 }])
  t.same(answer.json().data[2].Dates, [])
})

t.test(
  'ActivityIDs are documented as one comma-separated parameter, and repeated parameters are accepted too',
  async (t) => {
    const { many, get, app, kayak, hike } = await prepare(t)
    const operation = (app.swagger() as { paths: Record<string, { get: object }> }).paths[base]!.get
    t.match(operation, { parameters: [{ name: 'ActivityIDs', in: 'query', required: true, explode: false }] })
    const ids = [kayak.activityId, hike.activityId]
    const repeated = await get(`${base}?${ids.map((id) => `ActivityIDs=${id}`).join('&')}&${june}`)
    t.same(repeated.json(), (await many(ids)).json())
  },
)

t.test(
  'a booking is visible in the next response, and days read by one request are not read again by another',
  async (t) => {
    const { many, one, app, sql, headers, kayak, hike } = await prepare(t)
    const ids = [kayak.activityId, hike.activityId]
    const free = async () => (await many(ids)).json().data[0].Dates[0].Available
    t.equal(await free(), 12)
    const booked = await app.inject({
      ...{ method: 'POST', url: bookingPath, headers, payload: bookingBody(kayak.activityId) },
    })
    t.equal(booked.statusCode, 201)
    t.equal(await free(), 10)
    await sql`update timeslots set booked = capacity`
    t.same(
      await one(kayak.activityId),
      [{ Date: '2030-06-17', Timeslots: 1, Capacity: 5, Available: 5 }],
      'no event refers to the 17th, so its cached day stays',
    )
  },
)

t.test('422 names each ActivityID that is unknown, hidden or another account’s', async (t) => {
  const { many, sql, accountId, kayak, hike } = await prepare(t)
  const hidden = await makeProduct(sql, accountId, { name: 'Hidden', inShopfront: false })
  const other = await makeCaller(sql, { slug: 'other' })
  const foreign = await makeProduct(sql, other.accountId)
  const ids = [kayak.activityId, nowhere, hidden.activityId, hike.activityId, foreign.activityId]
  const answer = await many(ids)
  t.equal(answer.statusCode, 422)
  t.same(
    answer.json().errors,
    [1, 2, 4].map((place) => {
      return { field: `ActivityIDs[${place}]`, message: `${ids[place]} is not a product in the shopfront` }
    }),
  )
})

t.test('422 names each malformed ActivityID, and each repeated one', async (t) => {
  const { many, kayak, hike } = await prepare(t)
  const shapes = await many([kayak.activityId, 'kayak', '', hike.activityId.toUpperCase()])
  t.equal(shapes.statusCode, 422)
  t.same(fieldsOf(shapes), ['ActivityIDs[1]', 'ActivityIDs[2]', 'ActivityIDs[3]'])
  const twice = await many([kayak.activityId, hike.activityId, kayak.activityId])
  t.equal(twice.statusCode, 422)
  t.same(twice.json().errors, [
    { field: 'ActivityIDs[2]', message: `${kayak.activityId} is the same as ActivityIDs[0]` },
  ])
})

t.test('a request for 100 products is accepted, and one for 101 is refused', async (t) => {
  const { many, sql, accountId } = await prepare(t)
  const ids: string[] = []
  for (let number = 1; number <= 100; number++)
    ids.push((await makeProduct(sql, accountId, { name: `Tour ${number}` })).activityId)
  const answer = await many(ids)
  t.equal(answer.statusCode, 200)
  t.equal(answer.json().data.length, 100)
  const refused = await many([...ids, nowhere])
  t.equal(refused.statusCode, 422)
  t.same(fieldsOf(refused), ['ActivityIDs'])
})

for (const [range, fields] of [
  ['', ['StartDate', 'EndDate']],
  ['StartDate=2030-06-01', ['EndDate']],
  ['StartDate=2030-02-30&EndDate=2030-03-01', ['StartDate']],
  ['StartDate=2030-06-02&EndDate=2030-06-01', ['EndDate']],
  ['StartDate=2030-06-01&EndDate=2030-07-02', ['EndDate']],
] as const)
  t.test(`?${range} gets 422`, async (t) => {
    const { many, get, kayak } = await prepare(t)
    const answer = await many([kayak.activityId], range)
    t.equal(answer.statusCode, 422)
    t.same(fieldsOf(answer), fields)
    const empty = await get(`${base}?ActivityIDs=&${range}`)
    t.equal(empty.statusCode, 422)
    t.ok(fieldsOf(empty).includes('ActivityIDs'))
  })

t.test('a range of 31 days is accepted', async (t) => {
  const { many, hike } = await prepare(t)
  const answer = await many([hike.activityId], 'StartDate=2030-06-01&EndDate=2030-07-01')
  t.equal(answer.json().data[0].Dates.length, 2)
})

t.test('a request for one product does not wait for requests for many products', async (t) => {
  const { sql, accountId, kayak, hike } = await prepare(t)
  const asked = [kayak, hike].map(({ activityId }) => {
    return { accountId, activity: activityUuid(activityId), from: '2030-06-01', to: '2030-06-30' }
  })
  let end = () => {}
  const until = new Promise<void>((resolve) => {
    end = resolve
  })
  let reads = 0
  const read = async <T>(query: (sql: Sql) => Promise<T>) => {
    if (++reads === 1) await until
    return query(sql)
  }
  const availability = createAvailability(read, () => () => {})
  const many = availability.listDatesOfMany(asked)
  while (reads === 0) await new Promise((resolve) => setImmediate(resolve))
  const others = Array.from({ length: 3 }, () => availability.listDates(asked[0]!))
  for (const dates of await Promise.all(others)) t.equal(dates.length, 2)
  end()
  t.equal((await many).length, 2)
})
