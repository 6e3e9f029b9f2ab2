/** Reports in a browser: narrow and wide, with what a keyboard and a screen reader need. */
import t from 'tap'
import { makeProduct } from '../helper.ts'
import { settle } from '../reports/sales/fixtures.ts'
import { openBrowser, withoutBrowser } from './browser.ts'
import { makeDashboard } from './fixtures.ts'

t.test('reports in a browser', { skip: withoutBrowser }, async (t) => {
  const { app, sql, accountId, signIn, call, book } = await makeDashboard(t)
  const { email } = await signIn('owner')
  const slots = { '2030-06-15 10:00': 10, '2030-06-20 10:00': 10 }
  const name = 'A kayak tour with a long name along the cliffs'
  const { activityId } = await makeProduct(sql, accountId, { name, slots })
  await book(activityId)
  const [partner] = (await call('GET', '/partners')).data
  await call('PUT', `/partners/${partner.ID}/terms`, { Terms: [{ ProductID: null, Commission: '20' }] })
  await book(activityId, { Date: '2030-06-20', Participants: 3 })
  await settle(sql)
  const { origin, enter, checkPages } = await openBrowser(t, app)
  const june = 'From=2030-06-01&To=2030-06-30&Basis=travel'

  t.test('are accessible and no wider than a phone', async (t) => {
    await checkPages(t, email, [
      `/dashboard/reports?${june}&Group=partner`,
      `/dashboard/reports?${june}&Group=method&By=week`,
      '/dashboard/reports?From=2030-06-20&To=2030-06-01',
      `/dashboard/reports/partners/${partner.ID}?Month=2030-06`,
    ])
  })

  t.test('are chosen by a form, without script too', async (t) => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await enter(email, { javaScriptEnabled, viewport: { width: 375, height: 800 } })
      await page.goto(`${origin}/dashboard/reports?${june}`)
      await page.getByLabel('In steps of').selectOption('week')
      await page.getByLabel('Break down by').selectOption('partner')
      await page.getByRole('button', { name: 'Show' }).click()
      t.equal(await page.locator('rect').count(), 5, 'a bar for each week of June 2030')
      await page.getByRole('link', { name: 'Viator' }).click()
      await page.getByRole('heading', { name: 'Statement: Viator' }).waitFor()
    }
  })
})
