/** The endpoints that list the dates and the timeslots on which a product can still be booked. */
import t, { type Test } from 'tap'
import { build, makeCaller, makeProduct } from '../../helper.ts'

async function prepare(
  t: Test,
  settings: { timeZone?: string; clockOffset?: string; slots?: Record<string, number> } = {},
) {
  const { timeZone = 'Europe/Lisbon', clockOffset = '0', slots = {} } = settings
  const built = await build(t, { clockOffset })
  const caller = await makeCaller(built.sql)
  const product = await makeProduct(built.sql, caller.accountId, { timeZone, slots })
  const base = `/api/v2/ota/marketplace/availability/${product.activityId}`
  const get = (url: string) => built.app.inject({ url, headers: caller.headers })
  return {
    ...built,
    ...caller,
    ...product,
    get,
    dates: (query: string) => get(`${base}/dates?${query}`),
    timeslots: (query: string) => get(`${base}/timeslots?${query}`),
  }
}

const summer = 'StartDate=2030-06-15&EndDate=2030-06-17'

t.test(
  'each date has the number of its bookable timeslots, and the sums of their capacities and free places',
  async (t) => {
    const { dates, sql } = await prepare(t, {
      slots: { '2030-06-15 10:00': 8, '2030-06-15 14:00': 4, '2030-06-17 10:00': 5, '2030-06-18 10:00': 9 },
    })
    await sql`update timeslots set booked = 2, held = 1 where capacity = 8`
    const answer = await dates(summer)
    t.equal(answer.statusCode, 200)
    t.same(answer.json().data, [
      { Date: '2030-06-15', Timeslots: 2, Capacity: 12, Available: 9 },
      { Date: '2030-06-17', Timeslots: 1, Capacity: 5, Available: 5 },
    ])
  },
)

t.test(
  'full and closed timeslots are left out, and so are dates that have only such timeslots',
  async (t) => {
    const { dates, timeslots, sql } = await prepare(t, {
      slots: { '2030-06-15 10:00': 8, '2030-06-15 14:00': 4, '2030-06-16 10:00': 5 },
    })
    await sql`update timeslots set booked = 6, held = 2 where capacity = 8`
    await sql`update timeslots set status = 'closed' where capacity = 5`
    t.same((await dates(summer)).json().data, [
      { Date: '2030-06-15', Timeslots: 1, Capacity: 4, Available: 4 },
    ])
    t.same(
      (await timeslots('Date=2030-06-15')).json().data.map(({ Time }: { Time: string }) => Time),
      ['14:00'],
    )
  },
)

t.test('timeslots that have begun are left out', async (t) => {
  const { dates, timeslots } = await prepare(t, { clockOffset: '10 years', slots: { '2030-06-15 10:00': 8 } })
  t.same((await dates(summer)).json().data, [])
  t.same((await timeslots('Date=2030-06-15')).json().data, [])
})

t.test('timeslots come earliest first, with local time and offset', async (t) => {
  const { timeslots } = await prepare(t, { slots: { '2030-06-15 14:00': 4, '2030-06-15 09:30': 8 } })
  t.same((await timeslots('Date=2030-06-15')).json().data, [
    {
      Time: '09:30',
      StartsAt: '2030-06-15T09:30:00+01:00',
      EndsAt: '2030-06-15T11:00:00+01:00',
      AllDay: false,
      OpeningHours: [],
      OnSaleUntil: '2030-06-15T09:30:00+01:00',
      Capacity: 8,
      Available: 8,
    },
    {
      Time: '14:00',
      StartsAt: '2030-06-15T14:00:00+01:00',
      EndsAt: '2030-06-15T15:30:00+01:00',
      AllDay: false,
      OpeningHours: [],
      OnSaleUntil: '2030-06-15T14:00:00+01:00',
      Capacity: 4,
      Available: 4,
    },
  ])
})

