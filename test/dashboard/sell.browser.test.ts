import t from 'tap'
import { makeProduct } from '../helper.ts'
import { keepPumping, pumpEvents } from '../pump.ts'
import { accessibilityFaults, openBrowser, withoutBrowser } from './browser.ts'
import { makeDashboard } from './fixtures.ts'

t.test('the till in a browser', { skip: withoutBrowser }, async (t) => {
  const { app, sql, accountId, signIn, book, call } = await makeDashboard(t)
  keepPumping(t, sql)
  const { id: productId, activityId } = await makeProduct(sql, accountId, {
    name: 'Dolphin watching with a marine biologist on board',
    slots: { '2030-06-15 10:00': 4, '2030-06-15 12:00': 8 },
  })
  const { email } = await signIn('staff')
  const { origin, enter, checkPages } = await openBrowser(t, app)
  const sell = `${origin}/dashboard/sell?ProductID=${productId}&From=2030-06-15`

  t.test('sells by the keyboard alone', async (t) => {
    const page = await enter(email)
    await page.goto(sell)
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await page.locator('input:focus').waitFor()
    // The first timeslot has the focus: choose it, say how many, go on.
    await press('Space', 'Tab')
    await page.keyboard.type('3')
    await press('Enter')
    await page.getByText(/nobody else gets these places/).waitFor({ state: 'attached' })
    await page.getByLabel('First name').focus()
    await page.keyboard.type('Grace')
    await press('Tab')
    await page.keyboard.type('Hopper')
    await press('Enter')
    await page.getByRole('button', { name: /^Take/ }).waitFor()
    // Cash has the focus.
    await page.locator('input:focus').waitFor()
    await press('ArrowDown', 'Tab')
    await page.keyboard.type('T1-000482')
    await press('Enter')
    await page.locator('.reference').waitFor()
    const reference = (await page.textContent('.reference'))!.trim()
    t.match((await call('GET', `/bookings/${reference}`)).data, {
      Status: 'confirmed',
      Channel: 'pos',
      PaymentReference: 'T1-000482',
      Customer: { FirstName: 'Grace', LastName: 'Hopper' },
    })
  })

  t.test('sells without JavaScript', async (t) => {
    const page = await enter(email, { javaScriptEnabled: false })
    await page.goto(sell)
    await page.getByLabel(/12:00/).check()
    await page.getByRole('button', { name: 'Hold the places' }).click()
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await page.getByRole('button', { name: /^Take/ }).click()
    t.match(await page.textContent('.reference'), /\w{10}/)
  })

  t.test(
    'takes a reduced price after showing it, with and without JavaScript, also by the enter key',
    async (t) => {
      for (const javaScriptEnabled of [true, false]) {
        const page = await enter(email, { javaScriptEnabled, viewport: { width: 390, height: 800 } })
        const Lines = [{ ActivityID: activityId, Date: '2030-06-15', Time: '12:00', Participants: 1 }]
        const { data } = await call('POST', '/baskets', { Channel: 'pos', Lines })
        await page.goto(`${origin}/dashboard/sell/${data.BasketID}/pay?Nameless=true`)
        await page.getByLabel('Card').check()
        await page.getByText('Reduce the price').click()
        await page.getByLabel('Percent off').fill('10 %')
        await page.getByLabel('Reason').fill('Late start')
        if (javaScriptEnabled) await page.getByRole('button', { name: 'Show the amount to pay' }).click()
        else await page.getByLabel('Reason').press('Enter')
        await page.getByRole('button', { name: 'Take €40.50' }).waitFor()
        t.ok(await page.getByLabel('Card').isChecked(), 'what was chosen stays chosen')
        if (javaScriptEnabled) t.same(await accessibilityFaults(page), [])
        await page.getByLabel('Reference').press('Enter')
        await page.getByText('Paid: €40.50 (card)').waitFor()
        await call('POST', `/bookings/${data.Lines[0].BookingReference}/cancel`, { Override: true })
      }
    },
  )

  t.test('shows the free places while others buy', async (t) => {
    const page = await enter(email)
    await page.goto(sell)
    await page.getByText('7 places free').waitFor()
    await page.getByLabel(/12:00/).check()
    await book(activityId, { Time: '12:00', Participants: 5 })
    await page.getByText('2 places free').waitFor()
    t.ok(await page.getByLabel(/12:00/).isChecked(), 'what was chosen stays chosen')
  })

  t.test('offers cancelled places to the waitlist once, although “Cancel” is clicked twice', async (t) => {
    const { reference } = await book(activityId, { Participants: 1 })
    const [slot] = (await call('GET', '/timeslots')).data
    t.equal(slot.Available, 0)
    const line = { ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 1 }
    const customer = { FirstName: 'Wai', LastName: 'Ting', Email: 'wai@example.com' }
    const entry = (await call('POST', '/waitlist', { ...line, Customer: customer })).data
    const page = await enter(email)
    await page.goto(`${origin}/dashboard/bookings/${reference}`)
    await page.getByRole('link', { name: 'Cancel the booking' }).click()
    await page.getByLabel('Reason').fill('They rang: ill')
    await page.getByRole('button', { name: 'Cancel the booking' }).dblclick()
    await page.getByText('The booking is cancelled').waitFor()
    t.equal((await call('GET', `/waitlist/${entry.WaitlistID}`)).data.Status, 'offered')
    const { History } = (await call('GET', `/bookings/${reference}`)).data
    t.equal(History.filter(({ Action }: { Action: string }) => Action === 'cancelled').length, 1)
    await pumpEvents(sql)
    t.equal((await sql`select from emails where kind = 'waitlist-offer'`).length, 1)
    t.equal((await call('GET', '/timeslots')).data[0].Held, 1)
  })

  t.test(
    'the pages of a sale are accessible, in light mode on a phone and in dark mode on a desktop',
    async (t) => {
      const basket = await call('POST', '/baskets', {
        Channel: 'pos',
        Lines: [{ ActivityID: activityId, Date: '2030-06-15', Time: '12:00', Participants: 1 }],
      })
      const path = `/dashboard/sell/${basket.data.BasketID}`
      const booking = (await call('GET', '/bookings?Status=confirmed')).data[0].BookingReference
      await call('POST', `/bookings/${booking}/tickets`)
      const page = `/dashboard/bookings/${booking}`
      await checkPages(t, email, ['/dashboard/sell', path, `${path}/pay?Nameless=true`, page, `${page}/move`])
    },
  )
})
