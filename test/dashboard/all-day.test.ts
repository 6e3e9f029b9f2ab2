/** All-day timeslots in the dashboard: making them, changing them, and their hours on pages and in files. */
import t, { type Test } from 'tap'
import { clockAt } from '../clock.ts'
import { makeProduct } from '../helper.ts'
import { hidden, makeDashboard, textOf } from './fixtures.ts'

const day = '2030-06-15'
const hours = {
  'OpeningHours[0].Opens': '09:00',
  'OpeningHours[0].Closes': '12:00',
  'OpeningHours[1].Opens': '13:30',
  'OpeningHours[1].Closes': '17:00',
  'OpeningHours[2].Opens': '',
  'OpeningHours[2].Closes': '',
}
const stated = [
  { Opens: '09:00', Closes: '12:00' },
  { Opens: '13:30', Closes: '17:00' },
]
const inWords = '9:00–12:00 and 13:30–17:00'
const season = {
  From: day,
  To: '2030-06-17',
  Weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  Times: '',
  AllDay: 'true',
  ...hours,
  Capacity: '6',
  'ClosedDates[0]': '',
}

/** Signs in staff of a museum in Lisbon, which sells until half an hour before it closes. The clock starts at `at`. */
async function prepare(t: Test, at = `${day}T07:00Z`) {
  const environment = { SCHEDULE_HORIZON_DAYS: '30' }
  const dashboard = await makeDashboard(t, { ...clockAt(at), environment })
  const { sql, accountId, app, partner, call } = dashboard
  await sql`alter table idempotency_keys alter created_at set default app_now()`
  const product = await makeProduct(sql, accountId, { name: 'Museum' })
  await call('PATCH', `/products/${product.id}`, { BookingCutoffMinutes: 30 })
  const user = await dashboard.signIn('staff')
  const newSchedule = `/dashboard/catalogue/${product.id}/schedules/new`
  /** The timeslots that a partner reads for this day. */
  const timeslotsOf = async (date = day) => {
    const url = `/api/v2/ota/marketplace/availability/${product.activityId}/timeslots?Date=${date}`
    return (await app.inject({ url, headers: partner.headers })).json().data
  }
  const slotOf = async (date = day) => {
    const [slot] = await sql<{ id: number }[]>`select id from timeslots where date = ${date} order by time`
    return slot!.id
  }
  const scheduleOf = async () => {
    const [schedule] = await sql<{ id: number }[]>`select id from schedules`
    return `/dashboard/catalogue/${product.id}/schedules/${schedule!.id}`
  }
  return { ...dashboard, ...user, product, newSchedule, timeslotsOf, slotOf, scheduleOf }
}

