/** Calendar feeds, read with an independent parser as a calendar program does. */
import ICAL from 'ical.js'
import t, { type Test } from 'tap'
import { writeCalendar } from '../../src/platform/text/icalendar.ts'
import { openTestMode } from '../../src/test-mode/service.ts'
import { makeDashboard, textOf } from '../dashboard/fixtures.ts'
import { makeProduct } from '../helper.ts'

const feeds = '/dashboard/calendar/feeds'

function parse(body: string) {
  const calendar = new ICAL.Component(ICAL.parse(body))
  const events = calendar.getAllSubcomponents('vevent').map((one) => {
    const event = new ICAL.Event(one)
    const { uid, summary, description } = event
    const [start, end] = [event.startDate, event.endDate].map((at) => at.toString())
    return { uid, summary, description, start, end, status: one.getFirstPropertyValue('status') }
  })
  return { name: calendar.getFirstPropertyValue('x-wr-calname'), events }
}

/** Kayak tours (tomorrow with and without a booking; two outside the feed's dates) and an all-day museum. */
async function prepare(t: Test) {
  const dashboard = await makeDashboard(t)
  const { app, sql, accountId, book, signIn } = dashboard
  const [{ day, next, old, far }] = await sql<
    [{ day: string; next: string; old: string; far: string }]
  >`select (now()::date + 1)::text as day, (now()::date + 2)::text as next, (now()::date - 40)::text as old,
      (now()::date + 100)::text as far`
  const { activityId, id: productId } = await makeProduct(sql, accountId, {
    name: 'Kayak; grottoes, caves',
    timeZone: 'UTC',
    slots: { [`${day} 10:00`]: 8, [`${day} 14:00`]: 8, [`${old} 10:00`]: 8, [`${far} 10:00`]: 8 },
  })
  const museum = await makeProduct(sql, accountId, {
    name: 'Museum',
    timeZone: 'UTC',
    slots: { [`${day} 09:00`]: 9 },
  })
  await sql`
    update timeslots set opening_hours = '[{"opens":"09:00","closes":"17:00"}]', closes_at = starts_at + interval '8 hours'
    where product_id = ${museum.id}`
  const Customer = {
    FirstName: 'Ada',
    LastName: 'Lovelace',
    Email: 'ada@example.com',
    Phone: '+351912345678',
  }
  const { reference } = await book(activityId, { Date: day, Customer })
  await book(museum.activityId, { Date: day, Time: '09:00', Participants: 3, Customer })
  const [owner, staff] = [await signIn(), await signIn('staff')]
  const make = async (user: typeof owner, fields: Record<string, string> = {}, at = feeds) => {
    const { body } = await user.post(at, fields)
    return new URL(/<code>([^<]+)</.exec(body)![1]!).pathname
  }
  const read = (path: string, headers: Record<string, string> = {}) => app.inject({ url: path, headers })
  /** Reads the events of a calendar link. */
  const events = async (path: string) => parse((await read(path)).body).events
  return {
    ...dashboard,
    productId,
    museum,
    activityId,
    reference,
    day,
    next,
    owner,
    staff,
    make,
    read,
    events,
  }
}

t.test('a calendar program gets', async (t) => {
  const { sql, productId, museum, day, next, owner, staff, make, read, events, reference, call } =
    await prepare(t)

  t.test('the departures with bookings, without names of customers', async (t) => {
    const answer = await read(await make(staff))
    t.equal(answer.headers['content-type'], 'text/calendar; charset=utf-8')
    t.equal(answer.headers['cache-control'], 'private, no-cache')
    const { name, events } = parse(answer.body)
    t.equal(typeof name, 'string')
    t.match(events, [
      {
        summary: 'Museum: 3 of 9',
        ...{ start: day, end: next, status: 'CONFIRMED' },
        description: '3 of 9 places booked',
      },
      {
        summary: 'Kayak; grottoes, caves: 2 of 8',
        ...{ start: `${day}T10:00:00Z`, end: `${day}T11:30:00Z`, status: 'CONFIRMED' },
        description: '2 of 8 places booked',
      },
    ])
    t.equal(events.length, 2)
    for (const own of ['Ada', 'Lovelace', 'example.com', '351912345678', reference])
      t.notOk(answer.body.includes(own), own)
  })

  t.test('names where the user asked for them, and never a phone number or an address', async (t) => {
    const { body } = await read(await make(staff, { ShowsNames: 'true' }))
    t.equal(parse(body).events[1]!.description, '2 of 8 places booked\nAda Lovelace: 2')
    for (const own of ['example.com', '351912345678']) t.notOk(body.includes(own), own)
  })

  t.test('all departures of one product in the last 30 days and the next 90', async (t) => {
    const found = await events(await make(staff, { ProductID: String(productId) }))
    t.same(
      found.map(({ summary }) => summary),
      ['Kayak; grottoes, caves: 2 of 8', 'Kayak; grottoes, caves: 0 of 8'],
    )
  })

  t.test('a closed departure as cancelled, under the same UID', async (t) => {
    const path = await make(staff)
    const [before] = (await events(path)).filter(({ summary }) => summary.startsWith('Museum'))
    const [slot] = await sql<{ id: number }[]>`select id from timeslots where product_id = ${museum.id}`
    await call('POST', '/closures', { TimeslotID: slot!.id, Action: 'cancel' })
    const [after] = (await events(path)).filter(({ summary }) => summary.startsWith('Museum'))
    t.match(after, { uid: before!.uid, status: 'CANCELLED', summary: 'Museum: closed' })
  })

  t.test('304 while nothing has changed', async (t) => {
    const path = await make(owner)
    const first = await read(path)
    const again = await read(path, { 'if-none-match': String(first.headers.etag) })
    t.equal(again.statusCode, 304)
    t.equal(again.body, '')
    await sql`update timeslots set capacity = 9 where booked > 0`
    t.equal((await read(path, { 'if-none-match': String(first.headers.etag) })).statusCode, 200)
  })

  t.test('429 when it requests the feed far too often', async (t) => {
    const path = await make(owner)
    const answers = await Promise.all(Array.from({ length: 8 }, () => read(path)))
    t.ok(answers.some(({ statusCode }) => statusCode === 429))
    t.ok(answers.some(({ statusCode }) => statusCode === 200))
    t.ok(answers.find(({ statusCode }) => statusCode === 429)!.headers['retry-after'])
  })
})

