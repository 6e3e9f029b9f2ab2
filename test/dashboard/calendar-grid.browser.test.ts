/**
 * The calendar as a grid of days and hours in a real browser: where timeslots are placed, how a timeslot is
 * dragged, and the keyboard.
 */
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { makeProduct } from '../helper.ts'
import { accessibilityFaults, openBrowser, widthOf, withoutBrowser } from './browser.ts'
import { makeDashboard } from './fixtures.ts'

const week = '/dashboard/calendar?View=week&Date=2030-06-15'

/**
 * Saturday has three timeslots of 90 minutes: two that overlap, and a booked one at 14:00. Sunday has one
 * timeslot.
 */
async function prepare(t: Test) {
  const dashboard = await makeDashboard(t)
  const { app, sql, accountId, signIn, book } = dashboard
  const kayak = await makeProduct(sql, accountId, {
    slots: { '2030-06-15 10:00': 8, '2030-06-15 14:00': 8, '2030-06-16 10:00': 6 },
  })
  await makeProduct(sql, accountId, { name: 'Surf lesson', slots: { '2030-06-15 10:30': 4 } })
  await book(kayak.activityId, { Time: '14:00', Participants: 3 })
  const { email } = await signIn('staff')
  return { ...dashboard, ...(await openBrowser(t, app)), email }
}

const slotAt = (page: Page, day: string, text: string) => page.locator(`#day-${day} .slot`, { hasText: text })

/** Drags a timeslot so that it begins this many minutes after midnight of a day. */
async function drag(page: Page, from: ReturnType<typeof slotAt>, day: string, minutes: number) {
  const timed = page.locator(`#day-${day} .timed`)
  const { height } = (await timed.boundingBox())!
  const [first, last] = await timed.evaluate((one) => [one.dataset.first, one.dataset.last].map(Number))
  const y = ((minutes - first! * 60) / ((last! - first!) * 60)) * height
  await from.dragTo(timed, { sourcePosition: { x: 10, y: 5 }, targetPosition: { x: 15, y: y + 5 } })
}

