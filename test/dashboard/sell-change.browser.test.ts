/**
 * A sale is corrected by going back or by “Change”, on a phone and on a desktop, with and without JavaScript:
 * places are held once.
 */
import t from 'tap'
import { makeProduct } from '../helper.ts'
import { openBrowser, withoutBrowser } from './browser.ts'
import { makeDashboard } from './fixtures.ts'

const day = '2030-06-15'

t.test('a sale that is corrected', { skip: withoutBrowser }, async (t) => {
  const { app, sql, accountId, signIn, call } = await makeDashboard(t)
  const slots = { [`${day} 10:00`]: 4, [`${day} 12:00`]: 40 }
  const kayak = await makeProduct(sql, accountId, { name: 'Kayak tour', slots })
  await makeProduct(sql, accountId, { name: 'Canoe rental', slots })
  const { email } = await signIn('staff')
  const { origin, enter, checkPages } = await openBrowser(t, app)
  const settings = [375, 1280].flatMap((width) =>
    [true, false].map((javaScriptEnabled) => ({ javaScriptEnabled, viewport: { width, height: 800 } })),
  )
  const held = async () =>
    (await call('GET', '/timeslots')).data.reduce((sum: number, { Held }: { Held: number }) => sum + Held, 0)
  const newest = async () => (await call('GET', '/baskets?Status=open&Limit=1')).data[0]

  for (const setting of settings) {
    const { javaScriptEnabled, viewport } = setting
    const script = javaScriptEnabled ? 'with JavaScript' : 'without JavaScript'
    t.test(`holds its places once, ${script}, ${viewport.width} px`, async (t) => {
      const page = await enter(email, setting)
      await page.goto(`${origin}/dashboard/sell`)
      if (javaScriptEnabled) await page.getByLabel('Product').selectOption({ label: 'Kayak tour' })
      else await page.goto(`${origin}/dashboard/sell?ProductID=${kayak.id}&From=${day}`)
      await page.getByLabel('From').fill(day)
      if (!javaScriptEnabled) await page.getByRole('button', { name: 'Show', exact: true }).click()
      await page.getByLabel(/10:00/).check()
      await page.getByLabel('How many').fill('3')
      await page.getByRole('button', { name: 'Hold the places' }).click()
      await page.getByLabel('First name').fill('Ada')
      t.equal(await held(), 3)
      await page.goBack()
      await page.getByRole('heading', { name: 'Change what is held' }).waitFor()
      t.equal(await page.getByLabel('How many').inputValue(), '3')
      t.equal(await page.getByLabel(/10:00/).isChecked(), true)
      await page.getByLabel('How many').fill('4')
      await page.getByRole('button', { name: 'Save the change' }).click()
      await page.getByText('The change is saved').waitFor()
      t.equal(await held(), 4, 'all places of the timeslot, although three of them were held')
      const phone = viewport.width < 640
      if (phone) await page.locator('#what-is-held > summary').click()
      await page.getByLabel('First name').fill('Grace')
      await page.getByRole('button', { name: /^Change Kayak tour/ }).click()
      await page.getByLabel(/12:00/).check()
      await page.getByLabel('How many').fill('2')
      await page.getByRole('button', { name: 'Save the change' }).click()
      await page.getByText('The change is saved').waitFor()
      t.equal(await page.getByLabel('First name').inputValue(), 'Grace', 'what was typed is kept')
      t.equal(await held(), 2)
      const { BasketID, Lines } = await newest()
      t.match(Lines, [{ Time: '12:00', Participants: 2 }])
      await page.goto(`${origin}/dashboard/sell/${BasketID}/pay?Nameless=true`)
      await page.getByRole('button', { name: /^Take €/ }).click()
      await page.getByText(/^Paid:/).waitFor()
      t.equal(await held(), 0)
      await page.context().close()
    })
  }

  t.test(
    'a choice in a second tab opens the form to change the places that the first tab holds',
    async (t) => {
      const page = await enter(email, {})
      await page.goto(`${origin}/dashboard/sell?ProductID=${kayak.id}&From=${day}`)
      const second = await page.context().newPage()
      await second.goto(page.url())
      await page.getByLabel(/12:00/).check()
      await page.getByLabel('How many').fill('2')
      await page.getByRole('button', { name: 'Hold the places' }).click()
      await page.getByLabel('First name').waitFor()
      const before = await held()
      await second.getByLabel('How many').fill('3')
      await second.getByLabel('From').fill('2030-06-14')
      await second.getByRole('heading', { name: 'Change what is held' }).waitFor()
      await second.getByText(/^Nothing more is held/).waitFor()
      t.match(new URL(second.url()).pathname, /\/change$/)
      t.equal(await second.getByLabel('From').inputValue(), '2030-06-14', 'the new choice is filled in')
      t.equal(await second.getByLabel('How many').inputValue(), '3')
      t.equal(await held(), before)
      await page.context().close()
    },
  )

  t.test('the pages of a sale and of a change of it are accessible, and fit their window', async (t) => {
    const line = { ActivityID: kayak.activityId, Date: day, Time: '10:00', Participants: 1 }
    const { data } = await call('POST', '/baskets', {
      Channel: 'pos',
      Lines: [line, { ...line, Time: '12:00' }],
    })
    const path = `/dashboard/sell/${data.BasketID}`
    const change = `${path}/lines/${data.Lines[0].BookingReference}/change`
    await checkPages(t, email, [change, path, `${path}/add`, `${path}/pay?Nameless=true`])
  })
})
