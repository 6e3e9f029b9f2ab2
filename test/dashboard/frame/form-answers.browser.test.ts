/** Back and reload after the response to a form, in a real browser, which never asks to send the form again. */
import t from 'tap'
import { makeProduct } from '../../helper.ts'
import { makeOffered, paymentPage } from '../../sales/waitlist/fixtures.ts'
import { openBrowser, withoutBrowser } from '../browser.ts'
import { makeDashboard } from '../fixtures.ts'

const day = '2030-06-15'

t.test('after a form of the dashboard was sent', { skip: withoutBrowser }, async (t) => {
  const { app, sql, accountId, signIn, call } = await makeDashboard(t)
  const { activityId, id: productId } = await makeProduct(sql, accountId, { slots: { [`${day} 10:00`]: 8 } })
  const line = { ActivityID: activityId, Date: day, Time: '10:00', Participants: 1 }
  const sold = await call('POST', '/bookings', { ...line, Payment: { Method: 'cash', Amount: '0.00' } })
  const reference = sold.data.BookingReference
  const { email } = await signIn()
  const { origin, enter, open } = await openBrowser(t, app)

  t.test('and refused, Back and a reload show the page of the form without the error', async (t) => {
    const page = await enter(email)
    const form = `${origin}/dashboard/catalogue/new`
    await page.goto(form)
    await page.getByLabel('Name').fill('Kayak by night')
    await page.getByLabel('Description').fill('Along the cliffs.')
    await page.getByLabel('Duration', { exact: true }).fill('120')
    await page.getByLabel('Price', { exact: true }).fill('45,5055')
    await page.getByLabel('Currency').fill('EUR')
    await page.getByRole('button', { name: 'Save product' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByRole('link', { name: 'Calendar', exact: true }).click()
    await page.getByRole('heading', { name: 'Calendar' }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Save product' }).waitFor()
    t.equal(page.url(), form)
    t.equal(await page.getByRole('alert').count(), 0, 'nothing was sent again')
    await page.getByLabel('Name').fill('Kayak by night')
    await page.getByLabel('Duration', { exact: true }).fill('120')
    await page.getByLabel('Price', { exact: true }).fill('45,5055')
    await page.getByLabel('Currency').fill('EUR')
    await page.getByRole('button', { name: 'Save product' }).click()
    await page.getByRole('alert').waitFor()
    await page.reload()
    t.equal(page.url(), form)
    t.equal(await page.getByRole('alert').count(), 0, 'nothing was sent again')
  })

  t.test(
    'and refused, Back shows what a colleague saved in between, and saving does not overwrite it',
    async (t) => {
      const page = await enter(email)
      const form = `${origin}/dashboard/catalogue/${productId}`
      const save = { name: 'Save', exact: true } as const
      await page.goto(form)
      await page.getByLabel('Name').fill('Kayak by night')
      await page.getByLabel('Price', { exact: true }).fill('45,5055')
      await page.getByRole('button', save).first().click()
      await page.getByRole('alert').waitFor()
      await page.getByRole('link', { name: 'Calendar', exact: true }).click()
      await page.getByRole('heading', { name: 'Calendar' }).waitFor()
      const colleague = await enter(email)
      await colleague.goto(form)
      await colleague.getByLabel('Description').fill('The words of a colleague.')
      await colleague.getByRole('button', save).first().click()
      await colleague.locator('.done').waitFor()
      await page.goBack()
      await page.getByRole('button', save).first().waitFor()
      t.equal(await page.getByLabel('Description').inputValue(), 'The words of a colleague.')
      await page.getByLabel('Name').fill('Kayak at dawn')
      await page.getByRole('button', save).first().click()
      await page.locator('.done').waitFor()
      const [product] = await sql`select name, description from products where id = ${productId}`
      t.same(product, { name: 'Kayak at dawn', description: 'The words of a colleague.' })
    },
  )

  t.test('and saved, Back and a reload do not show the notice again', async (t) => {
    const page = await enter(email)
    const form = `${origin}/dashboard/catalogue/${productId}`
    await page.goto(form)
    await page.getByLabel('Description').fill('Along the cliffs.')
    await page.getByRole('button', { name: 'Save', exact: true }).first().click()
    await page.locator('.done').waitFor()
    t.equal(page.url(), form)
    await page.getByRole('link', { name: 'Calendar', exact: true }).click()
    await page.getByRole('heading', { name: 'Calendar' }).waitFor()
    await page.goBack()
    await page.getByLabel('Description').waitFor()
    t.equal(await page.locator('.done').count(), 0)
    await page.reload()
    t.equal(await page.locator('.done').count(), 0)
  })

  t.test('to an address that has no page, Back leads to the page that contains the form', async (t) => {
    const page = await enter(email)
    const booking = `${origin}/dashboard/bookings/${reference}`
    await page.goto(`${booking}?done=saved`)
    await page.locator('summary', { hasText: 'Take a payment' }).click()
    await page.getByLabel('Amount in EUR').fill('9999')
    await page.getByRole('button', { name: 'Take the payment' }).click()
    await page.getByRole('alert').waitFor()
    t.equal(page.url(), booking, 'without the notice of the earlier action')
    await page.getByRole('link', { name: 'Calendar', exact: true }).click()
    await page.getByRole('heading', { name: 'Calendar' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Payments' }).waitFor()
    t.equal(await page.getByRole('alert').count(), 0)
  })

  t.test(
    'by a visitor who is not signed in, Back shows the page of the form without the error',
    async (t) => {
      const page = await open()
      await page.goto(`${origin}/dashboard/sign-in?next=/dashboard/bookings`)
      await page.getByLabel('Account').fill('quay')
      await page.getByLabel('E-mail address').fill(email)
      await page.getByLabel('Password', { exact: true }).fill('a wrong password')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('alert').waitFor()
      await page.goto(`${origin}/docs/`)
      await page.goBack()
      await page.getByLabel('Account').waitFor()
      t.equal(await page.getByRole('alert').count(), 0)
      t.equal(new URL(page.url()).searchParams.get('next'), '/dashboard/bookings')
    },
  )
})

t.test('a customer’s form that was refused is shown again by Back', { skip: withoutBrowser }, async (t) => {
  const { app, call, productId, offer, link } = await makeOffered(t)
  const question = { AppliesTo: 'booking', Type: 'text', Options: [] }
  const Questions = [
    { ...question, Label: 'Can you all swim?', Required: true },
    { ...question, Label: 'Allergies', Required: false },
  ]
  await call('PUT', '/payment-settings', { PaymentPage: paymentPage })
  await call('PUT', `/products/${productId}/questions`, { Questions })
  await offer()
  const { origin, open } = await openBrowser(t, app)
  const page = await open()
  await page.goto(origin + link)
  await page.getByLabel('Allergies').fill('Nuts')
  await page.getByRole('button', { name: 'Take the places' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByRole('link', { name: 'Português' }).click()
  await page.locator('html[lang^="pt"]').waitFor()
  await page.goBack()
  t.match(await page.getByRole('alert').innerText(), 'Can you all swim?')
  t.equal(await page.getByLabel('Allergies').inputValue(), 'Nuts')
})
