/** Charts in a browser: what the pointer and the keyboard show of each column. */
import t from 'tap'
import { makeProduct } from '../helper.ts'
import { settle } from '../reports/sales/fixtures.ts'
import { accessibilityFaults, openBrowser, withoutBrowser } from './browser.ts'
import { makeDashboard } from './fixtures.ts'

t.test('a chart of revenue in a browser', { skip: withoutBrowser }, async (t) => {
  const { app, sql, accountId, signIn, book } = await makeDashboard(t)
  const { email } = await signIn('owner')
  const slots = { '2030-06-12 10:00': 10, '2030-06-19 10:00': 10, '2030-06-20 10:00': 10 }
  const { activityId } = await makeProduct(sql, accountId, { slots })
  await book(activityId, { Date: '2030-06-12', Participants: 4 })
  await book(activityId, { Date: '2030-06-19', Participants: 2 })
  await book(activityId, { Date: '2030-06-20', Participants: 3 })
  await settle(sql)
  const { origin, enter } = await openBrowser(t, app)
  const reports = `${origin}/dashboard/reports?From=2030-06-17&To=2030-06-23&Basis=travel`

  t.test(
    'has an axis of amounts, an axis of days, and a mark at the revenue of the same day a week before',
    async (t) => {
      const page = await enter(email, { javaScriptEnabled: false })
      await page.goto(reports)
      t.same(await page.locator('.chart .scale li').allInnerTexts(), ['€200', '€150', '€100', '€50', '€0'])
      t.same((await page.locator('.chart .names text').allTextContents())[0], '17 Jun')
      t.equal(await page.locator('.chart rect.bar').count(), 7)
      const marks = page.locator('.chart line.before')
      t.equal(await marks.count(), 1, 'only the Wednesday before has revenue to compare with')
      t.equal(await marks.getAttribute('y1'), '10%', '€180 of €200')
      const titles = await page.locator('.chart title').allTextContents()
      t.equal(titles[2], 'Wed, 19 Jun 2030: €90.00. Wed, 12 Jun 2030: €180.00')
    },
  )

  t.test('shows the figures of the column that the pointer or the keyboard selects', async (t) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await enter(email, { colorScheme })
      await page.goto(reports)
      const chart = page.locator('.chart svg.columns')
      const { width, height } = (await chart.boundingBox())!
      await chart.hover({ position: { x: width * (3.5 / 7), y: height / 2 } })
      const tip = page.locator('.chart .tip')
      t.match(await tip.innerText(), 'Thu, 20 Jun 2030: €135.00')
      await page.mouse.move(0, 0)
      t.notOk(await tip.isVisible())
      await chart.focus()
      await page.keyboard.press('Home')
      t.match(await tip.innerText(), 'Mon, 17 Jun 2030: €0.00')
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowRight')
      t.match(await tip.innerText(), 'Wed, 19 Jun 2030: €90.00')
      t.same(await accessibilityFaults(page), [])
      await page.keyboard.press('Escape')
      t.notOk(await tip.isVisible())
    }
  })
})