t.test(
  'a calendar with too many parties names those of the next departures first, and states the limit',
  async (t) => {
    const { sql, accountId, productId, staff, make, read, events } = await prepare(t)
    const parties = 10_001
    // The departure of yesterday alone has more parties than are named; that of the museum is tomorrow.
    await sql`
    with yesterday as (
      update timeslots set date = now()::date - 1, starts_at = now() - interval '1 day', capacity = ${parties}, booked = ${parties}
      where product_id = ${productId} and time = '14:00'
      returning id
    )
    insert into bookings (account_id, id, basket_id, timeslot_id, reference, channel, status, participants,
      unit_price_minor, currency, answers, first_name, confirmed_at)
    select ${accountId}, 900000000 + number, 900000000 + number, yesterday.id, 'MANY' || number, 'pos', 'confirmed', 1,
      4500, 'EUR', '[]', 'Guest', now()
    from yesterday cross join generate_series(1, ${parties}::integer) as number`
    const path = await make(staff, { ShowsNames: 'true' })
    const found = await events(path)
    t.match(found.find(({ summary }) => summary.startsWith('Museum'))!.description, 'Ada Lovelace: 3')
    t.match(
      (await read(path)).body.replace(/\r\n /g, ''),
      'Only 10\\,000 parties are named\\, those of today and later first.',
    )
  },
)

t.test('a calendar is in the language of its account', async (t) => {
  const { sql, accountId, museum, staff, make, read, day, call } = await prepare(t)
  const path = await make(staff, { ShowsNames: 'true' })
  const before = await read(path)
  await sql`insert into business_details (account_id, address_lines, locale) values (${accountId}, '{}', 'pt-PT')`
  const answer = await read(path, { 'if-none-match': String(before.headers.etag) })
  t.equal(answer.statusCode, 200, 'the ETag depends on the language')
  const line = answer.body.replace(/\r\n /g, '')
  t.match(line, 'X-WR-CALDESC:Partidas com reservas.\r\n')
  t.match(parse(answer.body).events, [
    { summary: 'Museum: 3 de 9', description: '3 de 9 lugares reservados\nAda Lovelace: 3', start: day },
    { summary: 'Kayak; grottoes, caves: 2 de 8', description: '2 de 8 lugares reservados\nAda Lovelace: 2' },
  ])
  const [slot] = await sql<{ id: number }[]>`
    update timeslots set capacity = 4, held = 1 where product_id = ${museum.id} returning id`
  t.match(parse((await read(await make(staff, { ProductID: String(museum.id) }))).body).events, [
    { summary: 'Museum: 3 de 4', description: '3 de 4 lugares reservados, 1 guardado' },
  ])
  await call('POST', '/closures', { TimeslotID: slot!.id, Action: 'cancel' })
  t.match(parse((await read(path)).body).events, [
    { summary: 'Museum: encerrado', description: /^Encerrado\n/ },
    {},
  ])
})

