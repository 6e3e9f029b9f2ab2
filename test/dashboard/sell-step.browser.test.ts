/**
 * The steps of a sale on a phone and on a desktop, with and without JavaScript: the page asks for what is
 * missing, and keeps what was typed.
 */
import t from 'tap'
import { makeProduct } from '../helper.ts'
import { keepPumping } from '../pump.ts'
import { until } from '../until.ts'
import { openBrowser, widthOf, withoutBrowser } from './browser.ts'
import { makeDashboard } from './fixtures.ts'

const day = '2030-06-15'

t.test('the steps of a sale in a browser', { skip: withoutBrowser }, async (t) => {
  const { app, sql, accountId, signIn, call } = await makeDashboard(t)
  keepPumping(t, sql)
  const slots = { [`${day} 10:00`]: 80, [`${day} 12:00`]: 80 }
  const kayak = await makeProduct(sql, accountId, { name: 'Kayak tour', slots })
  await makeProduct(sql, accountId, { name: 'Canoe rental', slots })
  await sql`
    insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
    values (${accountId}, ${kayak.id}, 1, 'Can you all swim?', 'text', true, '{}', 'booking')`
  await call('POST', '/promotions', { Code: 'TEN', Percent: '10' })
  const { email } = await signIn('staff')
  const { origin, enter, checkPages } = await openBrowser(t, app)
  const settings = [375, 1280].flatMap((width) =>
    [true, false].map((javaScriptEnabled) => ({ javaScriptEnabled, viewport: { width, height: 800 } })),
  )
  const hold = async () => {
    const Lines = [{ ActivityID: kayak.activityId, Date: day, Time: '10:00', Participants: 2 }]
    return (await call('POST', '/baskets', { Channel: 'pos', Lines })).data.BasketID as number
  }

  t.test('before the payment of a held sale, the page asks for what is missing', async (t) => {
    for (const setting of settings) {
      const id = await hold()
      const page = await enter(email, setting)
      await page.goto(`${origin}/dashboard/sell/held`)
      t.ok((await widthOf(page)) <= setting.viewport.width, 'the list is no wider than the window')
      await page.getByText(`More sale ${id}`).click()
      await page.getByRole('link', { name: `Take the payment sale ${id}` }).click()
      await page.getByText('This is asked before the payment:').waitFor()
      t.equal(
        await page.getByRole('alert').count(),
        0,
        'nothing is marked as an error before the form is sent',
      )
      await page.getByLabel('First name').fill('Hedy')
      await page.getByLabel('Can you all swim?').fill('Yes')
      await page.getByRole('button', { name: 'Continue to payment' }).click()
      await page.getByRole('button', { name: 'Take €90.00' }).click()
      await page.getByText('Paid: €90.00').waitFor()
    }
    t.equal((await sql`select from bookings where status = 'confirmed' and answers <> '[]'`).length, 4)
  })

  t.test('on a phone the amount and the button that continues the sale stay in sight', async (t) => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await enter(email, { javaScriptEnabled, viewport: { width: 375, height: 500 } })
      const path = `${origin}/dashboard/sell/${await hold()}`
      await page.goto(path)
      const bar = page.locator('.go-on')
      await page.getByLabel('First name').scrollIntoViewIfNeeded()
      t.match(await bar.innerText(), 'To pay: €90.00')
      const goOn = page.getByRole('button', { name: 'Continue to payment' }).last()
      const { y, height } = (await goOn.boundingBox())!
      t.ok(y > 0 && y + height <= 500, `the button is at ${y} of 500 pixels`)
      t.ok((await widthOf(page)) <= 375, 'the page is no wider than the window')
    }
  })

  t.test(
    'on a phone the button is below the chosen timeslot, and both are in sight, also with many units',
    async (t) => {
      const { id } = await makeProduct(sql, accountId, { name: 'Grotto boat trip', slots })
      const unit = { Type: 'ADULT', Price: { Amount: '20.00', Currency: 'EUR' } }
      const Units = ['Adult', 'Child', 'Infant', 'Family'].map((Name) => ({
        ...unit,
        Name,
        Default: Name === 'Adult',
      }))
      t.equal((await call('PUT', `/products/${id}/units`, { Units })).status, 200)
      const page = await enter(email, { viewport: { width: 375, height: 740 } })
      await page.goto(`${origin}/dashboard/sell?ProductID=${id}&From=${day}`)
      await page.getByLabel(/12:00/).check()
      const isInSight = `(() => {
        const place = (selector) => document.querySelector(selector).getBoundingClientRect()
        const [chosen, panel, button] = ['[name="Slot"]:checked', '.party', '.party > button'].map(place)
        return chosen.top >= 0 && panel.top >= chosen.bottom && button.bottom <= innerHeight
      })()`
      await until(() => page.evaluate<boolean>(isInSight))
    },
  )

  t.test('the customer that was typed is kept when the user leaves the sale by the menu', async (t) => {
    const id = await hold()
    const page = await enter(email, { viewport: { width: 1280, height: 800 } })
    await page.goto(`${origin}/dashboard/sell/${id}`)
    await page.getByLabel('First name').fill('Grace')
    await page.getByText('Promotion code').first().click()
    await page.getByLabel('Promotion code').fill('NO-SUCH-CODE')
    await page.getByRole('link', { name: 'Today', exact: true }).click()
    await page.waitForURL(/today/)
    await until(async () => (await call('GET', `/baskets/${id}`)).data.Customer.FirstName === 'Grace')
    await page.goto(`${origin}/dashboard/sell/${id}`)
    t.equal(await page.getByLabel('First name').inputValue(), 'Grace')
  })

  t.test('a promotion code and a longer hold keep what was typed; a reduction is shown first', async (t) => {
    for (const setting of settings) {
      const id = await hold()
      const page = await enter(email, setting)
      await page.goto(`${origin}/dashboard/sell/${id}`)
      const checkKept = async () => {
        t.equal(await page.getByLabel('First name').inputValue(), 'Grace')
        t.equal(await page.getByLabel('Can you all swim?').inputValue(), 'All of us')
      }
      await page.getByLabel('First name').fill('Grace')
      await page.getByLabel('Can you all swim?').fill('All of us')
      // On a phone, what is held is folded into one line. A click on the line opens it.
      const unfold = async () => {
        const line = page.locator('.held > details > summary')
        if (await line.isVisible()) await line.click()
      }
      await unfold()
      await page.getByText('Promotion code').first().click()
      await page.getByLabel('Promotion code').fill('ten')
      await page.getByRole('button', { name: 'Use the code' }).click()
      await page.getByText('The code TEN takes off €9.00').waitFor({ state: 'attached' })
      await checkKept()
      await unfold()
      await page.getByRole('button', { name: 'Hold for longer' }).click()
      await page.getByText('The places are held for longer.').waitFor()
      await checkKept()
      // The enter key presses the button that continues, and no other.
      await page.getByLabel('First name').press('Enter')
      await page.getByRole('button', { name: 'Take €81.00' }).waitFor()
      await page.getByText('The code TEN takes off €9.00').waitFor({ state: 'attached' })
      await page.getByText('Reduce the price').click()
      await page.getByLabel('Percent off').fill('10 %')
      await page.getByLabel('Reason').fill('Late start')
      await page.getByRole('button', { name: 'Take €81.00' }).click()
      await page.getByText('Nothing is paid yet. The price is reduced: take the payment below.').waitFor()
      await page.getByRole('button', { name: 'Take €72.90' }).click()
      await page.getByText('Paid: €72.90').waitFor()
      await page.getByText('2 × €45.00').waitFor()
    }
    t.pass('with and without JavaScript')
  })

  t.test('the number of participants is kept when another product is chosen', async (t) => {
    for (const setting of settings) {
      const page = await enter(email, setting)
      await page.goto(`${origin}/dashboard/sell?ProductID=${kayak.id}&From=${day}`)
      await page.getByLabel('How many').fill('7')
      await page.getByLabel('Product').selectOption({ label: 'Canoe rental' })
      if (!setting.javaScriptEnabled) await page.getByRole('button', { name: 'Show' }).click()
      await page.getByRole('group', { name: 'Timeslot of Canoe rental' }).waitFor()
      t.equal(await page.getByLabel('How many').inputValue(), '7')
    }
  })

  t.test('a receipt and tickets have a button that prints them', async (t) => {
    const id = await hold()
    const Customer = { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' }
    await call('PATCH', `/baskets/${id}`, { Customer })
    const { data } = await call('POST', `/baskets/${id}/pay`, { Method: 'cash' })
    const reference = data.Lines[0].BookingReference
    for (const path of [`sell/${id}/receipt`, `bookings/${reference}/tickets/print`]) {
      const page = await enter(email)
      await page.goto(`${origin}/dashboard/${path}`)
      await page.evaluate('window.print = () => { document.title = "printed" }')
      await page.getByRole('button', { name: 'Print', exact: true }).click()
      t.equal(await page.title(), 'printed')
      const plain = await enter(email, { javaScriptEnabled: false })
      await plain.goto(`${origin}/dashboard/${path}`)
      t.notOk(await plain.getByRole('button', { name: 'Print', exact: true }).isVisible())
    }
  })

  t.test(
    'the pages of a sale are accessible, in light mode on a phone and in dark mode on a desktop',
    async (t) => {
      const id = await hold()
      await checkPages(t, email, [`/dashboard/sell/${id}?Next=pay`, '/dashboard/sell/held'])
    },
  )
})
