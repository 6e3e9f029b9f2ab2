/** Payments as the desk takes them, on a phone and on a desktop, with and without JavaScript. */
import t from 'tap'
import { makeProduct } from '../helper.ts'
import { keepPumping } from '../pump.ts'
import { openBrowser, withoutBrowser } from './browser.ts'
import { makeDashboard } from './fixtures.ts'

t.test('payments in a browser', { skip: withoutBrowser }, async (t) => {
  const { app, sql, accountId, signIn, call } = await makeDashboard(t)
  keepPumping(t, sql)
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 40 } })
  const { email } = await signIn('staff')
  const { origin, enter, checkPages } = await openBrowser(t, app)
  const Lines = [{ ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 2 }]

  for (const [width, javaScriptEnabled] of [
    [375, true],
    [375, false],
    [1280, true],
    [1280, false],
  ] as const)
    t.test(
      `a deposit is taken, and the rest later: ${width} px ${javaScriptEnabled ? 'with' : 'without'} script`,
      async (t) => {
        const page = await enter(email, { javaScriptEnabled, viewport: { width, height: 800 } })
        const { data } = await call('POST', '/baskets', { Channel: 'pos', Lines })
        await page.goto(`${origin}/dashboard/sell/${data.BasketID}/pay?Nameless=true`)
        await page.getByText('Take a part, or nothing yet').click()
        await page.getByLabel('Amount in EUR').fill('40')
        // The Enter key presses the first button, which takes the whole amount. The page refuses another amount.
        await page.getByLabel('Amount in EUR').press('Enter')
        await page.getByText('leave it empty to take the full amount').first().waitFor()
        await page.getByRole('button', { name: 'Take this amount' }).click()
        await page.getByText('€50.00 to pay').waitFor()
        await page.getByRole('link', { name: 'Take a payment' }).click()
        await page.getByText('Balance:').waitFor()
        t.equal(await page.getByLabel('Amount in EUR').inputValue(), '50.00', 'the balance is filled in')
        await page.getByLabel('Paid by').selectOption('Card')
        await page.getByRole('button', { name: 'Take the payment' }).click()
        await page.getByText('The payment is taken.').waitFor()
        t.match(await page.locator('#payments').textContent(), /Balance: Paid/)
        const booking = await call('GET', `/bookings/${data.Lines[0].BookingReference}`)
        t.match(booking.data.Ledger, { Paid: { Amount: '90.00' }, Balance: { Amount: '0.00' } })
      },
    )

  t.test('the pages are accessible and fit their window', async (t) => {
    const { data } = await call('POST', '/baskets', { Channel: 'pos', Lines })
    await call('POST', `/baskets/${data.BasketID}/pay`, { Method: 'cash', Amount: '10.00' })
    const open = (await call('POST', '/baskets', { Channel: 'pos', Lines })).data.BasketID
    const sale = `/dashboard/sell/${data.BasketID}`
    const booking = `/dashboard/bookings/${data.Lines[0].BookingReference}`
    await checkPages(t, email, [
      sale,
      booking,
      `/dashboard/sell/${open}/pay?Nameless=true`,
      '/dashboard/bookings',
    ])
  })
})
