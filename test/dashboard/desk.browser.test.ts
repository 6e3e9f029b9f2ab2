/**
 * The desk on a phone and on a desktop, with and without JavaScript: waitlist, “Sell” links, cash without a till,
 * and business details.
 */
import t from 'tap'
import { makeProduct } from '../helper.ts'
import { keepPumping } from '../pump.ts'
import { makeOffered, paymentPage } from '../sales/waitlist/fixtures.ts'
import { accessibilityFaults, openBrowser, widthOf, withoutBrowser } from './browser.ts'
import { makeDashboard } from './fixtures.ts'

const day = '2030-06-15'
const settings = [375, 1280].flatMap((width) =>
  [true, false].map((javaScriptEnabled) => ({ javaScriptEnabled, viewport: { width, height: 800 } })),
)
const nameOf = ({ javaScriptEnabled, viewport }: (typeof settings)[number]) =>
  `${viewport.width} pixels wide, ${javaScriptEnabled ? 'with' : 'without'} script`

t.test('at the desk', { skip: withoutBrowser }, async (t) => {
  const { app, sql, accountId, signIn, call } = await makeDashboard(t)
  keepPumping(t, sql)
  const slots = { [`${day} 10:00`]: 2, [`${day} 12:00`]: 100 }
  const { id, activityId } = await makeProduct(sql, accountId, { name: 'Kayak tour', slots })
  const unit = (Name: string, Type: string, Default: boolean) => {
    return { Name, Type, Price: { Amount: '45.00', Currency: 'EUR' }, Default }
  }
  const Units = [unit('Adult', 'ADULT', true), unit('Child', 'CHILD', false)]
  await call('PUT', `/products/${id}/units`, { Units })
  const line = (Time: string, Participants: number) => {
    return { ActivityID: activityId, Date: day, Time, Participants }
  }
  const unpaid = { Payment: { Method: 'cash', Amount: '0.00' } }
  await call('POST', '/bookings', { ...line('10:00', 2), ...unpaid })
  const { email } = await signIn('staff')
  await signIn()
  const { origin, enter, checkPages } = await openBrowser(t, app)
  const sell = `${origin}/dashboard/sell?ProductID=${id}&From=${day}`

  t.test('a button of a full timeslot opens its waitlist form with the typed party', async (t) => {
    for (const [index, setting] of settings.entries()) {
      const page = await enter(email, setting)
      await page.goto(sell)
      await page.getByLabel(/^Adult/).fill('1')
      await page.getByLabel(/^Child/).fill('1')
      await page.getByRole('button', { name: 'Add to waitlist for Sat, 15 Jun 2030, 10:00' }).click()
      await page.getByText('No places are free').waitFor()
      t.match(await page.locator('main').innerText(), /Kayak tour, Sat, 15 Jun 2030, 10:00/)
      t.equal(await page.getByLabel(/^Child/).inputValue(), '1')
      t.ok((await widthOf(page)) <= setting.viewport.width)
      await page.getByLabel('First name').fill('Grace')
      await page.getByLabel('Last name').fill(`Hopper ${index}`)
      // The browser accepts this value, but the service refuses it.
      await page.getByLabel('E-mail address').fill('grace@example')
      await page.getByRole('button', { name: 'Put on the waitlist' }).click()
      await page.getByRole('link', { name: 'E-mail address' }).waitFor()
      t.equal(await page.getByLabel('First name').inputValue(), 'Grace', 'what was typed stays')
      t.equal(await page.getByLabel(/^Child/).inputValue(), '1')
      await page.getByLabel('E-mail address').fill(`grace${index}@example.com`)
      await page.getByRole('button', { name: 'Put on the waitlist' }).click()
      await page.getByText('The party is on the waitlist.').waitFor()
      t.match(await page.locator('#waitlist').innerText(), `Grace Hopper ${index}`)
    }
    const entries = (await call('GET', '/waitlist')).data as { Units: { Name: string }[] }[]
    t.same(
      entries.map(({ Units }) => Units.map(({ Name }) => Name)),
      settings.map(() => ['Adult', 'Child']),
    )
  })

  t.test(
    'a button of a timeslot with too few free places opens its waitlist form with the typed party',
    async (t) => {
      const take = async (places: number) => {
        t.equal((await call('POST', '/bookings', { ...line('12:00', places), ...unpaid })).status, 201)
      }
      await take(70)
      let free = 30
      for (const setting of settings) {
        const page = await enter(email, setting)
        await page.goto(sell)
        t.equal(await page.getByRole('button', { name: /^Add to waitlist/ }).count(), 1)
        await page.getByLabel(/12:00/).check()
        await page.getByLabel(/^Adult/).fill('40')
        await page.getByRole('button', { name: 'Hold the places' }).click()
        await page.getByRole('alert').waitFor()
        if (setting.javaScriptEnabled) {
          await take(1)
          free--
          await page.getByText(`${free} places free`).waitFor()
        }
        await page.getByRole('button', { name: 'Add to waitlist for Sat, 15 Jun 2030, 12:00' }).click()
        await page.getByRole('heading', { name: 'Add to waitlist' }).waitFor()
        t.equal(await page.getByLabel(/^Adult/).inputValue(), '40')
      }
    },
  )

  t.test('“Sell” in the views of a week and a day opens the sale with that timeslot chosen', async (t) => {
    for (const setting of settings)
      for (const view of ['week', 'day']) {
        const page = await enter(email, setting)
        await page.goto(`${origin}/dashboard/calendar?View=${view}&Date=${day}`)
        t.equal(await page.getByRole('link', { name: /^(Sell|Waitlist) \d/ }).count(), 2)
        t.ok((await widthOf(page)) <= setting.viewport.width)
        await page.getByRole('link', { name: 'Sell 12:00 Kayak tour' }).click()
        await page.getByRole('group', { name: 'Timeslot of Kayak tour' }).waitFor()
        t.ok(await page.getByLabel(/12:00/).isChecked())
      }
  })

  t.test('the form of a payment in cash shows a warning while no till is open', async (t) => {
    const warning = 'No till is open. This cash will be listed under “Cash outside tills”.'
    for (const setting of settings) {
      const { data } = await call('POST', '/baskets', { Channel: 'pos', Lines: [line('12:00', 1)] })
      await sql`update tills set closed_at = now(), counted_minor = 0, expected_minor = 0 where closed_at is null`
      const page = await enter(email, setting)
      await page.goto(`${origin}/dashboard/sell/${data.BasketID}/pay?Nameless=true`)
      const notice = page.getByText(warning)
      t.ok(await notice.isVisible())
      await page.getByLabel('Card', { exact: true }).check()
      t.notOk(await notice.isVisible(), 'the warning is only for cash')
      await page.getByLabel('Cash', { exact: true }).check()
      t.ok(await notice.isVisible())
      await page.getByText('Take a part, or nothing yet').click()
      await page.getByLabel('Amount in EUR').fill('20')
      await page.getByRole('button', { name: 'Take this amount' }).click()
      await page.locator('.reference').waitFor()
      await page.goto(`${origin}/dashboard/bookings/${data.Lines[0].BookingReference}`)
      await page.locator('summary', { hasText: 'Take a payment' }).click()
      t.ok(await notice.isVisible())
      await page.getByLabel('Paid by').selectOption({ label: 'Card' })
      t.notOk(await notice.isVisible())
      await page.goto(`${origin}/dashboard/bookings/${data.Lines[0].BookingReference}`)
      await page.locator('summary', { hasText: 'Take a payment' }).click()
      await notice.getByRole('link', { name: 'Open a till' }).click()
      await page.getByLabel('Float').fill('100')
      await page.getByRole('button', { name: 'Open the till' }).click()
      await page.getByText('The till is open').waitFor()
      await page.goto(`${origin}/dashboard/bookings/${data.Lines[0].BookingReference}`)
      await page.locator('summary', { hasText: 'Take a payment' }).click()
      t.equal(await notice.count(), 0)
      await page.getByRole('button', { name: 'Take the payment' }).click()
      await page.getByText('The payment is taken.').waitFor()
    }
  })

  t.test('the page of refunds warns that no till is open for cash', async (t) => {
    await sql`update tills set closed_at = now(), counted_minor = 0, expected_minor = 0 where closed_at is null`
    const sold = await call('POST', '/bookings', { ...line('12:00', 1), Payment: { Method: 'cash' } })
    await call('POST', `/bookings/${sold.data.BookingReference}/cancel`, { Refund: { Choice: 'full' } })
    for (const setting of settings) {
      const page = await enter(email, setting)
      await page.goto(`${origin}/dashboard/refunds`)
      await page
        .getByText('No till is open. Cash that you pay back now will be listed under “Cash outside tills”.')
        .waitFor()
      t.ok((await widthOf(page)) <= setting.viewport.width)
    }
  })

  t.test('owners set the business details, and the receipt shows them', async (t) => {
    const sold = await call('POST', '/bookings', { ...line('12:00', 1), Payment: { Method: 'cash' } })
    for (const setting of settings) {
      await call('PUT', '/business-details', {})
      const page = await enter('owner@quay.test', setting)
      await page.goto(`${origin}/dashboard/sell/${sold.data.BasketID}/receipt`)
      await page.getByRole('link', { name: 'Set your business details' }).click()
      await page.getByLabel('Address', { exact: true }).fill('Rua do Cais 12\n8600-315 Lagos')
      await page.getByLabel('Tax number').fill('PT 501 234 567')
      await page.getByLabel('Phone').fill('none')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('link', { name: 'Phone' }).click()
      t.match(await page.getByLabel('Address', { exact: true }).inputValue(), '8600-315 Lagos')
      await page.getByLabel('Phone').fill('+351 282 555 010')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved.').waitFor()
      await page.goto(`${origin}/dashboard/sell/${sold.data.BasketID}/receipt`)
      const receipt = await page.getByRole('article').innerText()
      t.match(receipt, /Rua do Cais 12\n8600-315 Lagos\nTax number: PT 501 234 567\n\+351 282 555 010/)
      t.ok((await widthOf(page)) <= setting.viewport.width)
    }
  })

  t.test('on a tablet, bookings are listed as cards, and the list is not scrolled sideways', async (t) => {
    for (const width of [768, 1024]) {
      const page = await enter(email, { viewport: { width, height: 800 } })
      await page.goto(`${origin}/dashboard/bookings`)
      const [neededWidth, visibleWidth] = await page
        .locator('.cards')
        .evaluate((list) => [list.scrollWidth, list.clientWidth])
      t.ok(neededWidth! <= visibleWidth!, `${neededWidth} of ${visibleWidth} pixels`)
      t.equal(await page.evaluate('getComputedStyle(document.querySelector(".cards td")).paddingLeft'), '0px')
      t.same(await accessibilityFaults(page), [])
    }
  })

  t.test('the pages are accessible, in light mode on a phone and in dark mode on a desktop', async (t) => {
    const [slot] = await sql<{ id: number }[]>`select id from timeslots order by time`
    const { data } = await call('POST', '/baskets', { Channel: 'pos', Lines: [line('12:00', 1)] })
    await checkPages(t, 'owner@quay.test', [
      `/dashboard/sell?ProductID=${id}&From=${day}`,
      `/dashboard/sell/${data.BasketID}/pay?Nameless=true`,
      `/dashboard/calendar/timeslots/${slot!.id}/waitlist?Participants=2`,
      `/dashboard/calendar?View=week&Date=${day}`,
      `/dashboard/calendar?View=day&Date=${day}`,
      '/dashboard/business-details',
      '/dashboard/refunds',
      '/dashboard/account',
    ])
  })
})

