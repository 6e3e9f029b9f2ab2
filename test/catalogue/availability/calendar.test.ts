/** The calendar of a product: every timeslot that is on sale, including the full ones. */
import t, { type Test } from 'tap'
import { bookingBody, bookingPath, build, makeCaller, makeProduct } from '../../helper.ts'
import { giveUnits } from '../../sales/booking/unit-fixtures.ts'

const june = 'StartDate=2030-06-01&EndDate=2030-06-30'

async function prepare(t: Test, slots: Record<string, number>, clockOffset = '0') {
  const built = await build(t, { clockOffset })
  const caller = await makeCaller(built.sql)
  const product = await makeProduct(built.sql, caller.accountId, { slots })
  const base = `/api/v2/ota/marketplace/availability/${product.activityId}`
  const get = (url: string) => built.app.inject({ url, headers: caller.headers })
  return {
    ...{ ...built, ...caller, ...product, get },
    calendar: (query = june) => get(`${base}/calendar?${query}`),
    timeslots: async (date: string) => (await get(`${base}/timeslots?Date=${date}`)).json().data,
  }
}

type Entry = { Date: string; Time: string; Available: number }
const brief = (answer: { json(): { data: Entry[] } }) =>
  answer.json().data.map((entry) => `${entry.Date} ${entry.Time} ${entry.Available}`)

t.test(
  'timeslots come earliest first, each with its date and the fields that the list of timeslots of that date has',
  async (t) => {
    const { calendar, timeslots, sql, accountId, id } = await prepare(t, {
      ...{ '2030-06-30 14:00': 4, '2030-06-15 14:00': 4, '2030-06-15 09:30': 8, '2030-07-01 10:00': 9 },
    })
    await giveUnits(sql, accountId, id, [{ name: 'Adult' }, { name: 'Child', priceMinor: 2000 }])
    const answer = await calendar()
    t.equal(answer.statusCode, 200)
    t.same(brief(answer), ['2030-06-15 09:30 8', '2030-06-15 14:00 4', '2030-06-30 14:00 4'])
    const days = await Promise.all(
      ['2030-06-15', '2030-06-30'].map(async (date) =>
        (await timeslots(date)).map((entry: object) => ({ Date: date, ...entry })),
      ),
    )
    t.same(answer.json().data, days.flat())
    t.equal(answer.json().data[0].Units[1].Price.Amount, '20.00')
  },
)

t.test('a full timeslot is listed with 0 available places, and a closed one is not listed', async (t) => {
  const { calendar, timeslots, app, sql, headers, activityId } = await prepare(t, {
    ...{ '2030-06-15 10:00': 2, '2030-06-15 14:00': 4, '2030-06-16 10:00': 5 },
  })
  await sql`update timeslots set status = 'closed' where capacity = 4`
  t.same(brief(await calendar()), ['2030-06-15 10:00 2', '2030-06-16 10:00 5'])
  const payload = bookingBody(activityId)
  t.equal((await app.inject({ method: 'POST', url: bookingPath, headers, payload })).statusCode, 201)
  t.same(brief(await calendar()), ['2030-06-15 10:00 0', '2030-06-16 10:00 5'])
  t.same(await timeslots('2030-06-15'), [])
})

t.test('timeslots that have begun are left out', async (t) => {
  const { calendar } = await prepare(t, { '2030-06-15 10:00': 2 }, '10 years')
  t.same((await calendar()).json(), { data: [] })
})

t.test('around a clock change, each start and each end has its own UTC offset', async (t) => {
  const { calendar } = await prepare(t, { '2030-10-26 23:30': 4, '2030-10-27 00:30': 4 })
  t.match((await calendar('StartDate=2030-10-26&EndDate=2030-10-27')).json().data, [
    { StartsAt: '2030-10-26T23:30:00+01:00', EndsAt: '2030-10-27T01:00:00+01:00' },
    { StartsAt: '2030-10-27T00:30:00+01:00', EndsAt: '2030-10-27T01:00:00+00:00' },
  ])
})

t.test('a range of 31 days is accepted', async (t) => {
  const { calendar } = await prepare(t, { '2030-07-01 10:00': 2 })
  t.same(brief(await calendar('StartDate=2030-06-01&EndDate=2030-07-01')), ['2030-07-01 10:00 2'])
})

for (const [query, fields] of [
  ['', ['StartDate', 'EndDate']],
  ['EndDate=2030-06-01', ['StartDate']],
  ['StartDate=2030-06-31&EndDate=2030-07-01', ['StartDate']],
  ['StartDate=2030-06-02&EndDate=2030-06-01', ['EndDate']],
  ['StartDate=2030-06-01&EndDate=2030-07-02', ['EndDate']],
] as const)
  t.test(`?${query} gets 422`, async (t) => {
    const { calendar } = await prepare(t, {})
    const answer = await calendar(query)
    t.equal(answer.statusCode, 422)
    t.same(
      answer.json().errors.map(({ field }: { field: string }) => field),
      fields,
    )
  })

t.test(
  'a range with too many timeslots and prices gets 422 with the limit, and a shorter range is accepted',
  async (t) => {
    const { calendar, sql, accountId, id } = await prepare(t, {})
    await sql`
    insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
    select ${accountId}, ${id}, day, time, day + time, 8
    from (values ('2030-06-10'::date, 1440), ('2030-06-20', 100)) as days (day, count)
    cross join generate_series(0, 1439) as minute
    cross join make_time(minute / 60, minute % 60, 0) as time
    where minute < count`
    const units = Array.from({ length: 50 }, (_, number) => ({ name: `Unit ${number}`, priceMinor: 2000 }))
    await giveUnits(sql, accountId, id, units)
    const refused = await calendar()
    t.equal(refused.statusCode, 422)
    t.match(refused.json().errors, [{ field: 'EndDate', message: /75000/ }])
    const answered = await calendar('StartDate=2030-06-10&EndDate=2030-06-19')
    t.equal(answered.json().data.length, 1440)
  },
)

t.test(
  'a malformed ActivityID gets 400; an unknown or hidden product, or one of another account, gets 404',
  async (t) => {
    const { get, sql, accountId } = await prepare(t, {})
    const hidden = await makeProduct(sql, accountId, { name: 'Hidden', inShopfront: false })
    const other = await makeCaller(sql, { slug: 'other' })
    const foreign = await makeProduct(sql, other.accountId)
    const ask = (id: string) => get(`/api/v2/ota/marketplace/availability/${id}/calendar?${june}`)
    const shape = await ask('kayak')
    t.equal(shape.statusCode, 400)
    t.match(shape.json(), { type: /invalid-activity-id$/ })
    for (const id of ['s_00000000-0000-4000-8000-000000000000', hidden.activityId, foreign.activityId]) {
      const answer = await ask(id)
      t.equal(answer.statusCode, 404)
      t.match(answer.json(), { type: /activity-not-found$/ })
    }
  },
)
