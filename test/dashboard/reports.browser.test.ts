/**
 * Reports in a browser: narrow and wide, with and without JavaScript, and what a keyboard and a screen reader need.
 */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import t from 'tap'
import { dateIn } from '../../src/platform/text/calendar.ts'
import { makeProduct } from '../helper.ts'
import { settle } from '../reports/sales/fixtures.ts'
import { openBrowser, widthOf, withoutBrowser } from './browser.ts'
import { makeDashboard } from './fixtures.ts'

t.test('reports in a browser', { skip: withoutBrowser }, async (t) => {
  const { app, sql, accountId, signIn, call, book } = await makeDashboard(t)
  const { email } = await signIn('owner')
  const slots = { '2030-06-15 10:00': 10, '2030-06-20 10:00': 10 }
  const name = 'A kayak tour with a long name along the cliffs'
  const { activityId } = await makeProduct(sql, accountId, { name, slots })
  await book(activityId, { Participants: 1 })
  const [partner] = (await call('GET', '/partners')).data
  await call('PUT', `/partners/${partner.ID}/terms`, { Terms: [{ ProductID: null, Commission: '20' }] })
  const { reference } = await book(activityId, { Date: '2030-06-20', Participants: 3 })
  const place = { ActivityID: activityId, Date: '2030-06-20', Time: '10:00', Participants: 2 }
  const customer = { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' }
  const sell = async () =>
    (await call('POST', '/bookings', { ...place, Customer: customer, Payment: { Method: 'cash' } })).data
      .BookingReference as string
  const [cancelled, absent] = [await sell(), await sell()]
  const cancellation = { Reason: 'ill', Override: true, Refund: { Amount: '30.00' } }
  await call('POST', `/bookings/${cancelled}/cancel`, cancellation)
  await call('POST', `/bookings/${absent}/attendance`, { Attendance: 'no-show' })
  await settle(sql)
  const { origin, enter, checkPages } = await openBrowser(t, app)
  const june = 'From=2030-06-01&To=2030-06-30&Basis=travel'
  const today = dateIn('Europe/Lisbon', new Date())
  const reports = [
    `${june}&By=day&Group=product`,
    `${june}&By=week&Group=partner`,
    'From=2030-01-01&To=2030-12-31&By=month&Basis=travel&Group=channel',
    'From=2030-01-01&To=2031-12-31&By=season&Basis=travel&Group=unit',
    `From=${today}&To=${today}&Group=method`,
  ]

  t.test('the pages of reports are accessible, and fit their window', async (t) => {
    await checkPages(t, email, [
      ...reports.map((query) => `/dashboard/reports?${query}`),
      '/dashboard/reports?From=2030-06-20&To=2030-06-01',
      `/dashboard/reports/partners/${partner.ID}?Month=2030-06`,
      `/dashboard/reports/partners/${partner.ID}?Month=2030-07`,
    ])
  })

  t.test(
    'reports by day, week, month and season have a bar for each period, and fit a phone and a desktop',
    async (t) => {
      for (const [width, javaScriptEnabled] of [
        [375, true],
        [375, false],
        [1280, true],
      ] as const) {
        const page = await enter(email, { javaScriptEnabled, viewport: { width, height: 800 } })
        for (const [index, bars] of [30, 5, 12, 9, 1].entries()) {
          await page.goto(`${origin}/dashboard/reports?${reports[index]}`)
          t.equal(await page.locator('rect.bar').count(), bars, `a bar for each period: ${reports[index]}`)
          if (javaScriptEnabled) t.ok((await widthOf(page)) <= width, `${reports[index]} at ${width} pixels`)
        }
      }
    },
  )

  t.test('reports show what was cancelled, kept, refunded and owed, and explain the figures', async (t) => {
    const page = await enter(email, { viewport: { width: 375, height: 800 } })
    await page.goto(`${origin}/dashboard/reports?${june}`)
    const figures = await figuresOf(page)
    const link = page.getByRole('link', { name: 'Guests who did not come' })
    t.ok(
      (await link.boundingBox())!.height >= 44,
      'the link to the bookings with no-shows is high enough for a thumb',
    )
    t.match(figures, {
      Revenue: /^€270\.00/,
      Cancelled: /^€90\.00/,
      'Kept of cancelled, moved and changed bookings': /^€60\.00/,
      'Revenue and what is kept': /^€330\.00/,
      'Refunds decided': /^€30\.00/,
      'Paid back': /^€0\.00/,
      'Still to be paid back': /^€30\.00/,
      'Guests who did not come': /^2$/,
      'Owed by partners': /^€108\.00/,
      'Sold by partners without terms': /^€45\.00 The amount that they owe for these is not known/,
    })
    await page.getByText('The 30 days before: nothing').first().waitFor()
    await page.getByText('What the figures mean').click()
    await page.getByText('Sold, less cancelled').waitFor()
  })

  t.test('the filters, files and statements of reports work with and without JavaScript', async (t) => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await enter(email, { javaScriptEnabled, viewport: { width: 375, height: 800 } })
      await page.goto(`${origin}/dashboard/reports?${june}`)
      await page.getByRole('button', { name: 'Filters' }).click()
      await page.getByLabel('In steps of').selectOption('week')
      await page.getByLabel('Break down by').selectOption('partner')
      await page.locator('#filters').getByRole('button', { name: 'Show' }).click()
      t.equal(await page.locator('rect.bar').count(), 5, 'a bar for each week of June 2030')
      const months = await download(page, 'Commission and what partners owe, by month (CSV)')
      t.equal(months.name, 'partners-2030-06-2030-06.csv')
      t.match(months.text, /,Viator,2030-06,EUR,2,0,4,180\.00,27\.00,108\.00,45\.00\r\n/)
      await page.getByRole('link', { name: 'Viator' }).click()
      await page.getByRole('heading', { name: 'Statement: Viator' }).waitFor()
      const total = page.getByRole('table', { name: 'Total of the month' }).locator('tbody')
      t.match(await total.innerText(), /€180\.00[\s\S]*€27\.00[\s\S]*€108\.00[\s\S]*€45\.00/)
      const rows = page.getByRole('table', { name: 'Bookings through Viator' }).locator('tbody tr')
      t.match(
        await rows.first().innerText(),
        /Not known[\s\S]*Not known/,
        'the booking is older than the terms',
      )
      const statement = await download(page, 'Download (CSV)')
      t.equal(statement.name, 'statement-viator-2030-06.csv')
      t.match(statement.text, new RegExp(`${reference},confirmed,.*,EUR,135\\.00,27\\.00,108\\.00`))
      t.match(statement.text, /Total,,,,,,4,EUR,180\.00,27\.00,108\.00,,\r\n$/)
    }
  })

  t.test('reports by payment method and by unit have columns of their own', async (t) => {
    const page = await enter(email, { viewport: { width: 1280, height: 800 } })
    await page.goto(`${origin}/dashboard/reports?From=${today}&To=${today}&Group=method`)
    const heads = (name: string) =>
      page.getByRole('table', { name }).getByRole('columnheader').allInnerTexts()
    t.same((await heads('Payments by payment method')).slice(0, 6), [
      ...['Payment method', 'Payments', 'Paid', 'Refunds', 'Paid back', 'Paid less paid back'],
    ])
    await page.goto(`${origin}/dashboard/reports?${june}&Group=unit`)
    t.match(await heads('Sales by unit'), ['Unit', 'Units sold', 'Units cancelled'])
  })
})

/** Returns the figures that the page of a report shows, by their labels. */
async function figuresOf(page: Page): Promise<Record<string, string>> {
  const labels = page.locator('dl.facts dt, table.sums th[scope="row"]')
  const values = page.locator('dl.facts dd, table.sums th[scope="row"] + td')
  const plain = (text: string) =>
    text
      .replace(/^[−+=]\s+/, '')
      .replaceAll('\n', ' ')
      .trim()
  const [names, figures] = [await labels.allInnerTexts(), await values.allInnerTexts()]
  return Object.fromEntries(names.map((name, index) => [plain(name), plain(figures[index]!)]))
}

async function download(page: Page, link: string): Promise<{ name: string; text: string }> {
  const coming = page.waitForEvent('download')
  await page.getByRole('link', { name: link }).click()
  const file = await coming
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}
