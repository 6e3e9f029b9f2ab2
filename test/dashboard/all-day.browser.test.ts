/** All-day timeslots in a real browser. Users make schedules of opening hours with and without JavaScript. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { clockAt } from '../clock.ts'
import { makeProduct } from '../helper.ts'
import { accessibilityFaults, openBrowser, withoutBrowser } from './browser.ts'
import { makeDashboard } from './fixtures.ts'

t.test('all-day timeslots in a browser', { skip: withoutBrowser }, async (t) => {
  const environment = { SCHEDULE_HORIZON_DAYS: '40' }
  const dashboard = await makeDashboard(t, { ...clockAt('2030-06-01T08:00Z'), environment })
  const { app, sql, accountId, signIn, book } = dashboard
  const { email } = await signIn('staff')
  const { origin, enter, checkPages } = await openBrowser(t, app)
  const museum = await makeProduct(sql, accountId, { name: 'Museum' })
  const product = `/dashboard/catalogue/${museum.id}`
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const period = async (page: Page, number: number, opens: string, closes: string) => {
    await page.getByLabel(`Opens, period ${number}`).fill(opens)
    await page.getByLabel(`Closes, period ${number}`).fill(closes)
  }

  for (const [mode, javaScriptEnabled, month] of [
    ['with JavaScript', true, '06'],
    ['without JavaScript', false, '07'],
  ] as const)
    t.test(`a schedule of opening hours is made ${mode}`, async (t) => {
      const page = await enter(email, { javaScriptEnabled })
      await page.goto(`${origin}${product}/schedules/new`)
      t.notOk(await page.getByLabel('Opens, period 1').isVisible())
      await page.getByLabel('All day, while it is open').check()
      t.notOk(
        await page.getByLabel('Times', { exact: true }).isVisible(),
        'only the fields of the chosen kind are shown',
      )
      await page.getByLabel('First day').fill(`2030-${month}-03`)
      await page.getByLabel('Last day').fill(`2030-${month}-06`)
      for (const day of ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']) await page.getByLabel(day).check()
      await page.getByLabel('Places of each timeslot').fill('40')
      await press(page, 'Preview')
      t.match(
        await page.textContent('main'),
        /Opening hours\s+are needed: type when the product opens and closes/,
      )
      await period(page, 1, '09:00', '12:00')
      await period(page, 2, '13:30', '17:00')
      await press(page, 'Preview')
      await page.getByText('9:00–12:00 and 13:30–17:00').first().waitFor()
      await page.getByLabel('Opens, period 4').waitFor()
      if (javaScriptEnabled) t.same(await accessibilityFaults(page), [])
      await press(page, 'Save this schedule')
      t.match(await page.textContent('[role=status]'), /4\s+made/)
    })

  t.test('one day gets other hours, and a single evening is added', async (t) => {
    const page = await enter(email)
    await page.goto(`${origin}/dashboard/calendar?Date=2030-06-03`)
    await page.getByRole('link', { name: '9:00–12:00 and 13:30–17:00' }).first().click()
    await page.getByText('Change the opening hours').first().click()
    await period(page, 2, '13:30', '20:00')
    await press(page, 'Change the opening hours')
    t.match(await page.textContent('[role=status]'), 'The opening hours are changed.')
    t.match(await page.textContent('main'), '9:00–12:00 and 13:30–20:00')

    await page.goto(`${origin}/dashboard/calendar/timeslots/new?Date=2030-06-08`)
    await page.getByLabel('all day, while it is open').check()
    await period(page, 1, '19:00', '00:00')
    await page.getByLabel('Places in all').fill('60')
    await press(page, 'Make the timeslot')
    t.match(await page.textContent('main'), '19:00–0:00')
    const rows = await sql<{ closes: string }[]>`
      select to_char(closes_at at time zone 'Europe/Lisbon', 'YYYY-MM-DD HH24:MI') as closes
      from timeslots where date = '2030-06-08'`
    t.same(rows, [{ closes: '2030-06-09 00:00' }])
  })

  t.test('the pages are accessible, in light mode on a phone and in dark mode on a desktop', async (t) => {
    const { reference } = await book(museum.activityId, { Date: '2030-06-04', Time: '09:00' })
    const [ids] = await sql<{ slot: number; schedule: number }[]>`
      select id as slot, schedule_id as schedule from timeslots where date = '2030-06-04'`
    await checkPages(t, email, [
      product,
      `${product}/schedules/new`,
      `${product}/schedules/${ids!.schedule}`,
      '/dashboard/calendar?Date=2030-06-03',
      '/dashboard/calendar/timeslots/new',
      `/dashboard/calendar/timeslots/${ids!.slot}`,
      '/dashboard/today?Date=2030-06-04',
      `/dashboard/sell?ProductID=${museum.id}`,
      `/dashboard/bookings/${reference}`,
      `/dashboard/bookings/${reference}/move`,
    ])
  })
})
