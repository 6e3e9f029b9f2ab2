/**
 * The till, receipts and tickets in a browser: on a phone and on a desktop, with and without JavaScript, and on paper.
 */
import t from 'tap'
import { takeEvent } from '../../src/sales/payment/service.ts'
import { ticketsUrl } from '../../src/sales/ticket/links.ts'
import { makeProduct } from '../helper.ts'
import { makeSending } from '../messaging/emails/fixtures.ts'
import { startSmtp } from '../messaging/emails/smtp.ts'
import { keepPumping } from '../pump.ts'
import { paymentPage } from '../sales/waitlist/fixtures.ts'
import { accessibilityFaults, openBrowser, widthOf, withoutBrowser } from './browser.ts'
import { makeDashboard } from './fixtures.ts'

const secret = 'a secret of at least 32 characters'

t.test('tills, receipts and tickets in a browser', { skip: withoutBrowser }, async (t) => {
  const { app, sql, accountId, signIn, call } = await makeDashboard(t, {
    environment: { SECRET_KEY: secret },
  })
  keepPumping(t, sql)
  const { activityId } = await makeProduct(sql, accountId, {
    name: 'Dolphin watching with a marine biologist on board',
    slots: { '2030-06-15 10:00': 80 },
  })
  const { email } = await signIn('staff')
  const { origin, open, enter, checkPages } = await openBrowser(t, app)
  const hold = async () => {
    const line = { ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 2 }
    const Customer = { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' }
    const { data } = await call('POST', '/baskets', { Channel: 'pos', Lines: [line], Customer })
    return { id: data.BasketID as number, reference: data.Lines[0].BookingReference as string }
  }
  const sold = await hold()
  await call('POST', `/baskets/${sold.id}/pay`, { Method: 'card' })
  const receipt = `/dashboard/sell/${sold.id}/receipt`
  const tickets = `/dashboard/bookings/${sold.reference}/tickets/print`
  const link = new URL(ticketsUrl(origin, secret, { accountId, reference: sold.reference })).pathname

  for (const [javaScriptEnabled, width] of [
    [true, 375],
    [false, 375],
    [true, 1280],
    [false, 1280],
  ] as const) {
    const how = `at ${width} pixels ${javaScriptEnabled ? 'with' : 'without'} script`
    t.test(`a till is opened, takes cash, and is closed with a count, ${how}`, async (t) => {
      const page = await enter(email, { javaScriptEnabled, viewport: { width, height: 800 } })
      await page.goto(`${origin}/dashboard/till`)
      await page.getByLabel('Float in EUR').fill('50,00')
      await page.getByRole('button', { name: 'Open the till' }).click()
      await page.getByText('The till is open. Cash that you take goes into it.').waitFor()
      const { id } = await hold()
      await page.goto(`${origin}/dashboard/sell/${id}/pay?Nameless=true`)
      await page.getByLabel('Cash').check()
      await page.getByRole('button', { name: /^Take/ }).click()
      await page.locator('.reference').waitFor()
      await page.goto(`${origin}/dashboard/till`)
      await page.getByRole('link', { name: /^Count and close/ }).click()
      await page.getByText('€140.00').first().waitFor()
      await page.getByLabel('Counted in EUR').fill('138')
      await page.getByRole('button', { name: 'Compare' }).click()
      await page.getByText('€2.00 too little').waitFor()
      await page.getByLabel('Note').fill('Gave too much change')
      await page.getByRole('button', { name: 'Close the till' }).click()
      await page.getByText('The till is closed').waitFor()
      await page.getByText('Gave too much change').waitFor()
      if (javaScriptEnabled) t.same(await accessibilityFaults(page), [])
      t.ok((await widthOf(page)) <= width, 'nothing is wider than the window')
    })
  }

  t.test('a receipt and tickets are printed without the banner and without buttons', async (t) => {
    const page = await enter(email)
    for (const path of [receipt, tickets]) {
      await page.goto(origin + path)
      await page.emulateMedia({ media: 'print' })
      t.notOk(await page.locator('.banner').isVisible(), path)
      t.equal(await page.locator('main button:visible').count(), 0, path)
      await page.emulateMedia({ media: 'screen' })
    }
    t.ok(await page.locator('svg.qr').isVisible())
  })

  for (const javaScriptEnabled of [true, false])
    t.test(
      `a receipt is sent by its button and arrives, ${javaScriptEnabled ? 'with' : 'without'} script`,
      async (t) => {
        const smtp = await startSmtp(t)
        const page = await enter(email, { javaScriptEnabled, viewport: { width: 375, height: 800 } })
        await page.goto(origin + receipt)
        await page.getByRole('button', { name: 'Send the receipt' }).click()
        await page.getByText('The receipt is on its way to the customer.').waitFor()
        if (javaScriptEnabled) t.same(await accessibilityFaults(page), [])
        await makeSending(sql, { SMTP_URL: smtp.url })()
        const received = smtp.received.map(({ mail }) => mail)
        t.match(received.at(-1)?.subject, `Receipt ${sold.id}: quay`)
        t.match(received.at(-1)?.text, 'card: €90.00')
        await page.goto(`${origin}/dashboard/bookings/${sold.reference}`)
        t.match(await page.locator('#history').innerText(), /sent the receipt/)
      },
    )

  for (const width of [375, 1280])
    t.test(`a customer pays a balance online, and the desk sees the payment, ${width} pixels`, async (t) => {
      await call('PUT', '/payment-settings', { PaymentPage: paymentPage })
      const { id, reference } = await hold()
      await call('POST', `/baskets/${id}/pay`, { Method: 'cash', Amount: '30.00' })
      const own = new URL(ticketsUrl(origin, secret, { accountId, reference })).pathname
      const page = await enter(email, { viewport: { width, height: 800 } })
      await page.goto(origin + own)
      await page.getByRole('link', { name: 'Your receipt' }).click()
      const href = await page.getByRole('link', { name: 'Pay €60.00' }).getAttribute('href')
      t.equal(new URL(href!).searchParams.get('amount'), '60.00')
      t.same(await accessibilityFaults(page), [])
      t.ok((await widthOf(page)) <= width, 'nothing is wider than the window')
      const event = { Account: 'quay', Type: 'succeeded', BasketID: id, Currency: 'EUR' } as const
      const paid = { ...event, Amount: '60.00', Reference: 'ch_1' }
      t.match(await takeEvent(sql, accountId, { ...paid, ID: `evt_${width}` }), { Outcome: 'completed' })
      await page.reload()
      t.match(await page.locator('main').innerText(), /Paid on .*, online\s€60.00/)
      await page.goto(`${origin}/dashboard/bookings/${reference}`)
      const payments = await page.locator('#payments').innerText()
      t.match(payments, 'Balance: Paid')
      t.match(payments, /Online\s+€60\.00\s+ch_1\s+The payment provider/)
      // A second payment buys nothing, and is on the page of refunds.
      t.match(await takeEvent(sql, accountId, { ...paid, ID: `evt_${width}_2`, Reference: 'ch_2' }), {
        Outcome: 'refund-due',
      })
      await page.goto(`${origin}/dashboard/refunds`)
      t.match(await page.locator('main').innerText(), '€60.00')
      t.same(await accessibilityFaults(page), [])
    })

  t.test('the customer’s page with the QR code is accessible, and fits a phone', async (t) => {
    const page = await open({ viewport: { width: 375, height: 800 }, colorScheme: 'dark' })
    await page.goto(origin + link)
    await page.getByRole('img', { name: 'QR code: Ticket for the whole party' }).waitFor()
    t.same(await accessibilityFaults(page), [])
    t.ok((await widthOf(page)) <= 375)
  })

  t.test('the pages of tills, receipts and tickets are accessible and fit their window', (t) =>
    checkPages(t, email, ['/dashboard/till', receipt, tickets]),
  )
})
