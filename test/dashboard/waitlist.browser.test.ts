/** Offers of the waitlist and calendar links in a browser: for staff at the desk, and for customers. */
import t from 'tap'
import { keepPumping } from '../pump.ts'
import { makeOffered, paymentPage } from '../sales/waitlist/fixtures.ts'
import { accessibilityFaults, openBrowser, withoutBrowser } from './browser.ts'

t.test('the waitlist and calendar links in a browser', { skip: withoutBrowser }, async (t) => {
  for (const [width, javaScriptEnabled] of [
    [1280, true],
    [375, true],
    [1280, false],
    [375, false],
  ] as const)
    t.test(`work at ${width} pixels ${javaScriptEnabled ? 'with' : 'without'} script`, async (t) => {
      const offered = await makeOffered(t)
      const { app, sql, call, offer, wait, link, pay, signIn, entry } = offered
      keepPumping(t, sql)
      await call('PUT', '/payment-settings', { PaymentPage: paymentPage })
      const { email } = await signIn('staff')
      const { origin, enter } = await openBrowser(t, app)
      const options = { viewport: { width, height: 800 }, javaScriptEnabled }
      const checkPage = async (page: Awaited<ReturnType<typeof enter>>) => {
        if (javaScriptEnabled) {
          t.same(await accessibilityFaults(page), [])
          t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), page.url())
        }
      }

      t.test('a customer takes an offer, pays elsewhere, and comes back', async (t) => {
        await offer()
        const page = await enter(email, options)
        await page.goto(origin + link)
        await checkPage(page)
        await page.getByRole('button', { name: 'Take the places' }).click()
        await page.getByText('The places are held for you').waitFor()
        await checkPage(page)
        const href = await page.getByRole('link', { name: 'Pay €90.00' }).getAttribute('href')
        const back = new URL(href!).searchParams.get('back')!
        t.equal(new URL(back).pathname, link)
        await pay('evt_1')
        await page.goto(origin + link)
        t.match(await page.locator('main').innerText(), 'Paid. Your places are booked.')
      })

      t.test('the desk takes an offer for a customer, and takes the payment', async (t) => {
        await wait('Linus')
        await call('POST', `/bookings/${entry.BookingReference}/cancel`, { By: 'operator' })
        const page = await enter(email, options)
        await page.goto(`${origin}/dashboard/calendar/waitlist`)
        await checkPage(page)
        await page.getByRole('button', { name: 'Take and pay Linus' }).click()
        await page.getByRole('button', { name: 'Take €90.00' }).click()
        await page.getByText('The booking’s reference').waitFor()
        await page.goto(`${origin}/dashboard/calendar/waitlist`)
        t.match(await page.locator('main').innerText(), 'Nobody waits for places.')
      })

      t.test('a calendar link is made and revoked', async (t) => {
        const page = await enter(email, options)
        page.on('dialog', (dialog) => void dialog.accept())
        await page.goto(`${origin}/dashboard/calendar`)
        if (width === 375) await page.getByRole('button', { name: 'More', exact: true }).click()
        await page.getByRole('link', { name: 'Calendar links' }).click()
        await checkPage(page)
        await page
          .getByLabel('Departures')
          .selectOption({ label: 'Kayak: all departures, also without bookings' })
        await page.getByRole('button', { name: 'Make a calendar link' }).click()
        const url = new URL(await page.locator('code').innerText())
        const subscribe = page.getByRole('link', { name: 'Add to my calendar app' })
        t.equal(await subscribe.getAttribute('href'), url.href.replace(/^http/, 'webcal'))
        t.equal(await page.getByRole('button', { name: 'Copy' }).isVisible(), javaScriptEnabled)
        await checkPage(page)
        const { body } = await app.inject(url.pathname)
        t.match(body, 'BEGIN:VCALENDAR')
        await page.getByRole('link', { name: 'Back' }).click()
        await checkPage(page)
        await page.getByRole('button', { name: 'Revoke the link of Kayak' }).click()
        if (!options.javaScriptEnabled) await page.getByRole('button', { name: 'Yes, go on' }).click()
        await page.getByText('The calendar link is revoked').waitFor()
        t.equal((await app.inject(url.pathname)).statusCode, 404)
      })
    })
})