t.test('a schedule of opening hours', async (t) => {
  t.test('makes one timeslot a day; partners see its hours and until when it is on sale', async (t) => {
    const { post, get, newSchedule, timeslotsOf, product } = await prepare(t)
    const saved = await post(newSchedule, season)
    t.equal(saved.statusCode, 200)
    t.match(textOf(saved.body), '3 made')
    t.match(await timeslotsOf(), [
      { Time: '09:00', AllDay: true, OpeningHours: stated, OnSaleUntil: `${day}T16:30:00+01:00` },
    ])
    t.equal((await timeslotsOf('2030-06-17')).length, 1)
    const page = await get(`/dashboard/catalogue/${product.id}`)
    t.match(textOf(page.body), `every day, open ${inWords}, 6 places`)
  })

  t.test('can be previewed: the hours of each day are shown, and nothing is saved', async (t) => {
    const { post, newSchedule, sql } = await prepare(t)
    const page = await post(`${newSchedule}/preview`, season)
    t.match(textOf(page.body), `15 Jun 2030 ${inWords} · 6 places new`)
    t.match(page.body, /name="OpeningHours\[1\]\.Closes" value="17:00"/)
    t.match(page.body, /name="OpeningHours\[3\]\.Opens" value=""/, 'two more lines to fill')
    t.match(page.body, /value="true" checked/)
    t.same(await sql`select from schedules`, [])
  })

  t.test('422 names the invalid field by its label, and “all day” stays selected', async (t) => {
    const { post, newSchedule, sql } = await prepare(t)
    const send = async (changes: object) => {
      const { statusCode, body } = await post(newSchedule, { ...season, ...changes } as typeof season)
      t.equal(statusCode, 422)
      t.match(body, /value="true" checked/)
      return textOf(body)
    }
    const none = Object.fromEntries(Object.keys(hours).map((name) => [name, '']))
    t.match(await send(none), 'Opening hours are needed: type when the product opens and closes')
    const half = await send({ 'OpeningHours[1].Closes': '' })
    t.match(half, 'Closes, period 2 is required; to remove the line, clear all its fields')
    const early = await send({ 'OpeningHours[1].Opens': '11:00' })
    t.match(early, 'Opens, period 2 must be after the previous closing')
    const odd = await send({ 'OpeningHours[0].Closes': 'noon' })
    t.match(odd, 'Closes, period 1 must be a clock time')
    t.same(await sql`select from schedules`, [])
  })

  t.test('can be changed: only days without bookings get the new hours, as the preview says', async (t) => {
    const { post, get, newSchedule, scheduleOf, timeslotsOf, book, product } = await prepare(t)
    await post(newSchedule, season)
    await book(product.activityId, { Date: '2030-06-16', Time: '09:00' })
    const path = await scheduleOf()
    const form = (await get(path)).body
    t.match(form, /name="OpeningHours\[0\]\.Opens" value="09:00"/)
    t.match(form, /name="Times" value=""/, 'the field for times is empty')
    const change = { ...season, 'OpeningHours[1].Closes': '00:00', Version: hidden(form, 'Version') }
    const preview = textOf((await post(`${path}/preview`, change)).body)
    t.match(preview, '15 Jun 2030 9:00–12:00 and 13:30–0:00 · 6 places other hours')
    t.match(preview, `16 Jun 2030 ${inWords} · 6 places left: places are booked`)
    await post(path, change)
    t.match(await timeslotsOf(), [{ EndsAt: '2030-06-16T00:00:00+01:00' }])
    t.match(await timeslotsOf('2030-06-16'), [{ EndsAt: '2030-06-16T17:00:00+01:00' }])
  })

  t.test('can become a schedule of start times, and then one of opening hours again', async (t) => {
    const { post, get, newSchedule, scheduleOf, timeslotsOf } = await prepare(t)
    await post(newSchedule, season)
    const path = await scheduleOf()
    const save = async (change: object) => {
      const Version = hidden((await get(path)).body, 'Version')
      const saved = await post(path, { ...season, ...change, Version } as typeof season)
      t.equal(saved.statusCode, 200)
    }
    await save({ AllDay: 'false', Times: '10:00, 14:00' })
    t.match(await timeslotsOf(), [
      { Time: '10:00', AllDay: false, OpeningHours: [] },
      { Time: '14:00', AllDay: false },
    ])
    await save({ AllDay: 'true', Times: '10:00' })
    t.match(await timeslotsOf(), [{ Time: '09:00', OpeningHours: stated }])
  })

  t.test('409 names the current hours if the schedule was changed meanwhile', async (t) => {
    const { post, get, call, newSchedule, scheduleOf, product } = await prepare(t)
    await post(newSchedule, season)
    const path = await scheduleOf()
    const Version = hidden((await get(path)).body, 'Version')
    const OpeningHours = [stated[0]!, { Opens: '14:00', Closes: '17:00' }]
    await call('PATCH', `/products/${product.id}/schedules/${path.split('/').at(-1)}`, { OpeningHours })
    const { statusCode, body } = await post(path, { ...season, Version })
    t.equal(statusCode, 409)
    t.match(textOf(body), 'Opens, period 2 is now “14:00”')
    t.notMatch(textOf(body), 'Times is now')
  })
})

