/** The calendar and the waitlist of the account: which timeslots and entries they show, and with which labels. */
import t, { type Test } from 'tap'
import { addDays, dateIn } from '../../src/platform/text/calendar.ts'
import { makeCaller, makeProduct } from '../helper.ts'
import { makeDashboard, textOf } from './fixtures.ts'

/** Kayak on Monday, Saturday and Sunday of the week of 15 June 2030, and on the Monday after; Surf on Saturday. */
async function prepare(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn } = dashboard
  const kayak = await makeProduct(sql, accountId, {
    slots: {
      '2030-06-10 09:00': 4,
      '2030-06-15 10:00': 8,
      '2030-06-16 11:00': 6,
      '2030-06-17 12:00': 5,
    },
  })
  const surf = await makeProduct(sql, accountId, {
    name: 'Surf & <swim>',
    slots: { '2030-06-15 14:00': 3 },
  })
  const user = await signIn()
  const show = async (query: string) => textOf((await user.get(`/dashboard/calendar${query}`)).body)
  return { ...dashboard, kayak, surf, user, show }
}

t.test('a week has the timeslots from Monday to Sunday, with what is booked, held and free', async (t) => {
  const { show, book, kayak, call } = await prepare(t)
  await book(kayak.activityId, { Participants: 5 })
  const line = { ActivityID: kayak.activityId, Date: '2030-06-15', Time: '10:00', Participants: 2 }
  await call('POST', '/baskets', { Channel: 'online', Lines: [line] })
  const text = await show('?Date=2030-06-12')
  t.match(text, /10\s?–\s?16 Jun 2030/)
  t.match(text, '9:00 Kayak 0 of 4 booked')
  t.match(text, '10:00 Kayak 5 of 8 booked 2 held')
  t.match(text, '11:00 Kayak')
  t.notMatch(text, '12:00 Kayak')
  t.match(text, '14:00 Surf & <swim>', 'names are shown unchanged, and escaped')
  t.match(text, 'Sat 15 Jun 5 booked, 2 held, 4 free')
})

t.test('the view of a day shows only the timeslots of that day', async (t) => {
  const { show } = await prepare(t)
  const text = await show('?View=day&Date=2030-06-15')
  t.match(text, '10:00 Kayak')
  t.match(text, '14:00 Surf')
  t.notMatch(text, '11:00 Kayak')
  t.match(await show('?View=day&Date=2030-06-14'), 'No timeslots on this day.')
})

t.test('the links to other weeks keep the chosen product', async (t) => {
  const { user, show, surf } = await prepare(t)
  const query = `?View=week&Date=2030-06-15&ProductID=${surf.id}`
  const text = await show(query)
  t.match(text, '14:00 Surf')
  t.notMatch(text, '10:00 Kayak')
  const { body } = await user.get(`/dashboard/calendar${query}`)
  const links = [...body.matchAll(/rel="(prev|next)" href="([^"]+)"/g)].map(([, rel, href]) => [
    rel,
    href!.replaceAll('&#38;', '&'),
  ])
  t.same(links, [
    ['prev', `/dashboard/calendar?View=week&Date=2030-06-08&ProductID=${surf.id}`],
    ['next', `/dashboard/calendar?View=week&Date=2030-06-22&ProductID=${surf.id}`],
  ])
})

t.test('today is the date in the account’s time zone, and is shown when no date is given', async (t) => {
  const { sql, accountId, show } = await prepare(t)
  await sql`update accounts set time_zone = 'Pacific/Kiritimati' where account_id = ${accountId}`
  const parts = { day: 'numeric', month: 'short', year: 'numeric', weekday: 'short' } as const
  const format = new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: 'Pacific/Kiritimati' })
  const before = format.format(new Date())
  const text = await show('?View=day')
  const after = format.format(new Date())
  t.ok(text.includes(before) || text.includes(after), 'the heading is the date in that time zone')
  t.match(text, 'today')
})

