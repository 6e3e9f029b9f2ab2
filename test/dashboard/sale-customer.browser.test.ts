/**
 * The customer of several bookings of one sale, changed on a phone and on a desktop, with and without JavaScript.
 */
import t from 'tap'
import { makeProduct } from '../helper.ts'
import { openBrowser, withoutBrowser } from './browser.ts'
import { makeDashboard } from './fixtures.ts'

t.test('the customer of a sale in a browser', { skip: withoutBrowser }, async (t) => {
  const { app, sql, accountId, signIn, call } = await makeDashboard(t)
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 80 } })
  const { email } = await signIn('staff')
  const { origin, enter, checkPages } = await openBrowser(t, app)
  const line = { ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 2 }
  const Customer = { FirstName: 'Ada', LastName: 'Lovelace', Phone: '+351912345678' }
  const sell = async () => {
    const { data } = await call('POST', '/baskets', { Channel: 'pos', Lines: [line, line] })
    await call('PATCH', `/baskets/${data.BasketID}`, { Customer })
    await call('POST', `/baskets/${data.BasketID}/pay`, { Method: 'card' })
    const references: string[] = data.Lines.map(
      ({ BookingReference }: { BookingReference: string }) => BookingReference,
    )
    const phoneOf = async (index: number) =>
      (await call('GET', `/bookings/${references[index]}`)).data.Customer.Phone as string
    return { path: `/dashboard/bookings/${references[0]}/customer`, phoneOf }
  }

  for (const [width, javaScriptEnabled] of [
    [375, true],
    [375, false],
    [1280, true],
    [1280, false],
  ] as const)
    t.test(
      `is changed on both bookings or one, ${javaScriptEnabled ? 'with' : 'without'} script, ${width} px`,
      async (t) => {
        const { path, phoneOf } = await sell()
        const page = await enter(email, { javaScriptEnabled, viewport: { width, height: 800 } })
        const box = page.getByLabel('Also for the other booking of this sale')
        const save = async (phone: string) => {
          await page.getByLabel('Phone').fill(phone)
          await page.getByRole('button', { name: 'Save' }).click()
          await page.locator('.done').waitFor()
        }
        await page.goto(origin + path)
        t.ok(await box.isChecked())
        await save('911 111 111')
        t.same([await phoneOf(0), await phoneOf(1)], ['+351911111111', '+351911111111'])
        await page.goto(origin + path)
        await box.uncheck()
        await save('922 222 222')
        t.same([await phoneOf(0), await phoneOf(1)], ['+351922222222', '+351911111111'])
        await page.goto(origin + path)
        t.equal(await box.count(), 0, 'the other booking has another contact now')
      },
    )

  t.test('the form is accessible, and fits its window', async (t) => {
    const { path } = await sell()
    await checkPages(t, email, [path])
  })
})