t.test('a timeslot across a clock change has different offsets at its start and its end', async (t) => {
  const { timeslots } = await prepare(t, { slots: { '2030-10-27 00:30': 4 } })
  t.match((await timeslots('Date=2030-10-27')).json().data, [
    { StartsAt: '2030-10-27T00:30:00+01:00', EndsAt: '2030-10-27T01:00:00+00:00' },
  ])
})

t.test('UTC offsets that are negative or not a whole number of hours are correct', async (t) => {
  const west = await prepare(t, { timeZone: 'America/St_Johns', slots: { '2030-01-15 10:00': 4 } })
  t.match((await west.timeslots('Date=2030-01-15')).json().data, [{ StartsAt: '2030-01-15T10:00:00-03:30' }])
  const east = await prepare(t, { timeZone: 'Asia/Kathmandu', slots: { '2030-01-15 10:00': 4 } })
  t.match((await east.timeslots('Date=2030-01-15')).json().data, [{ StartsAt: '2030-01-15T10:00:00+05:45' }])
})

const badDates: [string, string[]][] = [
  ['', ['StartDate', 'EndDate']],
  ['StartDate=&EndDate=', ['StartDate', 'EndDate']],
  ['StartDate=2030-06-15', ['EndDate']],
  ['StartDate=2030-02-30&EndDate=2030-03-01', ['StartDate']],
  ['StartDate=15.06.2030&EndDate=tomorrow', ['StartDate', 'EndDate']],
  ['StartDate=2030-06-15&StartDate=2030-06-16&EndDate=2030-06-17', ['StartDate']],
  ['StartDate=2030-06-15&EndDate=2030-06-14', ['EndDate']],
  ['StartDate=2030-01-01&EndDate=2031-01-02', ['EndDate']],
  ['StartDate=0000-01-01&EndDate=0000-01-02', ['StartDate', 'EndDate']],
]
for (const [query, fields] of badDates) {
  t.test(`dates: ?${query} gets 422`, async (t) => {
    const { dates } = await prepare(t)
    const answer = await dates(query)
    t.equal(answer.statusCode, 422)
    t.same(new Set(answer.json().errors.map(({ field }: { field: string }) => field)), new Set(fields))
  })
}

t.test('dates: a range of 366 days is accepted', async (t) => {
  const { dates } = await prepare(t)
  t.equal((await dates('StartDate=2030-01-01&EndDate=2031-01-01')).statusCode, 200)
})

t.test('timeslots: a request gets 422 when Date is missing or is not a date', async (t) => {
  const { timeslots } = await prepare(t)
  for (const query of ['', 'Date=', 'Date=2030-13-01', 'Date=2030-6-1']) {
    const answer = await timeslots(query)
    t.equal(answer.statusCode, 422)
    t.match(answer.json().errors, [{ field: 'Date' }])
  }
})

for (const operation of ['dates?StartDate=2030-06-01&EndDate=2030-06-02', 'timeslots?Date=2030-06-01']) {
  t.test(`${operation}: a malformed ActivityID gets 400, even if the query is invalid too`, async (t) => {
    const { get } = await prepare(t)
    for (const url of [operation, operation.split('?')[0]]) {
      const answer = await get(`/api/v2/ota/marketplace/availability/kayak/${url}`)
      t.equal(answer.statusCode, 400)
      t.match(answer.json(), { type: /invalid-activity-id$/ })
    }
  })

  t.test(`${operation}: a product that is unknown or not in the shopfront gets 404`, async (t) => {
    const { get, sql, accountId } = await prepare(t)
    const hidden = await makeProduct(sql, accountId, { name: 'Hidden', inShopfront: false })
    for (const id of ['s_00000000-0000-4000-8000-000000000000', hidden.activityId]) {
      const answer = await get(`/api/v2/ota/marketplace/availability/${id}/${operation}`)
      t.equal(answer.statusCode, 404)
      t.match(answer.json(), { type: /activity-not-found$/ })
    }
  })
}
