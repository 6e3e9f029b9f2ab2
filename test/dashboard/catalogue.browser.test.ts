/** The catalogue in a real browser: products, schedules that make timeslots for partners, and questions. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { clockAt } from '../clock.ts'
import { accessibilityFaults, openBrowser, withoutBrowser } from './browser.ts'
import { makeDashboard } from './fixtures.ts'

t.test('the catalogue in a browser', { skip: withoutBrowser }, async (t) => {
  const clock = clockAt('2030-06-01T08:00Z')
  const { app, sql, call, partner, book, signIn } = await makeDashboard(t, {
    ...clock,
    environment: { SCHEDULE_HORIZON_DAYS: '40' },
  })
  const { email } = await signIn('staff')
  const { origin, enter, checkPages } = await openBrowser(t, app)
  /** The data that a partner reads at this path. */
  const read = async (path: string) =>
    (await app.inject({ url: `/api/v2/ota/marketplace/${path}`, headers: partner.headers })).json().data
  const findActivityId = async () => {
    const [row] = await sql<{ id: string }[]>`select 's_' || activity_id as id from products`
    return row!.id
  }
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

  t.test('a product and its schedule are made, and partners see the timeslots', async (t) => {
    const page = await enter(email)
    await page.getByRole('link', { name: 'Catalogue' }).click()
    await page.getByRole('link', { name: 'New product' }).click()
    await page.getByLabel('Name').fill('Sunset kayak tour')
    await page.getByLabel('Description').fill('Along the cliffs.')
    await page.getByLabel('Duration', { exact: true }).fill('120')
    await page.getByLabel('Price', { exact: true }).fill('45,5055')
    await page.getByLabel('Currency').fill('eur')
    await page.getByLabel('Published in the shopfront').check()
    await press(page, 'Save product')
    t.match(await page.textContent('[role=alert]'), 'Price')
    t.match(await page.textContent('main'), 'which has 2 decimals')
    t.equal(await page.getByLabel('Description').inputValue(), 'Along the cliffs.')
    t.ok(await page.getByLabel('Published in the shopfront').isChecked(), 'what was typed is kept')
    t.same(await accessibilityFaults(page), [])
    await page.getByRole('link', { name: 'Price', exact: true }).click()
    await page.getByLabel('Price', { exact: true }).fill('45,50')
    await press(page, 'Save product')
    t.match(await page.textContent('[role=status]'), 'Saved.')

    await page.getByRole('link', { name: 'New schedule' }).click()
    await page.getByLabel('First day').fill('2030-06-03')
    await page.getByLabel('Last day').fill('2030-06-30')
    for (const day of ['Mon', 'Wed']) await page.getByLabel(day).check()
    await page.getByLabel('Times', { exact: true }).fill('10:00, 6 pm')
    await page.getByLabel('Places of each timeslot').fill('8')
    await page.getByLabel('Closed date 1').fill('2030-06-10')
    await press(page, 'Preview')
    await page.locator('main', { hasText: /14\s+to be made/ }).waitFor()
    t.equal((await sql`select from timeslots`).length, 0)
    await press(page, 'Save this schedule')
    t.match(await page.textContent('[role=status]'), /14\s+made/)
    t.same(await read('products'), [
      {
        ...(await read('products'))[0],
        Name: 'Sunset kayak tour',
        Price: { Amount: '45.50', Currency: 'EUR' },
      },
    ])
    const dates = `availability/${await findActivityId()}/dates?StartDate=2030-06-03&EndDate=2030-06-12`
    t.match(await read(dates), [
      { Date: '2030-06-03', Timeslots: 2, Capacity: 16 },
      { Date: '2030-06-05', Timeslots: 2 },
      { Date: '2030-06-12', Timeslots: 2 },
    ])
  })

  t.test(
    'a schedule is changed: the preview and the report name the edited and booked timeslots, which stay as they are',
    async (t) => {
      const slots = await sql<{ id: number }[]>`select id from timeslots order by date, time`
      await call('PATCH', `/timeslots/${slots[0]!.id}`, { Capacity: 5 })
      await book(await findActivityId(), { Date: '2030-06-05', Time: '10:00' })
      const page = await enter(email)
      const [product] = await sql<{ id: number }[]>`select id from products`
      await page.goto(`${origin}/dashboard/catalogue/${product!.id}`)
      await page.getByRole('region', { name: 'Schedules' }).getByRole('link').click()
      await page.getByLabel('Places of each timeslot').fill('12')
      await press(page, 'Preview')
      const left = page.getByRole('region', { name: 'Timeslots left as they are' })
      const expected = /3 Jun 2030.*edited by hand[\s\S]*5 Jun 2030.*places are booked/
      t.match(await left.textContent(), expected)
      t.match(
        await page.getByRole('region', { name: 'Timeslots after this change' }).textContent(),
        'instead of 8',
      )
      t.same(await accessibilityFaults(page), [])
      await press(page, 'Save this schedule')
      t.match(await page.textContent('[role=status]'), /12\s+changed/)
      t.match(await left.textContent(), expected)
      t.same(await accessibilityFaults(page), [])
    },
  )

  t.test('a product is unpublished by a button, and published again by another', async (t) => {
    const page = await enter(email)
    await page.goto(`${origin}/dashboard/catalogue`)
    await press(page, 'Unpublish: Sunset kayak tour')
    t.match(await page.textContent('[role=status]'), 'no longer published')
    t.same(await read('products'), [])
    await press(page, 'Publish: Sunset kayak tour')
    await page.getByText('published', { exact: true }).waitFor()
    t.equal((await read('products')).length, 1)
  })

  t.test('questions are added, put in order and removed by the keyboard', async (t) => {
    const page = await enter(email)
    const [product] = await sql<{ id: number }[]>`select id from products`
    for (const label of ['Can you swim?', 'How tall are you?']) {
      await page.goto(`${origin}/dashboard/catalogue/${product!.id}`)
      await page.getByRole('link', { name: 'Add a question' }).press('Enter')
      await page.getByLabel('Question').fill(label)
      await page.keyboard.press('Enter')
      await page.locator('.done').waitFor()
    }
    await page.getByRole('button', { name: 'Up: How tall' }).press('Enter')
    await page.getByRole('button', { name: 'Down: How tall' }).waitFor()
    const labels = async () =>
      (await read(`questions/${await findActivityId()}`)).map((one: { Label: string }) => one.Label)
    t.same(await labels(), ['How tall are you?', 'Can you swim?'])
    page.once('dialog', (dialog) => void dialog.accept())
    await page.getByRole('button', { name: 'Remove: How tall' }).press('Enter')
    await page.getByRole('button', { name: 'Remove: How tall' }).waitFor({ state: 'detached' })
    t.same(await labels(), ['Can you swim?'])
  })

  t.test('the pages are accessible, in light mode on a phone and in dark mode on a desktop', async (t) => {
    const [ids] = await sql<{ product: number; schedule: number; question: number }[]>`
      select products.id as product, schedules.id as schedule, questions.id as question
      from products, schedules, questions`
    const product = `/dashboard/catalogue/${ids!.product}`
    const { data } = await call('POST', '/promotions', {
      ...{ Code: 'A-LONG-CODE-OF-FORTY-LETTERS-AND-HYPHENS', Amount: '15', Currency: 'EUR' },
      ...{ ProductIDs: [ids!.product], TravelFrom: '2030-06-01', TravelTo: '2030-06-30', MaxUses: 100 },
    })
    await call('PUT', `/products/${ids!.product}/refund-terms`, {
      RefundTerms: [{ Percent: '100', HoursBefore: 48 }],
    })
    await checkPages(t, email, [
      '/dashboard/promotions',
      '/dashboard/promotions/new',
      `/dashboard/promotions/${data.PromotionID}`,
      `${product}/refund-terms`,
      `${product}/translations/pt`,
      '/dashboard/catalogue',
      '/dashboard/catalogue?Name=nothing',
      '/dashboard/catalogue/new',
      product,
      `${product}/questions/${ids!.question}`,
      `${product}/schedules/${ids!.schedule}`,
      `${product}/schedules/${ids!.schedule}/end`,
    ])
  })
})
