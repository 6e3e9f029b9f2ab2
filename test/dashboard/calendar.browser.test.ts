/** The calendar, timeslots and closures as people use them, in a real browser. */
import t, { type Test } from 'tap'
import { makeProduct } from '../helper.ts'
import { keepPumping } from '../pump.ts'
import { accessibilityFaults, openBrowser, withoutBrowser } from './browser.ts'
import { makeDashboard } from './fixtures.ts'

const calendar = '/dashboard/calendar?View=week&Date=2030-06-15'

/** Makes a full timeslot of 4 places and an empty one of 8, and opens a browser. */
async function prepare(t: Test) {
  const dashboard = await makeDashboard(t)
  keepPumping(t, dashboard.sql)
  const { app, sql, accountId, signIn, book, call } = dashboard
  const { activityId } = await makeProduct(sql, accountId, {
    slots: { '2030-06-15 10:00': 4, '2030-06-15 14:00': 8 },
  })
  await makeProduct(sql, accountId, {
    name: 'Beginners’ surf lesson at Meia Praia, wetsuit and board included',
  })
  const { email } = await signIn()
  const { origin, enter, checkPages } = await openBrowser(t, app)
  const { reference } = await book(activityId, { Participants: 4 })
  const slots = await sql<{ id: number }[]>`select id from timeslots order by time`
  const [full, other] = slots.map(({ id }) => `/dashboard/calendar/timeslots/${id}`)
  const joinWaitlist = () =>
    call('POST', '/waitlist', {
      ...{ ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 2 },
      Customer: { FirstName: 'Grace', LastName: 'Hopper', Email: 'grace@example.com' },
    })
  return {
    ...dashboard,
    activityId,
    reference,
    origin,
    email,
    enter,
    checkPages,
    full: full!,
    other: other!,
    joinWaitlist,
  }
}

t.test('the calendar in a browser', { skip: withoutBrowser }, async (t) => {
  const { origin, email, enter, checkPages, full, other, joinWaitlist, call, book, reference, activityId } =
    await prepare(t)

  t.test('a capacity is raised, and a capacity that is too low is refused beside its field', async (t) => {
    const page = await enter(email)
    await page.goto(origin + calendar)
    await page.getByRole('link', { name: '14:00 Kayak', exact: true }).click()
    await page.getByLabel('Places in all').fill('12')
    await page.getByRole('button', { name: 'Change the capacity' }).click()
    t.match(await page.getByText('The capacity is changed.').textContent(), 'changed')
    t.match(await page.locator('#occupancy').innerText(), /12 free\s+of 12/)
    await page.goto(origin + full)
    await page.getByLabel('Places in all').fill('3')
    await page.getByRole('button', { name: 'Change the capacity' }).click()
    t.match(await page.getByRole('alert').innerText(), '4 places are booked and 0 are held.')
    t.equal(await page.getByLabel('Places in all').inputValue(), '3')
  })

  t.test('a timeslot is taken off sale and put on sale again by the keyboard', async (t) => {
    const page = await enter(email)
    await page.goto(origin + other)
    await page.getByRole('button', { name: 'Take it off sale' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Put it on sale again' }).waitFor()
    t.match(await page.locator('#occupancy').innerText(), 'Closed')
    await page.getByRole('button', { name: 'Put it on sale again' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Take it off sale' }).waitFor()
    t.notMatch(await page.locator('#occupancy').innerText(), 'Closed')
  })

  t.test('changes of occupancy, and the offer after a cancellation, appear without a reload', async (t) => {
    await joinWaitlist()
    const [week, slot] = [await enter(email), await enter(email)]
    await week.goto(origin + calendar)
    await slot.goto(origin + full)
    t.match(await slot.locator('#waitlist').innerText(), 'Waiting')
    await book(activityId, { Time: '14:00', Participants: 5 })
    await week.getByText('5 of 12').waitFor()
    await call('POST', `/bookings/${reference}/cancel`, {})
    await slot.getByText('offered', { exact: true }).waitFor()
    await week.getByText('2 held', { exact: true }).waitFor()
    t.match(await slot.locator('#waitlist').innerText(), 'Grace Hopper')
  })

  t.test(
    'the products in the form of a closure are an indented list, with little space between them on a desktop',
    async (t) => {
      for (const width of [375, 1280]) {
        const page = await enter(email, { viewport: { width, height: 900 } })
        await page.goto(`${origin}/dashboard/calendar/closures?From=2030-06-15&To=2030-06-15`)
        const group = page.getByRole('group', { name: 'Products' })
        const [frame, first, second] = [
          await page.locator('main form.stacked').first().boundingBox(),
          await group.getByRole('checkbox').nth(0).boundingBox(),
          await group.getByRole('checkbox').nth(1).boundingBox(),
        ]
        t.ok(first!.x - frame!.x >= 8, 'the list is indented')
        t.ok(
          width < 1280 || second!.y - first!.y <= 36,
          `${second!.y - first!.y} pixels from one to the next`,
        )
      }
    },
  )

  t.test('a closure is previewed and done, and the pages are accessible', async (t) => {
    const page = await enter(email)
    await page.goto(origin + calendar)
    await page.getByRole('link', { name: 'Weather closure' }).click()
    await page.getByLabel('Message to the customers').fill('Too much wind.')
    await page.getByRole('button', { name: 'Show what will happen' }).click()
    const act = page.getByRole('button', { name: 'Close 2 timeslots and cancel 1 booking' })
    await page.locator('summary', { hasText: 'Bookings' }).click()
    t.match(
      await page.getByRole('region', { name: 'Bookings on these timeslots' }).innerText(),
      'is cancelled',
    )
    t.same(await accessibilityFaults(page), [])
    await act.click()
    await page.getByText('The closure is done.').waitFor()
    t.same(await accessibilityFaults(page), [])
  })

  t.test('the pages are accessible, in light mode on a phone and in dark mode on a desktop', async (t) => {
    const id = full.split('/').at(-1)
    const closures = `/dashboard/calendar/closures?TimeslotID=${id}`
    await checkPages(t, email, [
      calendar,
      `${full}?All=true`,
      '/dashboard/calendar/timeslots/new',
      '/dashboard/calendar/closures?From=2030-06-15&To=2030-06-16',
      closures,
      '/dashboard/calendar/waitlist',
    ])
  })
})

t.test(
  'a closure of many timeslots continues without further clicks',
  { skip: withoutBrowser },
  async (t) => {
    const { sql, accountId, origin, email, enter } = await prepare(t)
    await sql`
    insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
    select ${accountId}, (select min(id) from products), '2030-07-01', make_time(n / 60, n % 60, 0), '2030-07-01', 5
    from generate_series(0, 229) as n`
    const page = await enter(email)
    await page.goto(`${origin}/dashboard/calendar/closures?From=2030-07-01&To=2030-07-01`)
    await page.getByRole('button', { name: 'Show what will happen' }).click()
    await page.getByRole('button', { name: 'Close 230 timeslots' }).click()
    await page.getByText('The closure is done.').waitFor()
    t.same(await sql`select count(*)::integer from timeslots where status = 'closed'`, [{ count: 230 }])
  },
)