t.test('the calendar as a grid', { skip: withoutBrowser }, async (t) => {
  const { origin, enter, email, checkPages, sql, accountId } = await prepare(t)
  const desktop = { viewport: { width: 1280, height: 900 } }

  t.test(
    'shows timeslots at their hours, side by side where they overlap, without JavaScript too',
    async (t) => {
      for (const javaScriptEnabled of [true, false]) {
        const page = await enter(email, { ...desktop, javaScriptEnabled })
        await page.goto(origin + week)
        const boxOf = async (day: string, text: string) => (await slotAt(page, day, text).boundingBox())!
        const [kayak, surf, late, sunday] = [
          await boxOf('2030-06-15', '10:00'),
          await boxOf('2030-06-15', '10:30'),
          await boxOf('2030-06-15', '14:00'),
          await boxOf('2030-06-16', '10:00'),
        ]
        t.equal(Math.round(surf.y - kayak.y), 30, 'half an hour')
        t.equal(Math.round(late.y - kayak.y), 240, 'four hours')
        t.equal(Math.round(kayak.height), 89, 'an hour and a half')
        t.ok(kayak.x + kayak.width <= surf.x, 'side by side')
        t.ok(late.width > 1.8 * kayak.width, 'a timeslot alone is as wide as its day')
        t.equal(sunday.y, kayak.y, 'on the same axis')
        t.match(await slotAt(page, '2030-06-15', '14:00').innerText(), '3 of 8')
      }
    },
  )

  t.test('a timeslot is dragged to another day and time, and a page asks to confirm the move', async (t) => {
    const page = await enter(email, desktop)
    await page.goto(origin + week)
    await drag(page, slotAt(page, '2030-06-16', '10:00'), '2030-06-14', 12 * 60 + 30)
    await page.getByRole('heading', { name: /^Move Kayak/ }).waitFor()
    t.equal(await page.getByLabel('Date').inputValue(), '2030-06-14')
    t.equal(await page.getByLabel('Time').inputValue(), '12:30')
    t.match(await page.locator('main').innerText(), 'Nobody has booked it, so no e-mail is sent.')
    t.same(await accessibilityFaults(page), [])
    t.same(await sql`select from timeslots where date = '2030-06-14'`, [], 'nothing is done yet')
    await page.getByRole('button', { name: 'Move the timeslot' }).click()
    await page.getByText('The timeslot is moved.').waitFor()
    t.equal(await page.locator('h1').innerText(), 'Kayak')
    t.match(await page.locator('.title').innerText(), 'Fri, 14 Jun 2030, 12:30')
    await page.goto(origin + week)
    t.equal(await page.locator('#day-2030-06-14 .slot').count(), 1)
    t.equal(await page.locator('#day-2030-06-16 .slot').count(), 0)
  })

  t.test(
    'a booked timeslot is not moved: the page links to the form of a new timeslot, and to a closure that moves the bookings',
    async (t) => {
      const page = await enter(email, desktop)
      await page.goto(origin + week)
      await drag(page, slotAt(page, '2030-06-15', '14:00'), '2030-06-16', 11 * 60)
      await page.getByText('3 booked, 0 held, 0 waiting').waitFor()
      t.equal(await page.getByRole('button', { name: 'Move the timeslot' }).count(), 0)
      t.same(await accessibilityFaults(page), [])
      const move = page.url()
      await page.getByRole('link', { name: 'Make a timeslot on Sun, 16 Jun 2030, 11:00' }).click()
      await page.getByRole('button', { name: 'Make the timeslot' }).click()
      await page.getByText('The timeslot is made.').waitFor()
      await page.goto(move)
      await page.getByRole('link', { name: 'Close this one and move its bookings' }).click()
      t.ok(await page.getByLabel('Move them').isChecked())
      await page.getByRole('button', { name: 'Show what will happen' }).click()
      await page.locator('summary', { hasText: 'Bookings' }).click()
      t.match(
        await page.getByRole('region', { name: 'Bookings on these timeslots' }).innerText(),
        /Sun, 16 Jun 2030, 11:00/,
      )
    },
  )

  t.test(
    'a timeslot is moved by the keyboard on a desktop and on a phone, on the phone without JavaScript too',
    async (t) => {
      for (const [index, settings] of [
        { ...desktop, javaScriptEnabled: true },
        { viewport: { width: 375, height: 800 }, javaScriptEnabled: true },
        { viewport: { width: 375, height: 800 }, javaScriptEnabled: false },
      ].entries()) {
        const page = await enter(email, settings)
        await page.goto(origin + week)
        await page.getByRole('link', { name: /^10:30 Surf lesson$|^\d+:15 Surf lesson$/ }).focus()
        await page.keyboard.press('Enter')
        await page.getByRole('link', { name: 'Move…' }).focus()
        await page.keyboard.press('Enter')
        await page.getByLabel('Time').fill(`1${index + 1}:15`)
        await page.getByRole('button', { name: 'Move the timeslot' }).focus()
        await page.keyboard.press('Enter')
        await page.getByText('The timeslot is moved.').waitFor()
        if (settings.javaScriptEnabled) t.ok((await widthOf(page)) <= settings.viewport.width)
      }
      const [surf] = await sql`
      select time from timeslots join products on products.id = product_id where name = 'Surf lesson'`
      t.same(surf, { time: '13:15' })
    },
  )

  t.test('arrow keys move the focus from a timeslot to the next one, and to the next day', async (t) => {
    const page = await enter(email, desktop)
    await page.goto(origin + week)
    const focused = () =>
      page.evaluate<string>('document.activeElement.closest("section").id + document.activeElement.innerText')
    await page.locator('#day-2030-06-14 .slot > a').first().focus()
    await page.keyboard.press('ArrowRight')
    t.match(await focused(), 'day-2030-06-15')
    const before = await focused()
    await page.keyboard.press('ArrowDown')
    t.match(await focused(), 'day-2030-06-15')
    t.not(await focused(), before)
    await page.keyboard.press('ArrowUp')
    t.equal(await focused(), before)
    await page.keyboard.press('ArrowLeft')
    t.match(await focused(), 'day-2030-06-14')
  })

  t.test('a phone shows one day of the week, and links to the other days', async (t) => {
    const page = await enter(email, { viewport: { width: 375, height: 800 } })
    await page.goto(origin + week)
    t.ok(await page.locator('#day-2030-06-15').isVisible())
    t.notOk(await page.locator('#day-2030-06-14').isVisible())
    await page
      .getByRole('navigation', { name: 'Days of this week' })
      .getByRole('link', { name: 'Fri 14' })
      .click()
    await page.waitForURL(/Date=2030-06-14/)
    t.ok(await page.locator('#day-2030-06-14').isVisible())
    t.match(await page.locator('#day-2030-06-14').innerText(), '12:30')
  })

  t.test(
    'a week with many timeslots at the same time shows one on each line, and a link to the day for those that do not fit',
    async (t) => {
      const days = Array.from({ length: 7 }, (_, day) => `2030-07-0${day + 1} 10:00`)
      const names = ['Cave tour', 'Dive', 'Fishing', 'Gorge walk', 'Heron watch', 'Island trip']
      for (const name of names)
        await makeProduct(sql, accountId, { name, slots: Object.fromEntries(days.map((day) => [day, 8])) })
      for (let index = 0; index < 6; index++)
        await makeProduct(sql, accountId, { name: `Walk ${index}`, slots: { '2030-07-04 10:00': 8 } })
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await enter(email, { ...desktop, colorScheme })
        await page.goto(`${origin}/dashboard/calendar?View=week&Date=2030-07-03`)
        const [width, visibleWidth] = await page
          .locator('.time-grid')
          .evaluate((grid) => [grid.scrollWidth, grid.clientWidth])
        t.equal(width, visibleWidth, 'nothing is scrolled sideways')
        const lines = page.locator('#day-2030-07-03 .slot:visible')
        t.equal(await lines.count(), 6)
        const [line, occupancy] = [lines.first(), lines.first().locator('.state')]
        const [outer, inner] = [(await line.boundingBox())!, (await occupancy.boundingBox())!]
        t.ok(inner.x + inner.width <= outer.x + outer.width, 'the occupancy is within its line')
        t.same(await accessibilityFaults(page), [], colorScheme)
        await page.getByRole('link', { name: '+5 more timeslots on Thu 4 Jul' }).click()
        await page.waitForURL(/View=day/)
        t.equal(await page.locator('#day-2030-07-04 .slot:visible').count(), 12)
      }
      const phone = await enter(email, { viewport: { width: 375, height: 800 } })
      await phone.goto(`${origin}/dashboard/calendar?View=week&Date=2030-07-03`)
      t.equal(await phone.locator('#day-2030-07-03 .slot:visible').count(), 6, 'a phone lists all timeslots')
      t.equal(await phone.getByRole('link', { name: /more timeslots/ }).count(), 0)
    },
  )

  t.test('a day without timeslots is narrower than a day with timeslots', async (t) => {
    const page = await enter(email, desktop)
    await page.goto(origin + week)
    const widthOfDay = async (day: string) => (await page.locator(`#day-${day}`).boundingBox())!.width
    t.ok((await widthOfDay('2030-06-12')) < (await widthOfDay('2030-06-15')))
  })

  t.test(
    'on a phone, one button opens the links to make and close timeslots, with and without JavaScript',
    async (t) => {
      for (const javaScriptEnabled of [true, false]) {
        const page = await enter(email, { viewport: { width: 320, height: 800 }, javaScriptEnabled })
        await page.goto(origin + week)
        t.notOk(await page.getByRole('link', { name: 'Weather closure' }).isVisible())
        await page.getByRole('button', { name: 'More' }).click()
        await page.getByRole('link', { name: 'Weather closure' }).click()
        await page.waitForURL(/closures/)
        t.ok(await page.getByText('Refund for cancelled bookings').isVisible())
        t.notOk(await page.getByLabel('Move to the day').isVisible())
        await page.getByText('Move them').click()
        t.ok(await page.getByLabel('Move to the day').isVisible())
        t.notOk(await page.getByText('Refund for cancelled bookings').isVisible())
      }
    },
  )

  t.test(
    'every view is accessible and no wider than its window, in light mode on a phone and in dark mode on a desktop',
    async (t) => {
      const [slot] = await sql<
        { id: number }[]
      >`select id from timeslots where booked = 0 and status = 'open' limit 1`
      await checkPages(t, email, [
        week,
        '/dashboard/calendar?View=day&Date=2030-06-15',
        '/dashboard/calendar?View=month&Date=2030-06-15',
        '/dashboard/calendar?View=week&Date=2030-01-01',
        `/dashboard/calendar/timeslots/${slot!.id}/move`,
      ])
    },
  )
})
