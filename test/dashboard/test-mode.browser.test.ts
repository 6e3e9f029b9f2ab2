/**
 * Test mode in a real browser: an owner opens it, a switch leads to live mode, and open pages are updated.
 */
import t from 'tap'
import { openTestMode } from '../../src/test-mode/service.ts'
import { makeProduct } from '../helper.ts'
import { makeSending } from '../messaging/emails/fixtures.ts'
import { pumpEvents } from '../pump.ts'
import { openBrowser, withoutBrowser } from './browser.ts'
import { makeDashboard } from './fixtures.ts'

const day = '2030-06-15'

t.test('test mode in a browser', { skip: withoutBrowser }, async (t) => {
  const { app, sql, accountId, signIn } = await makeDashboard(t)
  const { id, activityId } = await makeProduct(sql, accountId, {
    name: 'Kayak',
    slots: { [`${day} 10:00`]: 4 },
  })
  const { email, post } = await signIn()
  const { origin, enter, checkPages } = await openBrowser(t, app)

  t.test('an owner opens test mode, and returns to live mode by the switch', async (t) => {
    const page = await enter(email)
    await page.getByRole('navigation', { name: 'Mode' }).getByRole('link', { name: 'Test' }).click()
    await page.getByRole('button', { name: 'Open test mode' }).click()
    const band = page.getByRole('complementary', { name: 'Test mode' })
    await band.getByText('nothing here is sold').waitFor()
    await page.getByRole('link', { name: 'Bookings' }).click()
    t.equal(new URL(page.url()).pathname, '/dashboard/test/bookings')
    await page.getByRole('link', { name: 'Live' }).click()
    t.equal(new URL(page.url()).pathname, '/dashboard/bookings')
    t.equal(await band.count(), 0)
  })

  t.test('test bookings appear on open pages of test mode without a reload, not on live pages', async (t) => {
    await openTestMode(sql, accountId)
    const page = await enter(email)
    const stream = page.waitForResponse((response) => response.url().endsWith('/dashboard/test/live'))
    await page.goto(`${origin}/dashboard/test/today?Date=${day}`)
    await stream
    const sale = { ActivityID: activityId, Slot: `${day}T10:00`, Participants: '2' }
    const { location } = (await post('/dashboard/test/sell', sale)).headers
    const customer = { 'Customer.FirstName': 'Grace', 'Customer.Email': 'grace@example.com' }
    await post(`${location}/customer`, customer)
    t.equal((await post(`${location}/pay`, { Method: 'cash' })).statusCode, 303)
    await pumpEvents(sql)
    const party = page.locator('strong', { hasText: 'Grace' })
    await party.waitFor()
    await page.goto(`${origin}/dashboard/today?Date=${day}`)
    t.equal(await party.count(), 0)
  })

  t.test('pages of test mode are accessible, light on a phone and dark on a desktop', async (t) => {
    const [booking] = await sql<{ reference: string }[]>`select reference from bookings`
    await post(`/dashboard/test/bookings/${booking!.reference}/resend`)
    await pumpEvents(sql)
    await makeSending(sql, { DATA_DIR: t.testdir() })()
    const [sent] = await sql<{ id: number }[]>`select id from emails`
    const test = [
      `today?Date=${day}`,
      `bookings/${booking!.reference}`,
      `emails/${sent!.id}`,
      `catalogue/${id}`,
    ]
    const [slot] = await sql<{ id: number }[]>`select id from timeslots`
    const paths = [...test, `calendar/timeslots/${slot!.id}`, 'partners', 'usage'].map(
      (path) => `test/${path}`,
    )
    const live = ['test-mode', 'partners']
    await checkPages(
      t,
      email,
      [...paths, ...live].map((path) => `/dashboard/${path}`),
    )
  })
})
