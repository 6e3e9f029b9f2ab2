/** Refunds by the desk and by a payment provider, on a phone and on a desktop, with and without JavaScript. */
import t from 'tap'
import { sign } from '../../src/sales/payment/model.ts'
import { createSecret } from '../../src/sales/payment/secrets.ts'
import { makeProduct } from '../helper.ts'
import { keepPumping } from '../pump.ts'
import { secretKey } from '../sales/basket/fixtures.ts'
import { openBrowser, withoutBrowser } from './browser.ts'
import { makeDashboard } from './fixtures.ts'

t.test('refunds in a browser', { skip: withoutBrowser }, async (t) => {
  const { app, sql, accountId, signIn, call } = await makeDashboard(t, {
    environment: { SECRET_KEY: secretKey },
  })
  keepPumping(t, sql)
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 80 } })
  const { email } = await signIn('staff')
  const { origin, enter, checkPages } = await openBrowser(t, app)
  const secret = await createSecret(sql, secretKey, accountId)
  const [account] = await sql<{ slug: string }[]>`select slug from accounts where account_id = ${accountId}`
  const Customer = {
    FirstName: 'Ada',
    LastName: 'Lovelace',
    Email: 'ada@example.com',
    Phone: '+351912345678',
  }
  const line = { ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 2 }
  let sentEvents = 0
  /** Sends an event about a payment or a refund, as the provider does; returns its outcome. */
  const sendPaymentEvent = async (BasketID: number, Type: 'succeeded' | 'refunded') => {
    const event = { ID: `evt_${++sentEvents}`, Account: account!.slug, Type, BasketID }
    const payload = JSON.stringify({ ...event, Amount: '90.00', Currency: 'EUR' })
    const signature = sign(secret, Math.floor(Date.now() / 1000), Buffer.from(payload))
    const headers = { 'content-type': 'application/json', 'payment-signature': signature }
    const answer = await app.inject({ method: 'POST', url: '/api/v2/payments/events', headers, payload })
    t.equal(answer.statusCode, 200, answer.body)
    return answer.json().data.Outcome as string
  }

  t.test('no refund is cut off at the edge of the page, on tablets and desktops', async (t) => {
    const { data } = await call('POST', '/bookings', { ...line, Customer, Payment: { Method: 'card' } })
    await call('POST', `/bookings/${data.BookingReference}/cancel`, { Refund: { Choice: 'full' } })
    for (const width of [768, 1100, 1280]) {
      const page = await enter(email, { viewport: { width, height: 800 } })
      await page.goto(`${origin}/dashboard/refunds`)
      const list = `document.querySelector('#refunds .scroller')`
      t.ok(await page.evaluate(`${list}.scrollWidth <= ${list}.clientWidth`), `the list at ${width} px`)
      t.ok(
        await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
        `the page at ${width} px`,
      )
      const box = await page.getByRole('link', { name: 'Mark as paid back' }).boundingBox()
      t.ok(box && box.x + box.width <= width, `the button at ${width} px`)
    }
    const [due] = (await call('GET', '/refunds')).data
    await call('POST', `/refunds/${due.RefundID}/done`, { Method: 'card' })
  })

  for (const [width, javaScriptEnabled] of [
    [375, true],
    [375, false],
    [1280, true],
    [1280, false],
  ] as const) {
    const how = `${width} px ${javaScriptEnabled ? 'with' : 'without'} script`
    const settings = { javaScriptEnabled, viewport: { width, height: 800 } }

    t.test(`a refund is paid back at the desk: ${how}`, async (t) => {
      const { data } = await call('POST', '/bookings', { ...line, Customer, Payment: { Method: 'cash' } })
      const page = await enter(email, settings)
      await page.goto(`${origin}/dashboard/bookings/${data.BookingReference}`)
      await page.getByRole('link', { name: 'Cancel the booking' }).click()
      if (javaScriptEnabled) {
        await page.getByLabel('Part, in EUR').fill('7')
        t.ok(await page.getByLabel('Part:').isChecked(), 'typing an amount chooses it')
        await page.getByLabel('Part, in EUR').fill('')
      }
      await page.getByLabel('All: €90.00').check()
      await page.getByRole('button', { name: 'Cancel the booking' }).click()
      if (width < 1024) await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('link', { name: /^Refunds\s+1 due$/ }).click()
      await page.getByRole('link', { name: 'Due (1)' }).waitFor()
      await page.getByRole('link', { name: /912 345 678$/ }).waitFor()
      await page.getByRole('link', { name: 'ada@example.com' }).waitFor()
      await page.getByRole('link', { name: 'Mark as paid back' }).click()
      t.equal(
        await page.getByLabel('Paid back by').inputValue(),
        'cash',
        'the method of the payment is proposed',
      )
      await page.getByRole('button', { name: 'Yes, this is paid back' }).click()
      await page.getByText('Nothing is to be paid back.').waitFor()
      await page.getByRole('link', { name: 'Done', exact: true }).click()
      await page.getByText('€90.00').first().waitFor()
    })

    t.test(`refunds are ticked, and marked together: ${how}`, async (t) => {
      const { data } = await call('POST', '/baskets', { Channel: 'pos', Lines: [line, line, line], Customer })
      await call('POST', `/baskets/${data.BasketID}/pay`, { Method: 'card' })
      for (const { BookingReference } of data.Lines)
        await call('POST', `/bookings/${BookingReference}/cancel`, { Refund: { Choice: 'full' } })
      const page = await enter(email, settings)
      await page.goto(`${origin}/dashboard/refunds`)
      const boxes = page.getByLabel('Together with others')
      await boxes.nth(0).check()
      await boxes.nth(1).check()
      if (width < 768) {
        const small = await page.evaluate<
          string[]
        >(`[...document.querySelectorAll('#refunds :is(a:not(.button), .tick)')]
          .filter((one) => one.getBoundingClientRect().height < 44 && !one.closest('[data-card="title"]'))
          .map(({ textContent }) => textContent)`)
        t.same(small, [], 'each link and checkbox is large enough for a finger')
      }
      await page.getByRole('button', { name: 'Mark the ticked ones together' }).click()
      await page.getByText('2 refunds, in full: €180.00').waitFor()
      await page.getByLabel('Reference').fill('T1-88')
      await page.getByRole('button', { name: 'Yes, €180.00 is paid back' }).click()
      await page.getByText('2 refunds are marked as paid back.').waitFor()
      await page.getByRole('link', { name: 'Due (1)' }).waitFor()
      await page.context().close()
      const [left] = (await call('GET', '/refunds')).data
      await call('POST', `/refunds/${left.RefundID}/done`, { Method: 'card' })
    })

    t.test(`an online refund is due until the provider sends its event: ${how}`, async (t) => {
      const { data } = await call('POST', '/baskets', { Channel: 'online', Lines: [line], Customer })
      const { BasketID, Lines } = data
      t.equal(await sendPaymentEvent(BasketID, 'succeeded'), 'completed')
      await call('POST', `/bookings/${Lines[0].BookingReference}/cancel`, { Refund: { Choice: 'full' } })
      const page = await enter(email, settings)
      await page.goto(`${origin}/dashboard/refunds`)
      await page.getByText('Pay it back at your payment provider.').waitFor()
      await page.getByRole('link', { name: /^Mark it by hand/ }).waitFor()
      t.equal(await page.getByRole('link', { name: /^Mark as paid back/ }).count(), 0)
      t.equal(await sendPaymentEvent(BasketID, 'refunded'), 'refunded')
      if (!javaScriptEnabled) await page.reload()
      await page.getByText('Nothing is to be paid back.').waitFor()
      await page.goto(`${origin}/dashboard/bookings/${Lines[0].BookingReference}`)
      t.match(await page.locator('#payments').textContent(), /Paid back.*Online/)
    })
  }

  t.test('selected refunds stay selected when the list is updated', async (t) => {
    const sellAndCancel = async () => {
      const { data } = await call('POST', '/bookings', { ...line, Customer, Payment: { Method: 'card' } })
      await call('POST', `/bookings/${data.BookingReference}/cancel`, { Refund: { Choice: 'full' } })
    }
    await sellAndCancel()
    await sellAndCancel()
    const page = await enter(email, { viewport: { width: 1280, height: 800 } })
    await page.goto(`${origin}/dashboard/refunds`)
    const boxes = page.getByLabel('Together with others')
    await boxes.nth(1).check()
    await page.getByRole('heading', { name: 'Refunds' }).click()
    await sellAndCancel()
    await boxes.nth(2).waitFor()
    t.same(await Promise.all([0, 1, 2].map((place) => boxes.nth(place).isChecked())), [false, true, false])
    await page.context().close()
    const due = (await call('GET', '/refunds')).data
    for (const { RefundID } of due) await call('POST', `/refunds/${RefundID}/done`, { Method: 'card' })
  })

  t.test('the page is accessible and fits its window', async (t) => {
    for (const Method of ['cash', 'card']) {
      const sold = await call('POST', '/bookings', { ...line, Customer, Payment: { Method } })
      await call('POST', `/bookings/${sold.data.BookingReference}/cancel`, { Refund: { Choice: 'full' } })
    }
    const [one, other] = (await call('GET', '/refunds')).data
    const several = `/dashboard/refunds/several?RefundID=${one.RefundID}&RefundID=${other.RefundID}`
    await checkPages(t, email, ['/dashboard/refunds', '/dashboard/refunds?Status=done', several])
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await enter(email, { colorScheme })
      await page.goto(`${origin}/dashboard/refunds`)
      const [count, link] = await Promise.all(
        ['a[aria-current] .badge', 'a[aria-current]'].map((selector) =>
          page.evaluate<string>(`getComputedStyle(document.querySelector('.sections ${selector}')).color`),
        ),
      )
      t.equal(count, link, `the number in the menu has the colour of its link: ${colorScheme}`)
    }
  })

  t.test('while cash is chosen, the page warns that the till has less than the refund', async (t) => {
    await sql`
      insert into tills (account_id, user_id, currency, float_minor)
      select account_id, id, 'EUR', 2000 from users where email = ${email}`
    for (const javaScriptEnabled of [true, false]) {
      const page = await enter(email, { javaScriptEnabled, viewport: { width: 375, height: 800 } })
      await page.goto(`${origin}/dashboard/refunds`)
      await page
        .getByRole('link', { name: /^Mark as paid back/ })
        .first()
        .click()
      const form = page.locator('form[action$="/parts"]').first()
      const warning = form.getByText('Your till has €20.00 in cash; this refund takes €90.00.')
      await form.getByLabel('Paid back by').selectOption('Cash')
      t.ok(await warning.isVisible())
      await form.getByRole('button', { name: 'Yes, this is paid back' }).click()
      const refused = page.getByRole('alert').getByText('Your till has €20.00 in cash')
      await refused.waitFor()
      await form.getByLabel('Paid back by').selectOption('Bank transfer')
      t.notOk(await warning.isVisible(), 'no other method needs cash')
      await form.getByRole('button', { name: 'Yes, this is paid back' }).click()
      await page.getByText('The refund is marked as paid back.').waitFor()
    }
  })
})
