/** The pages of schedules, by requests: previews, reports, and ending a schedule. */
import t, { type Test } from 'tap'
import { clockAt } from '../clock.ts'
import { makeProduct } from '../helper.ts'
import { hidden, makeDashboard, textOf } from './fixtures.ts'

const daily = {
  From: '2030-06-01',
  To: '2030-06-05',
  Weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  Times: '10:00',
  Capacity: '8',
  'ClosedDates[0]': '',
}

/** A user on 1 June 2030 at 08:00 UTC, and a product whose schedule makes five timeslots. */
async function prepare(t: Test) {
  const clock = clockAt('2030-06-01T08:00Z')
  const dashboard = await makeDashboard(t, { ...clock, environment: { SCHEDULE_HORIZON_DAYS: '30' } })
  const { sql, accountId, call } = dashboard
  // By default, idempotency keys get the time of the real clock, so by the test’s clock they have expired.
  await sql`alter table idempotency_keys alter created_at set default app_now()`
  const product = await makeProduct(sql, accountId)
  const user = await dashboard.signIn('staff')
  const listPath = `/dashboard/catalogue/${product.id}/schedules`
  await user.post(`${listPath}/new`, daily)
  const [schedule] = await sql<{ id: number }[]>`select id from schedules`
  const schedulePath = `${listPath}/${schedule!.id}`
  const version = async (page = schedulePath) => hidden((await user.get(page)).body, 'Version')
  const slots = async () => {
    const rows = await sql<{ text: string }[]>`
      select to_char(date, 'MM-DD') || ' ' || to_char(time, 'HH24:MI') || ' ' || capacity as text
      from timeslots order by date, time`
    return rows.map(({ text }) => text)
  }
  const slotId = async (date: string) => {
    const [slot] = await sql<{ id: number }[]>`select id from timeslots where date = ${date}`
    return slot!.id
  }
  const edit = async (date: string) => call('PATCH', `/timeslots/${await slotId(date)}`, { Capacity: 3 })
  return { ...dashboard, ...user, product, listPath, schedulePath, version, slots, slotId, edit }
}

t.test('making a schedule', async (t) => {
  t.test('the preview lists the timeslots that would be made, and saves nothing', async (t) => {
    const { post, listPath, slots, sql } = await prepare(t)
    const page = await post(`${listPath}/new/preview`, { ...daily, Times: '2pm, 10:00', Capacity: '6' })
    t.equal(page.statusCode, 200)
    t.match(textOf(page.body), '5 to be made')
    t.match(textOf(page.body), '5 to be left as they are')
    t.match(
      textOf(page.body),
      /Sat,? 1 Jun 2030 .*10:00 · 8 places left: made by hand or by another schedule 14:00 · 6 places new/,
    )
    t.match(page.body, 'value="10:00, 14:00"')
    t.equal((await slots()).length, 5)
    t.equal((await sql`select from schedules`).length, 1)
  })

  t.test('answers with a report of what was made, the same when the form is sent twice', async (t) => {
    const { post, listPath, sql } = await prepare(t)
    const evening = {
      ...daily,
      Times: '18:00',
      'ClosedDates[0]': '2030-06-03',
      'ClosedDates[4]': '2030-06-04',
    }
    const first = await post(`${listPath}/new`, evening, { once: 'evening' })
    t.equal(first.statusCode, 200)
    t.match(textOf(first.body), '3 made')
    t.match(textOf((await post(`${listPath}/new`, evening, { once: 'evening' })).body), '3 made')
    t.match(await sql`select closed_dates from schedules order by id`, [
      { closed_dates: [] },
      { closed_dates: ['2030-06-03', '2030-06-04'] },
    ])
  })

  t.test('a preview keeps the typed times and opening hours, also those that are not used', async (t) => {
    const { post, listPath } = await prepare(t)
    const both = {
      ...{ ...daily, Times: '11:00, 2 pm', Capacity: '6' },
      ...{ 'OpeningHours[0].Opens': '09:00', 'OpeningHours[0].Closes': '17:00' },
    }
    for (const AllDay of ['true', 'false']) {
      const { statusCode, body } = await post(`${listPath}/new/preview`, { ...both, AllDay })
      t.equal(statusCode, 200)
      t.match(body, /name="Times" value="11:00, (14:00|2 pm)"/, AllDay)
      t.match(body, 'name="OpeningHours[0].Opens" value="09:00"')
      t.match(body, 'name="OpeningHours[0].Closes" value="17:00"')
    }
  })

  t.test('a preview refuses prices that saving would refuse', async (t) => {
    const { post, listPath } = await prepare(t)
    for (const path of [`${listPath}/new/preview`, `${listPath}/new`]) {
      const { statusCode, body } = await post(path, { ...daily, Times: '11:00', 'Price-0': '1.001' })
      t.equal(statusCode, 422, path)
      t.match(body, /id="field-Price-0"[^>]+aria-invalid="true"/)
    }
  })

  t.test('invalid fields get 422, and the form shows what was typed', async (t) => {
    const { post, listPath, sql } = await prepare(t)
    const wrong = { ...daily, Times: '10:00, noon', Capacity: 'many', 'ClosedDates[1]': '2030-02-30' }
    for (const path of [`${listPath}/new`, `${listPath}/new/preview`]) {
      const { statusCode, body } = await post(path, wrong)
      t.equal(statusCode, 422)
      t.match(body, 'value="10:00, noon"')
      t.match(body, 'Times has “noon”: write each time as 9:30 or 14:30')
      t.match(body, 'value="2030-02-30"')
      for (const name of ['Times', 'Capacity', 'ClosedDates-0-'])
        t.match(body, new RegExp(`id="field-${name}"[^>]+aria-invalid="true"`), name)
    }
    const none: Record<string, string | string[]> = { ...daily, To: '2030-05-01' }
    delete none.Weekdays
    const { body } = await post(`${listPath}/new`, none)
    t.match(body, /id="field-Weekdays"[\s\S]+class="fault" id="field-Weekdays-about">[^<]* is required/)
    t.match(
      (await post(`${listPath}/new`, { ...daily, To: '2030-05-01' })).body,
      'must not be before “First day”',
    )
    t.match((await post(`${listPath}/new`, daily)).body, 'must differ from those of schedule ')
    t.equal((await sql`select from schedules`).length, 1)
  })
})

