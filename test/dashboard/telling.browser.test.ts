/** Notifying customers, on a phone without JavaScript and on a desktop with JavaScript. */
import t, { type Test } from 'tap'
import { defaultWorkflows } from '../../src/messaging/workflows/defaults.ts'
import { makeProduct } from '../helper.ts'
import { makeWorkflow } from '../messaging/emails/fixtures.ts'
import { keepPumping } from '../pump.ts'
import { openBrowser, withoutBrowser } from './browser.ts'
import { makeDashboard } from './fixtures.ts'

const [day, later] = ['2030-06-15', '2030-06-16'] as const
const windows = [
  { viewport: { width: 375, height: 800 }, javaScriptEnabled: false },
  { viewport: { width: 1280, height: 800 }, javaScriptEnabled: true },
]

async function prepare(t: Test) {
  const dashboard = await makeDashboard(t)
  const { app, sql, accountId, signIn } = dashboard
  keepPumping(t, sql)
  const { activityId } = await makeProduct(sql, accountId, {
    slots: { [`${day} 10:00`]: 40, [`${later} 10:00`]: 40 },
  })
  for (const workflow of Object.values(defaultWorkflows)) await makeWorkflow(sql, accountId, workflow)
  const { email } = await signIn()
  const [slot] = await sql<{ id: number }[]>`select id from timeslots order by date limit 1`
  return { ...dashboard, ...(await openBrowser(t, app)), activityId, email, slotId: slot!.id }
}

t.test('notifying customers in a browser', { skip: withoutBrowser }, async (t) => {
  const { sql, book, activityId, origin, enter, checkPages, email, slotId } = await prepare(t)
  /** Counts the events of a type that notify the customer. The other events have the detail TellCustomer. */
  const countTold = async (type: string) => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::integer as count from events where type = ${type} and not details ? 'TellCustomer'`
    return row!.count
  }

  for (const [number, settings] of windows.entries()) {
    const where = `${settings.viewport.width} px, ${settings.javaScriptEnabled ? 'with' : 'without'} JavaScript`

    t.test(`a booking is moved with a notification, then cancelled without one: ${where}`, async (t) => {
      const { reference } = await book(activityId)
      const page = await enter(email, settings)
      await page.goto(`${origin}/dashboard/bookings/${reference}/move?From=${later}`)
      await page
        .getByRole('link', { name: /Move here/ })
        .first()
        .click()
      t.ok(await page.getByLabel(/Tell the customer/).isChecked())
      await page.getByText('Show the e-mail').click()
      t.match(await page.locator('pre.email').innerText(), 'It is now:')
      await page.getByRole('button', { name: 'Move the booking' }).click()
      await page.getByText('The booking is moved.').waitFor()
      t.equal(await countTold('booking.moved'), number + 1)
      await page.getByRole('link', { name: 'Cancel the booking' }).click()
      await page.getByLabel(/Tell the customer/).uncheck()
      await page.getByRole('button', { name: 'Cancel the booking' }).click()
      await page.getByText('The customer was not told.').waitFor()
      t.equal(await countTold('booking.cancelled'), 0)
    })

    t.test(`a message goes to all bookings of a timeslot, after a preview: ${where}`, async (t) => {
      await book(activityId)
      const page = await enter(email, settings)
      await page.goto(`${origin}/dashboard/calendar/timeslots/${slotId}`)
      await page.getByRole('link', { name: 'Message everybody on it' }).click()
      await page.getByLabel('Subject').fill('Pier 3')
      await page.getByLabel('Text').fill('Hello {{ customer.first_name }}, come to pier 3.')
      t.equal(
        await page.getByRole('button', { name: /Send to/ }).count(),
        0,
        'a message can be sent only after its preview',
      )
      await page.getByRole('button', { name: 'Preview' }).click()
      t.match(await page.locator('pre.email').innerText(), 'Hello Ada, come to pier 3.')
      await page.getByRole('button', { name: /Send to/ }).click()
      await page.getByText('The message is on its way.').waitFor()
    })

    t.test(`an internal note is written: ${where}`, async () => {
      const { reference } = await book(activityId)
      const page = await enter(email, settings)
      await page.goto(`${origin}/dashboard/bookings/${reference}`)
      await page.getByText('Add a note').click()
      await page.getByRole('textbox', { name: 'Notes' }).fill('Comes back each summer.')
      await page.getByRole('button', { name: 'Save the notes' }).click()
      await page.locator('.own-lines', { hasText: 'Comes back each summer.' }).waitFor()
    })
  }

  t.test('a day is closed, its customers are called, and the day is reopened', async (t) => {
    const { reference } = await book(activityId)
    await sql`update bookings set email = null, phone = '+351912345678' where reference = ${reference}`
    for (const settings of windows) {
      const page = await enter(email, settings)
      await page.goto(`${origin}/dashboard/calendar?Date=${day}`)
      await page
        .locator(`#day-${day}`)
        .getByRole('link', { name: /^Close/ })
        .click()
      await page.getByRole('button', { name: 'Show what will happen' }).click()
      if (settings === windows[0]) {
        const badge = page.getByText('no e-mail address: tell them yourself')
        const { x, width } = (await badge.boundingBox())!
        t.ok(x + width <= settings.viewport.width, 'the warning is not cut off')
      }
      await page.getByRole('button', { name: /^Close 1 timeslot/ }).click()
      await page.getByRole('link', { name: 'Whom to call' }).click()
      t.match(await page.locator('main').innerText(), reference)
      await page.goto(`${origin}/dashboard/calendar?Date=${day}`)
      t.match(await page.locator(`#day-${day}`).innerText(), 'Closed')
      await page
        .locator(`#day-${day}`)
        .getByRole('link', { name: /^Reopen/ })
        .click()
      await page.getByRole('button', { name: 'Put them on sale again' }).click()
      await page.getByText('The timeslots are on sale again.').waitFor()
    }
    const page = await enter(email, windows[0])
    await page.goto(`${origin}/dashboard/calendar/calls`)
    await page
      .locator(`#call-${slotId}-${reference}`)
      .getByRole('button', { name: /Mark as informed/ })
      .click()
    t.match(await page.locator(`#call-${slotId}-${reference}`).innerText(), `Informed by ${email}`)
  })

  t.test('the pages are accessible and fit a phone', async (t) => {
    const { reference } = await book(activityId)
    const confirm = `/dashboard/bookings/${reference}/move/confirm?Date=${later}&Time=10:00`
    const message = `/dashboard/calendar/timeslots/${slotId}/message`
    const calendar = '/dashboard/calendar'
    await checkPages(t, email, [
      ...[`/dashboard/bookings/${reference}`, confirm, message],
      ...[`${calendar}/calls`, `${calendar}/reopen?Date=${day}`, `${calendar}?Date=${day}`],
    ])
  })
})
