import t from 'tap'
import { dateIn } from '../../src/platform/text/calendar.ts'
import { makeProduct } from '../helper.ts'
import { keepPumping } from '../pump.ts'
import { openBrowser, withoutBrowser } from './browser.ts'
import { makeDashboard } from './fixtures.ts'

t.test('the day and the list in a browser', { skip: withoutBrowser }, async (t) => {
  const { app, sql, accountId, signIn, book, call } = await makeDashboard(t)
  keepPumping(t, sql)
  const date = '2030-06-15'
  const { id: productId, activityId } = await makeProduct(sql, accountId, {
    name: 'Dolphin watching with a marine biologist on board',
    slots: { [`${date} 10:00`]: 24, '2030-06-16 10:00': 8 },
  })
  await sql`
    insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
    values (${accountId}, ${productId}, 1, 'Can they swim?', 'select', true, '{Yes,No}', 'participant')`
  const { email } = await signIn()
  const { origin, enter, checkPages } = await openBrowser(t, app)
  const before = dateIn('Europe/Lisbon', new Date())
  const day = await enter(email)
  t.equal(new URL(day.url()).pathname, '/dashboard/today', 'signing in leads to the day')
  const today = [before, dateIn('Europe/Lisbon', new Date())]
  t.ok(today.includes(await day.inputValue('#field-Date')))

  t.test('a partner’s booking appears in the list and on the day without a reload', async (t) => {
    const list = await day.context().newPage()
    await list.goto(`${origin}/dashboard/bookings`)
    await day.goto(`${origin}/dashboard/today?Date=${date}`)
    // Only the page in the foreground is updated.
    const { reference } = await book(activityId)
    await day.bringToFront()
    await day.locator(`#party-${reference}`).waitFor()
    await day.getByText(/^Updated at/).waitFor()
    await list.bringToFront()
    await list.getByRole('link', { name: reference }).waitFor()
    t.match(await list.textContent('#bookings'), 'Viator')
    await list.close()
  })

  t.test('a party is checked in by the keyboard, and an update of the page keeps the focus', async (t) => {
    const { reference } = await book(activityId, {
      Customer: { FirstName: 'Grace', LastName: 'Hopper', Email: 'g@example.com' },
    })
    await day.bringToFront()
    await day.locator(`#early-${reference}`).getByText('Check in before the day').click()
    const button = day.getByRole('button', { name: 'All here Grace Hopper' })
    await button.focus()
    const { reference: another } = await book(activityId)
    await day.locator(`#party-${another}`).waitFor()
    t.equal(await day.evaluate('document.activeElement.textContent'), 'All here Grace Hopper')
    await day.keyboard.press('Enter')
    await day.getByText('The party is checked in.').waitFor()
    t.equal((await call('GET', `/bookings/${reference}`)).data.Attendance, 'checked-in')
  })

  t.test(
    'people of a party who did not come are marked on a phone and on a desktop, without JavaScript too',
    async (t) => {
      const { reference } = await book(activityId, {
        ...{ Participants: 4, Customer: { FirstName: 'Rosa', LastName: 'Luz', Email: 'r@example.com' } },
      })
      const { TimeslotID } = (await call('GET', `/bookings/${reference}`)).data
      const pages = [`/dashboard/today?Date=${date}`, `/dashboard/today/manifest/${TimeslotID}`]
      pages.push(`/dashboard/bookings/${reference}`)
      const here = { Attendance: 'checked-in', PeopleHere: 3 }
      for (const [width, javaScriptEnabled] of [
        [375, true],
        [375, false],
        [1280, true],
        [1280, false],
      ] as const) {
        const page = await enter(email, { javaScriptEnabled, viewport: { width, height: 800 } })
        for (const path of pages) {
          await call('POST', `/bookings/${reference}/attendance`, { Attendance: null })
          await call('POST', `/bookings/${reference}/attendance`, here)
          await page.goto(origin + path)
          const button = page.getByRole('button', { name: /^1 did not come/ })
          if (width === 375) t.ok((await button.boundingBox())!.height >= 44)
          await button.click()
          await page.getByText('The rest of the party is marked as a no-show.').waitFor()
          t.match((await call('GET', `/bookings/${reference}`)).data, { PeopleHere: 3, PeopleAbsent: 1 })
          await page.getByText('1 no-show', { exact: true }).waitFor()
          await page.getByRole('button', { name: /^Undo no-show/ }).click()
          await page.getByText('The no-shows of the party are undone.').waitFor()
          t.match((await call('GET', `/bookings/${reference}`)).data, { PeopleHere: 3, PeopleAbsent: 0 })
        }
        await page.context().close()
      }
    },
  )

  t.test('a no-show that another user marks appears on the day without a reload', async (t) => {
    const { reference } = await book(activityId, { Participants: 4 })
    await call('POST', `/bookings/${reference}/attendance`, { Attendance: 'checked-in', PeopleHere: 3 })
    await day.bringToFront()
    await day.goto(`${origin}/dashboard/today?Date=${date}`)
    const party = day.locator(`#party-${reference}`)
    await party.getByText('3 of 4 here').waitFor()
    const rest = { Attendance: 'checked-in', PeopleHere: 3, PeopleAbsent: 1 }
    await call('POST', `/bookings/${reference}/attendance`, rest)
    await party.getByText('1 no-show').waitFor()
    t.equal(await party.getByRole('button', { name: /did not come/ }).count(), 0, 'nobody is left to mark')
  })

  t.test('without network, a check-in is not sent, and the page stays and says so', async (t) => {
    const { reference } = await book(activityId, {
      Customer: { FirstName: 'Mary', LastName: 'Somerville', Email: 'm@example.com' },
    })
    await day.goto(`${origin}/dashboard/bookings/${reference}`)
    await day.locator(`#early-${reference}`).getByText('Check in before the day').click()
    await day.context().setOffline(true)
    const button = day.getByRole('button', { name: 'All here Mary Somerville' })
    await button.click()
    await day.getByText('There is no network. Nothing was sent').waitFor()
    t.equal((await call('GET', `/bookings/${reference}`)).data.Attendance, null)
    await day.context().setOffline(false)
    await button.click()
    await day.getByText('The party is checked in.').waitFor()
  })

  t.test('an update of the page keeps what the user is typing', async (t) => {
    await day.goto(`${origin}/dashboard/today?Date=${date}`)
    const reference = /party-(\w+)/.exec((await day.content())!)![1]!
    await day.goto(`${origin}/dashboard/bookings/${reference}`)
    await day.locator('summary', { hasText: 'Change the party' }).click()
    await day.getByLabel('Party').fill('3')
    await call('POST', `/bookings/${reference}/attendance`, { Attendance: 'no-show' })
    await day.locator('#booking').getByText('No-show').waitFor()
    t.equal(await day.getByLabel('Party').inputValue(), '3')
  })

  t.test('on a phone, links are high enough to tap, and the figures of the day are one row', async (t) => {
    await book(activityId)
    const phone = await enter(email, { viewport: { width: 375, height: 800 } })
    await phone.goto(`${origin}/dashboard/today?Date=${date}`)
    const small = await phone.$$eval('.moment .slot-links a, .moment .who a', (links) =>
      links.filter((link) => link.getBoundingClientRect().height < 44).map(({ textContent }) => textContent),
    )
    t.same(small, [])
    const overlapping = await phone.$$eval('.moment .slot', (slots) =>
      slots.flatMap((slot) => {
        const targets = [...slot.querySelectorAll('a, button, summary')].filter((one) =>
          one.checkVisibility(),
        )
        const boxes = targets.map((one) => one.getBoundingClientRect())
        return targets
          .filter((_, index) =>
            boxes.slice(0, index).some((box) => {
              const { left, right, top, bottom } = boxes[index]!
              return (
                left + 1 < box.right && box.left + 1 < right && top + 1 < box.bottom && box.top + 1 < bottom
              )
            }),
          )
          .map(({ textContent }) => textContent)
      }),
    )
    t.same(overlapping, [], 'no link or button overlaps another one')
    const tops = await phone.$$eval('.figures dt', (names) =>
      names.map((name) => name.getBoundingClientRect().top),
    )
    t.equal(new Set(tops).size, 1, 'all figures are in one row')
  })

  t.test('the list of bookings is not scrolled sideways in windows of 640 to 1280 pixels', async (t) => {
    await book(activityId, { PaymentReference: 'OTA-1-1001' })
    for (const width of [640, 768, 1024, 1280]) {
      const page = await enter(email, { viewport: { width, height: 800 } })
      await page.goto(`${origin}/dashboard/bookings`)
      const hidden = await page.$eval('#bookings .scroller', (box) => box.scrollWidth - box.clientWidth)
      t.equal(hidden, 0, `nothing is scrolled to at ${width} pixels`)
    }
  })

  t.test(
    'the pages of the day and of bookings are accessible, in light mode on a phone and in dark mode on a desktop',
    async (t) => {
      const { reference } = await book(activityId)
      await checkPages(t, email, [
        `/dashboard/today?Date=${date}`,
        `/dashboard/today/manifest/${(await call('GET', `/bookings/${reference}`)).data.TimeslotID}`,
        '/dashboard/bookings',
        `/dashboard/bookings/${reference}`,
        `/dashboard/bookings/${reference}/move?From=${date}`,
        `/dashboard/bookings/${reference}/customer`,
      ])
    },
  )
})
