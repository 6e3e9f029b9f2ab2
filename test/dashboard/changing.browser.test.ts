/** Bookings that are changed as people do it, on a phone without JavaScript and on a desk with it. */
import t, { type Test } from 'tap'
import { defaultWorkflows } from '../../src/messaging/workflows/defaults.ts'
import { makeProduct } from '../helper.ts'
import { makeWorkflow } from '../messaging/emails/fixtures.ts'
import { keepPumping } from '../pump.ts'
import { openBrowser, withoutBrowser } from './browser.ts'
import { makeDashboard } from './fixtures.ts'

const [day, later] = ['2030-06-15', '2030-06-16'] as const

async function prepare(t: Test) {
  const dashboard = await makeDashboard(t)
  const { app, sql, accountId, signIn, call } = dashboard
  keepPumping(t, sql)
  const slots = { [`${day} 10:00`]: 40, [`${later} 10:00`]: 40 }
  const { activityId, id: productId } = await makeProduct(sql, accountId, { slots })
  const surf = await makeProduct(sql, accountId, { name: 'Surf', slots: { [`${later} 12:00`]: 40 } })
  await sql`
    insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
    values (${accountId}, ${productId}, 1, 'Any allergy?', 'text', false, '{}', 'booking')`
  for (const workflow of Object.values(defaultWorkflows)) await makeWorkflow(sql, accountId, workflow)
  const { email } = await signIn()
  /** A sale of three at the till that is paid in cash. */
  const sell = async () => {
    const [question] = await sql<{ id: number }[]>`select id from questions`
    const { data } = await call('POST', '/bookings', {
      ...{ ActivityID: activityId, Date: day, Time: '10:00', Participants: 3, Payment: { Method: 'cash' } },
      Customer: {
        FirstName: 'Grace',
        LastName: 'Hopper',
        Email: 'grace@example.com',
        Phone: '+351912345678',
      },
      Answers: [{ QuestionID: question!.id, Value: 'Peanuts' }],
    })
    return data.BookingReference as string
  }
  const read = async (reference: string) => (await call('GET', `/bookings/${reference}`)).data
  return { ...dashboard, ...(await openBrowser(t, app)), surf, email, sell, read }
}

t.test('in a browser', { skip: withoutBrowser }, async (t) => {
  const { sql, origin, enter, email, sell, read, surf } = await prepare(t)
  for (const settings of [
    { viewport: { width: 375, height: 800 }, javaScriptEnabled: false },
    { viewport: { width: 1280, height: 800 }, javaScriptEnabled: true },
  ]) {
    const where = `${settings.viewport.width} px, ${settings.javaScriptEnabled ? 'with' : 'without'} JavaScript`

    t.test(`a paid party becomes smaller, and a part of it is paid back: ${where}`, async (t) => {
      const reference = await sell()
      const page = await enter(email, settings)
      page.on('dialog', (dialog) => dialog.accept())
      await page.goto(`${origin}/dashboard/bookings/${reference}`)
      const party = page.locator('form[action$="/amend"]')
      await party.getByLabel('Party').fill('2')
      await party.getByText('What is paid back if it becomes cheaper').click()
      await party.getByRole('radio', { name: 'Another amount:' }).check()
      await party.getByLabel('Another amount, in EUR').fill('20')
      await page.getByRole('button', { name: 'Change the party' }).click()
      await page.getByText('The party is changed').waitFor()
      const booking = await read(reference)
      t.equal(booking.Participants, 2)
      t.match(await sql`select amount_minor, kept_minor, status from refunds order by id desc limit 1`, [
        { amount_minor: 2000, kept_minor: 2500, status: 'due' },
      ])
    })

    t.test(`a booking is moved to another product without telling the customer: ${where}`, async (t) => {
      const reference = await sell()
      const page = await enter(email, settings)
      page.on('dialog', (dialog) => dialog.accept())
      await page.goto(`${origin}/dashboard/bookings/${reference}`)
      await page.getByRole('link', { name: /^Move/ }).first().click()
      await page.getByLabel('Product').selectOption('Surf')
      await page.getByLabel('From').fill(later)
      await page.getByRole('button', { name: 'Show' }).click()
      await page.getByRole('link', { name: /Move here/ }).click()
      t.match(await page.locator('main').innerText(), /Moved to\s+Surf, .*16 Jun/)
      await page.getByLabel(/Tell the customer/).uncheck()
      await page.getByRole('button', { name: 'Move the booking' }).click()
      await page.getByText('The booking is moved').waitFor()
      t.match(await read(reference), { ProductID: surf.id, Date: later, Time: '12:00' })
      t.match(
        await sql`
          select details ->> 'TellCustomer' as told from events where type = 'booking.moved' order by id desc limit 1`,
        [{ told: 'false' }],
      )
    })
  }

  t.test(
    'a departure shows an allergy, also where its question is optional, on a phone and on paper',
    async (t) => {
      const reference = await sell()
      const page = await enter(email, { viewport: { width: 375, height: 800 } })
      await page.goto(`${origin}/dashboard/today?Date=${day}`)
      t.match(await page.locator(`#party-${reference}`).innerText(), /Any allergy\? Peanuts/)
      await page.getByRole('link', { name: 'Manifest' }).first().click()
      await page.emulateMedia({ media: 'print' })
      t.match(await page.locator('main').innerText(), /Any allergy\? Peanuts/)
      t.match(await page.locator('main').innerText(), '912 345 678')
    },
  )
})