t.test('a single timeslot', async (t) => {
  const path = '/dashboard/calendar/timeslots/new'
  const fieldsOf = ({ id }: { id: number }) => ({
    ...{ ProductID: String(id), Date: day, Time: '', AllDay: 'true', Capacity: '6' },
    ...hours,
  })

  t.test('is made with opening hours, and its time is the first opening', async (t) => {
    const { post, product, timeslotsOf } = await prepare(t)
    t.equal((await post(path, fieldsOf(product))).statusCode, 303)
    t.match(await timeslotsOf(), [{ Time: '09:00', OpeningHours: stated }])
  })

  t.test('422 names an error in its hours; 409 links to the existing timeslot', async (t) => {
    const { post, product, slotOf } = await prepare(t)
    const fields = fieldsOf(product)
    const none = Object.fromEntries(Object.keys(hours).map((name) => [name, '']))
    const empty = await post(path, { ...fields, ...none })
    t.equal(empty.statusCode, 422)
    t.match(textOf(empty.body), 'Opening hours are needed: type when the product opens and closes')
    const half = textOf((await post(path, { ...fields, 'OpeningHours[0].Opens': '' })).body)
    t.match(half, 'Opens, period 1 is required; to remove the line, clear all its fields')
    t.notMatch(half, '“Time”')
    await post(path, fields)
    const again = await post(path, fields)
    t.equal(again.statusCode, 409)
    t.match(again.body, `/dashboard/calendar/timeslots/${await slotOf()}`)
  })

  t.test('422 names an opening time that does not exist because the clocks go forward', async (t) => {
    const { post, product } = await prepare(t)
    const night = { ...fieldsOf(product), Date: '2031-03-30', 'OpeningHours[0].Opens': '01:30' }
    t.match(textOf((await post(path, night)).body), 'Opens, period 1 does not exist on 2031-03-30')
  })

  t.test('can get other hours on its page, but must keep its first opening time', async (t) => {
    const { post, get, newSchedule, slotOf, timeslotsOf } = await prepare(t)
    await post(newSchedule, season)
    const page = `/dashboard/calendar/timeslots/${await slotOf()}`
    t.match(textOf((await get(page)).body), `Opening hours ${inWords}`)
    const late = { 'OpeningHours[0].Opens': '09:00', 'OpeningHours[0].Closes': '20:00' }
    t.equal((await post(`${page}/hours`, late)).statusCode, 303)
    t.match(await timeslotsOf(), [{ OpeningHours: [{ Opens: '09:00', Closes: '20:00' }] }])
    const moved = await post(`${page}/hours`, { ...late, 'OpeningHours[0].Opens': '08:00' })
    t.equal(moved.statusCode, 422)
    t.match(textOf(moved.body), 'Opens, period 1 must be the “first opening” of the timeslot, 09:00')
    t.match(moved.body, /value="08:00"/)
    const none = await post(`${page}/hours`, { 'OpeningHours[0].Opens': '', 'OpeningHours[0].Closes': '' })
    t.equal(none.statusCode, 422)
    t.match(textOf(none.body), 'Opening hours are needed: type when the product opens and closes')
  })
})

t.test('pages and files that show the time of a timeslot show its opening hours', async (t) => {
  const { post, get, call, book, newSchedule, slotOf, product, signIn } = await prepare(t)
  await post(newSchedule, season)
  const { reference } = await book(product.activityId, { Date: day, Time: '09:00' })
  const line = { ActivityID: product.activityId, Date: day, Time: '09:00', Participants: 4 }
  const basket = await call('POST', '/baskets', { Channel: 'pos', Lines: [line] })
  const Customer = { FirstName: 'Grace', LastName: 'Hopper', Email: 'grace@example.com' }
  t.equal((await call('POST', '/waitlist', { ...line, Participants: 2, Customer })).status, 201)
  const id = await slotOf()
  const pages = {
    'the day': `/dashboard/today?Date=${day}`,
    'the calendar': `/dashboard/calendar?Date=${day}`,
    'the timeslot': `/dashboard/calendar/timeslots/${id}`,
    'the waitlist': '/dashboard/calendar/waitlist',
    'the form of a closure': `/dashboard/calendar/closures?TimeslotID=${id}`,
    'the till': `/dashboard/sell?ProductID=${product.id}`,
    'a sale under way': `/dashboard/sell/${basket.data.BasketID}`,
    'the bookings': '/dashboard/bookings',
    'a booking': `/dashboard/bookings/${reference}`,
    'where a booking can move': `/dashboard/bookings/${reference}/move`,
  }
  for (const [name, url] of Object.entries(pages)) t.match(textOf((await get(url)).body), inWords, name)
  const lines = ['2030-06-16', '2030-06-17'].map((date) => ({ ...line, Date: date, Participants: 1 }))
  const { data } = await call('POST', '/baskets', { Channel: 'pos', Lines: lines })
  const sale = await get(`/dashboard/sell/${data.BasketID}/add`)
  for (const action of ['Change', 'Remove'])
    t.match(sale.body, `${action}<span class="unseen"> Museum, ${inWords}</span>`, 'the buttons of a line')
  const closing = { Step: 'preview', TimeslotID: String(id), Action: 'move', Target: '2030-06-16 09:00' }
  const preview = textOf((await post('/dashboard/calendar/closures', closing)).body)
  t.match(preview, `Sat, 15 Jun 2030, ${inWords}`)
  t.match(preview, `to Sun, 16 Jun 2030, ${inWords}`)
  const move = `/dashboard/calendar/timeslots/${id}/move?Date=2030-06-17`
  t.match(textOf((await get(move)).body), `Mon, 17 Jun 2030, ${inWords}`, 'where a timeslot can move')
  const elsewhere = await get(`/dashboard/calendar/timeslots/${id}/move?Date=2031-06-17`)
  t.match(
    textOf(elsewhere.body),
    `Make a timeslot on Tue, 17 Jun 2031, ${inWords}`,
    'on a day without timeslots',
  )
  const [, form] = /href="([^"]*timeslots\/new[^"]*)"/.exec(elsewhere.body)!
  const { body: made } = await get(form!.replaceAll('&#38;', '&'))
  t.match(made, 'name="AllDay" value="true" checked', 'the form of the timeslot to make')
  for (const time of ['09:00', '12:00', '13:30', '17:00']) t.match(made, `value="${time}"`)
  await post('/dashboard/calendar/closures', { ...closing, Step: 'close' })
  const calls = textOf((await get('/dashboard/calendar/calls')).body)
  t.match(calls, `moved to Sun, 16 Jun 2030, ${inWords}`, 'whom to call')
  const csv = (await get('/dashboard/bookings.csv')).body
  const [partner] = (await call('GET', '/partners')).data
  const owner = await signIn()
  const statement = `/dashboard/reports/partners/${partner.ID}`
  t.match(textOf((await owner.get(`${statement}?Month=2030-06`)).body), inWords, 'the statement of a partner')
  t.match((await owner.get(`${statement}/statement.csv?Month=2030-06`)).body, '09:00–12:00 and 13:30–17:00')
  t.match(csv, /,OpeningHours,/)
  t.match(csv, '09:00–12:00 and 13:30–17:00')
})

