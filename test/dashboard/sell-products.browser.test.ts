/** Sales of several products, and the search, on a phone and on a desktop, with and without JavaScript. */
import t from 'tap'
import { makeProduct } from '../helper.ts'
import { keepPumping, pumpEvents } from '../pump.ts'
import { openBrowser, withoutBrowser } from './browser.ts'
import { makeDashboard } from './fixtures.ts'

const day = '2030-06-15'
const widths = [375, 1280]

t.test('a sale of several products', { skip: withoutBrowser }, async (t) => {
  const { app, sql, accountId, signIn, call } = await makeDashboard(t)
  keepPumping(t, sql)
  const slots = { [`${day} 10:00`]: 40, [`${day} 12:00`]: 40 }
  const kayak = await makeProduct(sql, accountId, { name: 'Kayak tour', slots })
  const canoe = await makeProduct(sql, accountId, { name: 'Canoe rental', slots })
  const { email } = await signIn('staff')
  const { origin, enter, checkPages } = await openBrowser(t, app)
  const sell = `${origin}/dashboard/sell?ProductID=${kayak.id}&From=${day}`
  const settings = widths.flatMap((width) =>
    [true, false].map((javaScriptEnabled) => ({ javaScriptEnabled, viewport: { width, height: 800 } })),
  )
  const newest = async () => (await call('GET', '/baskets?Status=open&Limit=1')).data[0]

  t.test('choosing another product shows its timeslots at once', async (t) => {
    for (const width of widths) {
      const page = await enter(email, { viewport: { width, height: 800 } })
      await page.goto(sell)
      await page.getByLabel('Product').selectOption({ label: 'Canoe rental' })
      await page.getByRole('group', { name: 'Timeslot of Canoe rental' }).waitFor()
      t.match(page.url(), `ProductID=${canoe.id}`)
      await page.getByLabel(/12:00/).check()
      await page.getByRole('button', { name: 'Hold the places' }).click()
      await page.getByText(/nobody else gets these places/).waitFor({ state: 'attached' })
      t.same(
        (await newest()).Lines.map(({ ProductName }: { ProductName: string }) => ProductName),
        ['Canoe rental'],
      )
    }
  })

  t.test('without JavaScript, the product that was shown is not sold if another is selected', async (t) => {
    for (const width of widths) {
      const before = (await newest()).BasketID
      const page = await enter(email, { javaScriptEnabled: false, viewport: { width, height: 800 } })
      await page.goto(sell)
      await page.getByLabel('Product').selectOption({ label: 'Canoe rental' })
      await page.getByLabel(/12:00/).check()
      await page.getByRole('button', { name: 'Hold the places' }).click()
      await page.getByText('Nothing is held yet').waitFor()
      await page.getByRole('group', { name: 'Timeslot of Canoe rental' }).waitFor()
      t.equal((await newest()).BasketID, before)
      await page.getByLabel('Product').selectOption({ label: 'Kayak tour' })
      await page.getByRole('button', { name: 'Show' }).click()
      await page.getByRole('group', { name: 'Timeslot of Kayak tour' }).waitFor()
    }
  })

  t.test('the enter key presses “Hold the places”, and not “Show”', async (t) => {
    for (const viewport of settings) {
      const page = await enter(email, viewport)
      await page.goto(sell)
      await page.getByLabel(/12:00/).check()
      await page.getByLabel('How many').press('Enter')
      await page.getByText(/nobody else gets these places/).waitFor({ state: 'attached' })
    }
    t.pass('with and without JavaScript')
  })

  t.test('“Sell” beside a timeslot chooses that timeslot', async (t) => {
    for (const viewport of settings) {
      const page = await enter(email, viewport)
      await page.goto(`${origin}/dashboard/today?Date=${day}`)
      // Timeslots without bookings are folded.
      for (const fold of await page.locator('details.folded > summary').all()) await fold.click()
      await page.getByRole('link', { name: /^Sell 12:00 Canoe rental/ }).click()
      await page.getByRole('group', { name: 'Timeslot of Canoe rental' }).waitFor()
      t.ok(await page.getByLabel(/12:00/).isChecked())
    }
  })

  t.test('a sale keeps its customer when a second product is added', async (t) => {
    for (const viewport of settings) {
      const page = await enter(email, viewport)
      await page.goto(sell)
      await page.getByLabel(/10:00/).check()
      await page.getByRole('button', { name: 'Hold the places' }).click()
      await page.getByLabel('First name').fill('Grace')
      await page.getByRole('button', { name: 'Add another product' }).click()
      await page.getByRole('heading', { name: 'Already in this sale' }).waitFor()
      await page.getByLabel('Product').selectOption({ label: 'Canoe rental' })
      if (!viewport.javaScriptEnabled) await page.getByRole('button', { name: 'Show' }).click()
      await page.getByRole('group', { name: 'Timeslot of Canoe rental' }).waitFor()
      await page.getByLabel(/12:00/).check()
      await page.getByRole('button', { name: 'Hold the places' }).click()
      await page.getByText('To pay: €90.00').first().waitFor({ state: 'attached' })
      t.equal(await page.getByLabel('First name').inputValue(), 'Grace')
      await page.getByRole('button', { name: 'Continue to payment' }).click()
      await page.getByRole('button', { name: 'Take €90.00' }).click()
      await page.getByText('Paid: €90.00').waitFor()
      t.equal(await page.locator('.reference').count(), 2)
    }
  })

  t.test('a held sale is found in the list, resumed and released there', async (t) => {
    for (const viewport of settings) {
      const Lines = [{ ActivityID: kayak.activityId, Date: day, Time: '10:00', Participants: 3 }]
      const Customer = { FirstName: 'Hedy', LastName: 'Lamarr', Email: 'hedy@example.com' }
      const { data } = await call('POST', '/baskets', { Channel: 'pos', Lines, Customer })
      const page = await enter(email, viewport)
      page.on('dialog', (dialog) => dialog.accept())
      await page.goto(`${origin}/dashboard/sell`)
      await page.getByRole('link', { name: 'Held sales' }).click()
      await page.getByRole('link', { name: 'Resume Hedy Lamarr' }).click()
      await page.waitForURL(`${origin}/dashboard/sell/${data.BasketID}`)
      await page.goto(`${origin}/dashboard/bookings/${data.Lines[0].BookingReference}`)
      await page.getByRole('link', { name: 'Take the payment Hedy Lamarr' }).click()
      await page.getByRole('button', { name: 'Take €135.00' }).waitFor()
      await page.goto(`${origin}/dashboard/sell/held`)
      await page.getByText('More Hedy Lamarr').click()
      await page.getByRole('button', { name: 'Release the places Hedy Lamarr' }).click()
      if (!viewport.javaScriptEnabled) await page.getByRole('button', { name: 'Yes, go on' }).click()
      await page.getByText('The places are free again.').waitFor()
      t.equal((await call('GET', `/baskets/${data.BasketID}`)).data.Status, 'cancelled')
    }
  })

  t.test('a booking is found by name and phone number, and by product, day and name', async (t) => {
    const Lines = [{ ActivityID: kayak.activityId, Date: day, Time: '10:00', Participants: 1 }]
    const Customer = {
      FirstName: 'Ada',
      LastName: 'Lovelace',
      Email: 'a@example.com',
      Phone: '+491711234567',
    }
    await call('POST', '/baskets', { Channel: 'pos', Lines, Customer })
    await pumpEvents(sql)
    for (const viewport of settings) {
      const page = await enter(email, viewport)
      await page.goto(`${origin}/dashboard/calendar`)
      await page.getByLabel('Find a booking').fill('lovelace 0171 123 4567')
      await page.getByLabel('Find a booking').press('Enter')
      await page.getByRole('cell', { name: 'Ada Lovelace' }).waitFor()
      await page.getByLabel('Search').fill('kayak 15.6.2030 lovelace')
      await page.getByRole('button', { name: 'Show' }).click()
      await page.getByRole('cell', { name: 'Ada Lovelace' }).waitFor()
    }
    t.pass('with and without JavaScript')
  })

  t.test(
    'the pages of a sale are accessible, in light mode on a phone and in dark mode on a desktop',
    async (t) => {
      const Lines = [kayak, canoe].map(({ activityId }) => {
        return { ActivityID: activityId, Date: day, Time: '12:00', Participants: 1 }
      })
      const { data } = await call('POST', '/baskets', { Channel: 'pos', Lines })
      const path = `/dashboard/sell/${data.BasketID}`
      const booking = `/dashboard/bookings/${data.Lines[0].BookingReference}`
      await checkPages(t, email, ['/dashboard/sell', path, `${path}/add`, '/dashboard/sell/held', booking])
    },
  )
})