t.test(
  'a customer answers the required questions before paying for an offer',
  { skip: withoutBrowser },
  async (t) => {
    for (const setting of settings)
      t.test(nameOf(setting), async (t) => {
        const { app, call, productId, offer, link, pay, signIn } = await makeOffered(t)
        await call('PUT', '/payment-settings', { PaymentPage: paymentPage })
        await call('PUT', '/business-details', {
          Phone: '+351 282 555 010',
          AddressLines: ['Rua do Cais 12'],
        })
        const question = { AppliesTo: 'booking', Required: true }
        const Questions = [
          { ...question, Label: 'Can you all swim?', Type: 'text', Options: [] },
          { ...question, Label: 'Level', Type: 'select', Options: ['New', 'Good'], AppliesTo: 'participant' },
          { ...question, Label: 'Allergies', Type: 'textarea', Required: false, Options: [] },
        ]
        t.equal((await call('PUT', `/products/${productId}/questions`, { Questions })).status, 200)
        await offer()
        const { email } = await signIn('staff')
        const { origin, enter } = await openBrowser(t, app)
        const page = await enter(email, setting)
        const checkPage = async () => {
          if (setting.javaScriptEnabled) t.same(await accessibilityFaults(page), [])
          t.ok((await widthOf(page)) <= setting.viewport.width, page.url())
        }
        await page.goto(origin + link)
        await checkPage()
        await page.getByLabel('Allergies').fill('Nuts')
        await page.getByRole('group', { name: 'Participant 1' }).getByLabel('Level').selectOption('Good')
        await page.getByRole('button', { name: 'Take the places' }).click()
        await page.getByRole('alert').waitFor()
        await checkPage()
        t.match(await page.getByRole('alert').innerText(), 'Can you all swim?')
        t.match(await page.getByLabel('Can you all swim?').locator('..').innerText(), /has to be answered/i)
        t.equal(await page.getByLabel('Allergies').inputValue(), 'Nuts')
        t.equal(
          await page.getByRole('group', { name: 'Participant 1' }).getByLabel('Level').inputValue(),
          'Good',
        )
        t.equal(await page.getByRole('link', { name: /^Pay/ }).count(), 0)
        await page.getByRole('link', { name: 'Can you all swim?' }).click()
        await page.getByLabel('Can you all swim?').fill('Yes')
        await page.getByRole('group', { name: 'Participant 2' }).getByLabel('Level').selectOption('New')
        await page.getByRole('button', { name: 'Take the places' }).click()
        await page.getByRole('link', { name: 'Pay €90.00' }).waitFor()
        await checkPage()
        await page.getByRole('link', { name: '+351 282 555 010' }).waitFor()
        await pay('evt_1')
        await page.goto(origin + link)
        t.match(await page.locator('main').innerText(), 'Paid. Your places are booked.')
      })
  },
)