t.test('changing a schedule', async (t) => {
  t.test('shows in a preview what changes, and reports which timeslots stay and why', async (t) => {
    const { post, get, schedulePath, version, slots, slotId, edit, book, product } = await prepare(t)
    await edit('2030-06-02')
    await book(product.activityId, { Date: '2030-06-03' })
    const change = { ...daily, From: '2030-06-04', Capacity: '9', Version: await version() }
    const preview = await post(`${schedulePath}/preview`, change)
    t.match(textOf(preview.body), '2 to be changed')
    t.match(textOf(preview.body), '1 to be removed')
    t.match(textOf(preview.body), '2 to be left')
    t.match(textOf(preview.body), /1 Jun 2030 10:00 · 8 places to be removed .*10:00 · 9 places instead of 8/)
    t.match(await slots(), [
      '06-01 10:00 8',
      '06-02 10:00 3',
      '06-03 10:00 8',
      '06-04 10:00 8',
      '06-05 10:00 8',
    ])
    const report = await post(schedulePath, change)
    t.equal(report.statusCode, 200)
    t.match(textOf(report.body), /2 Jun 2030, 10:00 edited by hand .*3 Jun 2030, 10:00 places are booked/)
    t.match(report.body, `/dashboard/calendar/timeslots/${await slotId('2030-06-02')}`)
    t.same(await slots(), ['06-02 10:00 3', '06-03 10:00 8', '06-04 10:00 9', '06-05 10:00 9'])
    t.match((await get(schedulePath)).body, 'value="2030-06-04"')
  })

  t.test('gets 409 after a change by another user, and the form shows the current values', async (t) => {
    const { post, call, product, schedulePath, version, sql } = await prepare(t)
    const Version = await version()
    const id = Number(schedulePath.split('/').at(-1))
    const UnitPrices = [{ UnitID: 0, Amount: '31.00' }]
    await call('PATCH', `/products/${product.id}/schedules/${id}`, { Capacity: 12, UnitPrices })
    const answer = await post(schedulePath, { ...daily, Times: '11:00', Version })
    t.equal(answer.statusCode, 409)
    t.match(textOf(answer.body), 'is now “12”')
    t.match(textOf(answer.body), 'is now “31.00”')
    t.match(answer.body, 'value="11:00"')
    t.match(await sql`select capacity, times from schedules`, [{ capacity: 12, times: ['10:00'] }])
  })
})

t.test('ending a schedule', async (t) => {
  t.test('shows first how many timeslots are removed and how many stay, and is done once', async (t) => {
    const { post, get, schedulePath, version, slots, edit, sql } = await prepare(t)
    await edit('2030-06-02')
    const page = await get(`${schedulePath}/end`)
    t.match(textOf(page.body), '4 to be removed')
    t.match(textOf(page.body), '1 to be left')
    const Version = await version(`${schedulePath}/end`)
    for (const _ of [1, 2]) {
      const report = await post(`${schedulePath}/end`, { Version }, { once: 'end' })
      t.equal(report.statusCode, 200)
      t.match(textOf(report.body), '4 removed')
    }
    t.same(await slots(), ['06-02 10:00 3'])
    t.equal((await sql`select from schedules`).length, 0)
  })

  t.test(
    'gets 409 if the schedule has changed since it was shown, and 404 if it was never made',
    async (t) => {
      const { post, get, call, product, listPath, schedulePath, version } = await prepare(t)
      const Version = await version(`${schedulePath}/end`)
      await call('PATCH', `/products/${product.id}/schedules/${schedulePath.split('/').at(-1)}`, {
        Capacity: 12,
      })
      t.equal((await post(`${schedulePath}/end`, { Version })).statusCode, 409)
      t.equal((await get(`${listPath}/new/end`)).statusCode, 404)
      t.equal((await post(`${listPath}/new/end`, { Version })).statusCode, 404)
    },
  )
})