t.test(
  'labels say whether timeslots are closed, out of the shopfront, begun, full or have a waitlist',
  async (t) => {
    const { sql, user, show, book, call, kayak, surf } = await prepare(t)
    await sql`update products set in_shopfront = false where id = ${surf.id}`
    await sql`update timeslots set status = 'closed' where date = '2030-06-16'`
    await sql`
    update timeslots set starts_at = now() - interval '1 minute' where date = '2030-06-10'`
    await book(kayak.activityId, { Participants: 8 })
    const party = { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' }
    const wanted = { ActivityID: kayak.activityId, Date: '2030-06-15', Time: '10:00', Participants: 2 }
    await call('POST', '/waitlist', { ...wanted, Customer: party })
    t.match(
      (await user.get('/dashboard/calendar?Date=2030-06-15')).body,
      '<span class="badge warn">full</span>',
    )
    const text = await show('?Date=2030-06-15')
    t.match(text, '14:00 Surf & <swim> 0 of 3 booked not in the shopfront')
    t.match(text, '11:00 Kayak Closed 0 of 6 booked')
    t.match(text, '9:00 Kayak 0 of 4 booked begun')
    t.match(text, '10:00 Kayak 8 of 8 booked full 1 waiting Waitlist 10:00 Kayak')
  },
)

t.test('a month shows the occupancy of each day, and links to the day', async (t) => {
  const { sql, show, user, book, kayak } = await prepare(t)
  await book(kayak.activityId, { Participants: 8 })
  await sql`update timeslots set status = 'closed' where date = '2030-06-16'`
  const text = await show('?View=month&Date=2030-06-02')
  t.match(text, 'June 2030')
  t.match(text, 'Mon 10 Jun 1 timeslot 0 of 4 booked')
  t.match(text, 'Sat 15 Jun 2 timeslots 8 of 11 booked 1 full')
  t.match(text, 'Sun 16 Jun 1 timeslot Closed')
  const { body } = await user.get('/dashboard/calendar?View=month&Date=2030-06-02')
  t.match(body, 'href="/dashboard/calendar?View=day&#38;Date=2030-06-15"')
  t.match(body, /rel="next" href="[^"]*Date=2030-07-02"/)
  t.match(await show('?View=month&Date=2031-06-02'), 'No timeslots in this month.')
})

t.test('a day with very many timeslots at once is a list of all of them', async (t) => {
  const { sql, accountId, user, kayak } = await prepare(t)
  await sql`
    insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
    select ${accountId}, ${kayak.id}, '2030-06-14', make_time(8, n, 0), '2030-06-14', 5
    from generate_series(0, 39) as n`
  const { body } = await user.get('/dashboard/calendar?View=day&Date=2030-06-14')
  const [day] = /<section[^>]* id="day-2030-06-14"[\s\S]*?<\/section>/.exec(body)!
  t.equal(day!.split('<li').length - 1, 40)
  t.match(day, 'as-list')
  t.notMatch(day, / lane\d/)
})

t.test('today has a line at the current time', async (t) => {
  const { sql, accountId, user } = await prepare(t)
  const zone = 'Europe/Lisbon'
  await sql`update accounts set time_zone = ${zone} where account_id = ${accountId}`
  // Timeslots on two days, because midnight may pass.
  const today = dateIn(zone, new Date())
  const slots = [today, addDays(today, 1)].flatMap((day) => [`${day} 00:00`, `${day} 23:00`])
  await makeProduct(sql, accountId, {
    name: 'Night',
    slots: Object.fromEntries(slots.map((slot) => [slot, 4])),
  })
  const { body } = await user.get('/dashboard/calendar?View=day')
  t.equal([...body.matchAll(/<p class="now from-h\d+ from-m\d+"/g)].length, 1)
  t.equal(
    [...(await user.get('/dashboard/calendar?Date=2030-06-15')).body.matchAll(/class="now /g)].length,
    0,
  )
})

t.test('the calendar shows no timeslots of another account', async (t) => {
  const { sql, show } = await prepare(t)
  const other = await makeCaller(sql, { slug: 'other' })
  await makeProduct(sql, other.accountId, { name: 'Theirs', slots: { '2030-06-15 10:00': 8 } })
  const text = await show('?Date=2030-06-15')
  t.match(text, '10:00 Kayak')
  t.notMatch(text, 'Theirs')
})

t.test(
  'an invalid parameter is refused and named, and the first and last dates of the calendar are accepted',
  async (t) => {
    const { user } = await prepare(t)
    for (const [query, field] of [
      ['?Date=2030-02-30', 'Date'],
      ['?View=year', 'View'],
      ['?ProductID=x', 'Product must be a whole number'],
    ]) {
      const answer = await user.get(`/dashboard/calendar${query}`)
      t.equal(answer.statusCode, 422)
      t.match(textOf(answer.body), field)
    }
    for (const date of ['0001-01-01', '9999-12-31'])
      t.equal((await user.get(`/dashboard/calendar?Date=${date}`)).statusCode, 200)
  },
)

t.test('the number of queries does not grow with the number of timeslots', async (t) => {
  const { services, user } = await prepare(t)
  let queries = 0
  services.sql.options.debug = (_connection, query) => {
    // A new connection queries the types of the database, and may be opened at any time.
    if (!query.includes('pg_type')) queries++
  }
  const count = async (query: string) => {
    queries = 0
    await user.get(`/dashboard/calendar${query}`)
    return queries
  }
  // Queries that only the first request of a session sends are not counted.
  await count('?Date=2030-06-15')
  const many = await count('?Date=2030-06-15')
  t.ok(many > 0)
  t.equal(await count('?View=day&Date=2030-06-16'), many)
})

t.test('the waitlist of the account has every entry that waits or has an offer', async (t) => {
  const { sql, user, book, call, kayak } = await prepare(t)
  t.match(textOf((await user.get('/dashboard/calendar/waitlist')).body), 'Nobody waits for places.')
  const { reference } = await book(kayak.activityId, { Participants: 8 })
  for (const FirstName of ['Ada', 'Grace', 'Gone']) {
    const party = { FirstName, LastName: 'Hopper', Email: 'ada@example.com' }
    const wanted = { ActivityID: kayak.activityId, Date: '2030-06-15', Time: '10:00', Participants: 8 }
    await call('POST', '/waitlist', { ...wanted, Customer: party })
  }
  await sql`update waitlist_entries set status = 'left' where id = (select max(id) from waitlist_entries)`
  await call('POST', `/bookings/${reference}/cancel`, {})
  const text = textOf((await user.get('/dashboard/calendar/waitlist')).body)
  t.match(
    text,
    /Ada Hopper Kayak, .* 8 people €360.00 offered until .* Grace Hopper Kayak, .* 8 people €360.00 waiting first in line/,
  )
  t.notMatch(text, 'Gone')
})
