/** Bookings that are changed on a phone and on a desktop, with and without JavaScript. */
import t, { type Test } from 'tap'
import { defaultWorkflows } from '../../src/messaging/workflows/defaults.ts'
import { makeProduct } from '../helper.ts'
import { makeWorkflow } from '../messaging/emails/fixtures.ts'
import { keepPumping } from '../pump.ts'
import { openBrowser, withoutBrowser } from './browser.ts'
import { makeDashboard } from './fixtures.ts'

const [day, laterDay, dearerDay] = ['2030-06-15', '2030-06-16', '2030-06-17'] as const

async function prepare(t: Test) {
  const dashboard = await makeDashboard(t)
  const { app, sql, accountId, signIn, call } = dashboard
  keepPumping(t, sql)
  const slots = { [`${day} 10:00`]: 400, [`${laterDay} 10:00`]: 400, [`${dearerDay} 10:00`]: 400 }
  const { activityId, id: productId } = await makeProduct(sql, accountId, { slots })
  await sql`update products set has_own_prices = true`
  const setPrice = (date: string, minor: number) =>
    sql`update timeslots set unit_prices = ${sql.json({ 0: minor })} where date = ${date}`
  await setPrice(laterDay, 3500)
  await setPrice(dearerDay, 6000)
  const surf = await makeProduct(sql, accountId, { name: 'Surf', slots: { [`${laterDay} 12:00`]: 40 } })
  await sql`
    insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
    values (${accountId}, ${productId}, 1, 'Any allergy?', 'text', false, '{}', 'booking'),
      (${accountId}, ${surf.id}, 1, 'Can you all swim?', 'text', true, '{}', 'booking')`
  for (const workflow of Object.values(defaultWorkflows)) await makeWorkflow(sql, accountId, workflow)
  const { email } = await signIn()
  /** Sells three places at the till for cash; returns the reference of the booking. */
  const sell = async () => {
    const [question] = await sql<{ id: number }[]>`select id from questions where product_id = ${productId}`
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

t.test('changing a booking in a browser', { skip: withoutBrowser }, async (t) => {
  const { sql, origin, enter, email, sell, read, surf, checkPages } = await prepare(t)
  const settingsOf = (width: number, javaScriptEnabled: boolean) => {
    const where = `${width} px, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`
    return { where, viewport: { width, height: 800 }, javaScriptEnabled }
  }
  const everywhere = [375, 1280].flatMap((width) => [settingsOf(width, true), settingsOf(width, false)])
  const lastRefund = () =>
    sql`select amount_minor, kept_minor, status, cause from refunds order by id desc limit 1`

  for (const { where, ...settings } of everywhere) {
    t.test(
      `a paid party becomes smaller with a partial refund, and then larger again: ${where}`,
      async (t) => {
        const reference = await sell()
        const page = await enter(email, settings)
        await page.goto(`${origin}/dashboard/bookings/${reference}`)
        await page.locator('summary', { hasText: 'Change the party' }).click()
        const party = page.locator('form[action$="/amend"]')
        await party.getByLabel('Party').fill('2')
        await party.getByRole('button', { name: 'Change the party' }).click()
        await page.getByText('2 people, €90.00').waitFor()
        t.equal((await read(reference)).Participants, 3, 'nothing is changed yet')
        await page.getByRole('radio', { name: 'Part:' }).check()
        await page.getByLabel('Part, in EUR').fill('20')
        await page.getByRole('button', { name: 'Show the e-mail' }).click()
        await page.getByText('You get back €20.00.').waitFor()
        await page.getByRole('button', { name: 'Change the party' }).click()
        await page.getByText('The party is changed').waitFor()
        const booking = await read(reference)
        t.equal(booking.Participants, 2)
        t.match(await lastRefund(), [{ amount_minor: 2000, kept_minor: 2500, status: 'due' }])
        await page.locator('summary', { hasText: 'Change the party' }).click()
        await page.locator('form[action$="/amend"]').getByLabel('Party').fill('3')
        await page.getByRole('button', { name: 'Change the party' }).click()
        await page.getByText('First, the refund that is due for this sale is reduced by €20.00.').waitFor()
        await page.getByRole('button', { name: 'Change the party' }).click()
        await page.getByText('A refund that was due was reduced by €20.00.').waitFor()
        t.match(await page.locator('#payments').innerText(), /€25\.00 still to pay|Still to pay\s+€25\.00/i)
      },
    )

    t.test(
      `a booking is moved at today’s lower price, and the user chooses the refund: ${where}`,
      async (t) => {
        const reference = await sell()
        const page = await enter(email, settings)
        await page.goto(`${origin}/dashboard/bookings/${reference}/move?From=${laterDay}`)
        await page.getByRole('link', { name: /Move here.*16 Jun/ }).click()
        t.ok(
          await page.getByLabel('Keep its price: €135.00').isChecked(),
          'by default, the booking keeps its price',
        )
        const back = page.getByRole('group', { name: 'At today’s price, pay back' })
        t.notOk(await back.isVisible(), 'a kept price pays nothing back')
        await page.getByLabel('Today’s price there: €105.00, €30.00 less').check()
        await back.getByLabel('All: €30.00').waitFor()
        await back.getByRole('radio', { name: 'Part:' }).check()
        await back.getByLabel('Part, in EUR').fill('31')
        await page.getByRole('button', { name: 'Move the booking' }).click()
        await page
          .getByText('must be at most 30.00 EUR, by which the booking becomes cheaper')
          .first()
          .waitFor()
        t.ok(await page.getByLabel(/Today’s price there/).isChecked(), 'the form is as it was sent')
        await back.getByLabel('Part, in EUR').fill('12.50')
        await page.getByRole('button', { name: 'Move the booking' }).click()
        await page.getByText('The booking is moved').waitFor()
        t.match(await read(reference), { Date: laterDay, Total: { Amount: '105.00' } })
        t.match(await lastRefund(), [{ amount_minor: 1250, kept_minor: 1750, status: 'due', cause: 'moved' }])
        t.match(
          await page.locator('#history').innerText(),
          'The price went from €135.00 to €105.00. €12.50 is to be paid back.',
        )
      },
    )

    t.test(`a typed refund is not paid if the booking keeps its price after all: ${where}`, async (t) => {
      const reference = await sell()
      const page = await enter(email, settings)
      await page.goto(`${origin}/dashboard/bookings/${reference}/move/confirm?Date=${laterDay}&Time=10:00`)
      await page.getByLabel(/Today’s price there/).check()
      await page.getByRole('radio', { name: 'Part:' }).check()
      await page.getByLabel('Part, in EUR').fill('12.50')
      await page.getByLabel('Keep its price: €135.00').check()
      t.notOk(await page.getByLabel('Part, in EUR').isVisible())
      await page.getByRole('button', { name: 'Move the booking' }).click()
      if (!settings.javaScriptEnabled) {
        await page
          .getByText('must be at most 0.00 EUR: the booking does not become cheaper')
          .first()
          .waitFor()
        await page.getByRole('radio', { name: /^All/ }).check()
        await page.getByLabel('Part, in EUR').fill('')
        await page.getByRole('button', { name: 'Move the booking' }).click()
        await page.getByText('It keeps its price, so nothing is paid back.').waitFor()
      }
      await page.getByText('The booking is moved.').waitFor()
      t.match(await read(reference), { Date: laterDay, Total: { Amount: '135.00' } })
    })

    t.test(`a booking is moved at today’s higher price, and the difference is due: ${where}`, async (t) => {
      const reference = await sell()
      const page = await enter(email, settings)
      await page.goto(`${origin}/dashboard/bookings/${reference}/move?From=${laterDay}`)
      await page.getByRole('link', { name: /Move here.*17 Jun/ }).click()
      await page.getByLabel('Today’s price there: €180.00, €45.00 more').check()
      await page.getByText('At today’s price, the customer still has to pay €45.00.').waitFor()
      await page.getByRole('button', { name: 'Show the e-mail' }).click()
      await page.getByText('The e-mail for this choice').waitFor()
      t.ok(await page.getByLabel(/Today’s price there/).isChecked(), 'the preview keeps the choice')
      await page.getByRole('button', { name: 'Move the booking' }).click()
      await page.getByText('The booking is moved').waitFor()
      t.match(await read(reference), { Date: dearerDay, Total: { Amount: '180.00' } })
      t.match(await page.locator('#payments').innerText(), '€45.00')
    })
  }

  t.test('the page that moves a booking is accessible and fits its window', async (t) => {
    const reference = await sell()
    const confirm = `/dashboard/bookings/${reference}/move/confirm`
    await checkPages(t, email, [
      `${confirm}?Date=${laterDay}&Time=10:00`,
      `${confirm}?Date=${dearerDay}&Time=10:00`,
      `/dashboard/bookings/${reference}`,
    ])
  })

  for (const { where, ...settings } of [settingsOf(375, false), settingsOf(1280, true)]) {
    t.test(`a booking is moved to another product without telling the customer: ${where}`, async (t) => {
      const reference = await sell()
      const page = await enter(email, settings)
      await page.goto(`${origin}/dashboard/bookings/${reference}`)
      await page.getByRole('link', { name: /^Move/ }).first().click()
      await page.getByLabel('Product').selectOption('Surf')
      await page.getByLabel('From').fill(laterDay)
      await page.getByRole('button', { name: 'Show' }).click()
      await page.getByRole('link', { name: /Move here/ }).click()
      t.match(await page.locator('main').innerText(), /Moved to\s+Surf, .*16 Jun/)
      await page.getByText('Still to ask after the move: Can you all swim?').waitFor()
      await page.getByLabel(/Tell the customer/).uncheck()
      await page.getByRole('button', { name: 'Move the booking' }).click()
      await page.getByText('The booking is moved').waitFor()
      t.match(await read(reference), { ProductID: surf.id, Date: laterDay, Time: '12:00' })
      t.match(
        await sql`
          select details ->> 'TellCustomer' as told from events where type = 'booking.moved' order by id desc limit 1`,
        [{ told: 'false' }],
      )
      t.match(await page.locator('#history').innerText(), /moved it from Kayak, .*15 Jun.* to Surf, .*16 Jun/)
      t.match(await page.locator('#answers').innerText(), /Any allergy\? \(asked for Kayak\)\s+Peanuts/)
      await page.goto(`${origin}/dashboard/today?Date=${laterDay}`)
      const onDay = page.locator(`#party-${reference}`)
      t.match(await onDay.innerText(), /Any allergy\?\s+Peanuts/)
      await onDay.getByText('Still to ask:').getByRole('link', { name: 'Can you all swim?' }).click()
      await page.getByLabel('Can you all swim?').fill('Yes')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved.').waitFor()
      t.notMatch(await page.locator('main').innerText(), 'Still to ask')
    })
  }

  t.test('the answer to an optional question is shown on Today and on the printed manifest', async (t) => {
    const reference = await sell()
    const page = await enter(email, { viewport: { width: 375, height: 800 } })
    await page.goto(`${origin}/dashboard/today?Date=${day}`)
    t.match(await page.locator(`#party-${reference}`).innerText(), /Any allergy\?\s+Peanuts/)
    await page.getByRole('link', { name: 'Manifest' }).first().click()
    await page.emulateMedia({ media: 'print' })
    t.match(await page.locator('main').innerText(), /Any allergy\?\s+Peanuts/)
    t.match(await page.locator('main').innerText(), '912 345 678')
  })
})