t.test('a calendar link', async (t) => {
  const { sql, accountId, owner, staff, make, read, signIn } = await prepare(t)

  t.test('is shown once, and only a hash of it is stored', async (t) => {
    const path = await make(staff)
    t.match(path, /^\/calendar\/cal_\d+_[\w-]{43}\.ics$/)
    const page = textOf((await staff.get(feeds)).body)
    t.match(page, /All products, booked departures only not shown staff@quay.test .* Never/)
    t.notMatch(page, path)
    const rows = await sql`select * from calendar_feeds`
    t.notOk(JSON.stringify(rows).includes(path.slice(20)))
    await read(path)
    t.notMatch(textOf((await staff.get(feeds)).body), 'Never')
  })

  t.test('is revoked by its user, and stops working at once', async (t) => {
    const path = await make(staff)
    const [feed] = await sql<{ id: number }[]>`select max(id) as id from calendar_feeds`
    for (const _ of [1, 2]) t.equal((await staff.post(`${feeds}/${feed!.id}/revoke`)).statusCode, 303)
    t.equal((await read(path)).statusCode, 404)
    t.match(await sql`select type from events where type like 'calendar-feed.%' order by id desc limit 1`, [
      { type: 'calendar-feed.revoked' },
    ])
  })

  t.test('of another user is shown only to owners, and another user cannot revoke it', async (t) => {
    await make(owner)
    const [feed] = await sql<{ id: number }[]>`select max(id) as id from calendar_feeds`
    t.notMatch(textOf((await staff.get(feeds)).body), 'owner@quay.test')
    t.equal((await staff.post(`${feeds}/${feed!.id}/revoke`)).statusCode, 404)
    await make(staff)
    t.match(textOf((await owner.get(feeds)).body), 'staff@quay.test')
  })

  t.test('stops working when its user is disabled, even after the user is enabled again', async (t) => {
    const guide = await signIn('staff', 'guide@quay.test')
    const path = await make(guide)
    t.equal((await read(path)).statusCode, 200)
    await owner.post(`/dashboard/users/${guide.userId}/disable`)
    t.equal((await read(path)).statusCode, 404)
    await owner.post(`/dashboard/users/${guide.userId}/enable`)
    t.equal((await read(path)).statusCode, 404)
  })

  t.test('of test mode shows only test bookings', async (t) => {
    await openTestMode(sql, accountId)
    const path = await make(staff, {}, '/dashboard/test/calendar/feeds')
    t.match(path, /^\/calendar\/cal_test_\d+_/)
    t.same(parse((await read(path)).body).events, [])
    t.equal((await read(path.replace('test_', ''))).statusCode, 404)
  })

  t.test('that was guessed or changed answers 404', async (t) => {
    const path = await make(staff)
    for (const wrong of [
      `${path}x`,
      path.replace('.ics', ''),
      path.replace(/.\.ics$/, '~.ics'),
      '/calendar/x.ics',
    ])
      t.equal((await read(wrong)).statusCode, 404, wrong)
    const other = path.replace(`cal_${accountId}_`, `cal_${accountId + 1}_`)
    t.equal((await read(other)).statusCode, 404)
  })

  t.test('of an unknown product is refused, and so is a 21st link', async (t) => {
    const refused = await staff.post(feeds, { ProductID: '999999' })
    t.equal(refused.statusCode, 422)
    t.match(textOf(refused.body), 'Departures must be one of your products')
    const guide = await signIn('staff', 'busy@quay.test')
    const form = `<form method="post" action="${feeds}"`
    t.match((await guide.get(feeds)).body, form)
    for (let made = 0; made < 20; made++) await make(guide)
    t.equal((await guide.post(feeds)).statusCode, 409)
    const { body } = await guide.get(feeds)
    t.notMatch(body, form, 'a 21st link is not offered')
    t.match(textOf(body), 'You have 20 calendar links, the most that a user may have.')
    t.match((await owner.get(feeds)).body, form, 'the links of others do not count')
  })
})

t.test('a calendar file is written as RFC 5545 says', async (t) => {
  const summary = `${'é'.repeat(60)}, "a"; \\ b`
  const event = {
    ...{ uid: 'u@x', summary, description: 'one\r\ntwo\u0007', url: 'https://quay.test/a', cancelled: false },
    times: { start: new Date('2030-06-15T09:00:00Z'), end: new Date('2030-06-15T10:30:00Z') },
  }
  const text = writeCalendar(
    { feed: { name: 'Quay', description: '' }, events: [event] },
    new Date('2030-01-01T00:00:00Z'),
  )
  t.ok(text.endsWith('END:VCALENDAR\r\n'))
  for (const line of text.split('\r\n')) t.ok(Buffer.byteLength(line) <= 75, line)
  t.notMatch(text.replaceAll('\r\n', ''), /[\r\n]/)
  t.match(text, 'DTSTAMP:20300101T000000Z\r\n')
  t.match(parse(text).events, [{ summary, description: 'one\ntwo', start: '2030-06-15T09:00:00Z' }])
})
