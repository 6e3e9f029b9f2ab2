/**
 * Units in a browser: from the form of a product to a sale at the till, a change of the party, and the page
 * with the bookings of the day.
 */
import t from 'tap'
import { openBrowser, withoutBrowser } from '../dashboard/browser.ts'
import { makeDashboard } from '../dashboard/fixtures.ts'
import { makeProduct } from '../helper.ts'

const day = '2030-06-15'

t.test('units in a browser', { skip: withoutBrowser }, async (t) => {
  const { app, sql, accountId, signIn, call } = await makeDashboard(t)
  const { id: productId } = await makeProduct(sql, accountId, {
    name: 'Dolphin watching with a marine biologist on board',
    slots: { [`${day} 10:00`]: 8, [`${day} 12:00`]: 8 },
  })
  const [slot] = await sql<{ id: number }[]>`select id from timeslots order by time desc`
  const { email } = await signIn('staff')
  const { origin, enter, checkPages } = await openBrowser(t, app)
  const product = `/dashboard/catalogue/${productId}`
  const sell = `/dashboard/sell?ProductID=${productId}&From=${day}`
  let reference = ''

  t.test('are added to a product, sold without JavaScript, changed, and shown on the day', async (t) => {
    const page = await enter(email, { javaScriptEnabled: false })
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    await page.goto(origin + product)
    for (const [name, type, price] of [
      ['Adult', 'adult', '45,00'],
      ['Child', 'child', '25.00'],
    ] as const) {
      await page.getByRole('link', { name: 'Add a unit' }).click()
      await page.getByLabel('Name').fill(name)
      await page.getByLabel('For', { exact: true }).selectOption({ label: type })
      await page.getByLabel('Price of one').fill(price)
      if (name === 'Child') {
        await page.getByLabel('Youngest age').fill('4')
        await page.getByLabel('Oldest age').fill('11')
        await page.getByRole('checkbox', { name: 'Adult' }).check()
      }
      await press('Save')
      t.match(await page.textContent('[role=status]'), 'The units are saved.')
    }

    await page.goto(`${origin}/dashboard/calendar/timeslots/${slot!.id}`)
    await page.getByText('Change the prices').first().click()
    await page.getByLabel('Adult, in EUR').fill('55')
    await press('Change the prices')
    t.match(await page.textContent('main'), 'Adult €55.00, Child €25.00.')

    await page.goto(origin + sell)
    await page.getByLabel(/12:00/).check()
    await page.getByLabel(/^Adult/).fill('0')
    await page.getByLabel(/^Child \(4–11\), €25.00/).fill('1')
    await press('Hold the places')
    t.match(await page.textContent('main'), 'Child must be accompanied by Adult')
    await page.getByLabel(/12:00/).check()
    await page.getByLabel(/^Adult/).fill('2')
    await press('Hold the places')
    t.match(await page.textContent('main'), 'To pay: €135.00')
    await page.getByLabel('First name').fill('Grace')
    await press('Continue to payment')
    await press('Take €135.00')
    reference = (await page.textContent('.reference'))!.trim()

    await page.goto(`${origin}/dashboard/bookings/${reference}`)
    await page.locator('summary', { hasText: 'Change the party' }).click()
    await page.getByLabel(/^Child/).fill('2')
    await press('Change the party')
    t.match(await page.textContent('main'), '€160.00')
    await press('Change the party')
    t.match(await page.textContent('main'), 'Child from 1 to 2')
    await page.goto(`${origin}/dashboard/today?Date=${day}`)
    t.match(await page.textContent('.who'), '2 × Adult, 2 × Child')
    t.match((await call('GET', `/bookings/${reference}`)).data.Total, { Amount: '160.00' })
  })

  t.test('have accessible pages, light on a phone and dark on a desktop', async (t) => {
    const [unit] = (await call('GET', `/products/${productId}/units`)).data
    const line = { ActivityID: '', Date: day, Time: '12:00', Units: [{ UnitID: unit.UnitID, Quantity: 1 }] }
    const { ActivityID } = (await call('GET', `/products/${productId}`)).data
    const basket = await call('POST', '/baskets', { Channel: 'pos', Lines: [{ ...line, ActivityID }] })
    const sale = `/dashboard/sell/${basket.data.BasketID}`
    const booking = `/dashboard/bookings/${reference}`
    const timeslot = `/dashboard/calendar/timeslots/${slot!.id}`
    await checkPages(t, email, [
      ...[sell, sale, `${sale}/pay`, booking, `${booking}/move`, '/dashboard/bookings', timeslot],
      ...[product, `${product}/units/new`, `${product}/units/${unit.UnitID}`, `${product}/schedules/new`],
    ])
  })
})