t.test('at the till', async (t) => {
  t.test(
    'today’s timeslot is sold after its first opening, until the cut-off before its last closing',
    async (t) => {
      const { post, get, sql, newSchedule, slotOf, product } = await prepare(t, `${day}T15:29Z`)
      await post(newSchedule, season)
      const fields = { ProductID: String(product.id), Date: day, AllDay: 'true', Capacity: '6', ...hours }
      await post('/dashboard/calendar/timeslots/new', fields)
      const till = `/dashboard/sell?ProductID=${product.id}`
      t.match(
        textOf((await get(till)).body),
        new RegExp(`Open ${inWords}; single days may have other hours\\. Sat, 15 Jun 2030 6 places free`),
        'hours that are the same on most days are shown once',
      )
      const sale = { ActivityID: product.activityId, Slot: `${day}T09:00`, Participants: '2' }
      t.equal((await post(till, sale)).statusCode, 303)
      await sql`update products set booking_cutoff_minutes = 60`
      const late = await post(till, sale)
      t.equal(late.statusCode, 409)
      t.match(
        textOf(late.body),
        `Sun, 16 Jun 2030, ${inWords}, 6 places free`,
        'another day is offered instead',
      )
      t.notMatch(textOf(late.body), `Sat, 15 Jun 2030, ${inWords}`)
      const page = textOf((await get(`/dashboard/calendar/timeslots/${await slotOf()}`)).body)
      t.match(page, 'Sale is over Its places were sold until 15 Jun 2030, 16:00.')
    },
  )
})

t.test('the calendar says why a timeslot can no longer be sold', async (t) => {
  const { get, call, product, sql } = await prepare(t, `${day}T16:40Z`)
  const make = (Time: string, Closes?: string) =>
    call('POST', `/products/${product.id}/timeslots`, {
      ...{ Date: day, Time, Capacity: 6 },
      ...(Closes && { OpeningHours: [{ Opens: Time, Closes }] }),
    })
  await make('09:00', '17:40')
  await make('10:00', '18:00')
  await make('17:00')
  await make('18:00')
  await make('18:11')
  t.equal((await sql`select from timeslots`).length, 5)
  const calendar = textOf((await get(`/dashboard/calendar?View=day&Date=${day}`)).body)
  t.match(calendar, /9:00–17:40 Museum 0 of 6 booked over /)
  t.match(calendar, /10:00–18:00 Museum 0 of 6 booked sale is over /)
  t.match(calendar, /17:00 Museum 0 of 6 booked begun /)
  t.match(calendar, /18:00 Museum 0 of 6 booked sale is over /)
  t.match(calendar, /18:11 Museum 0 of 6 booked(?! \w+ over| begun)/)
})
