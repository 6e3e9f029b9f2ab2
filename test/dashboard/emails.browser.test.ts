/** E-mails in a real browser: a workflow is previewed and sent as a test, and a refused e-mail is retried. */
import t from 'tap'
import { makeProduct } from '../helper.ts'
import { makeBooking, makeEmails, makeSending, slotStart } from '../messaging/emails/fixtures.ts'
import { refusal, startSmtp } from '../messaging/emails/smtp.ts'
import { accessibilityFaults, openBrowser, withoutBrowser } from './browser.ts'
import { makeDashboard } from './fixtures.ts'

t.test('e-mails in a browser', { skip: withoutBrowser }, async (t) => {
  const { app, sql, accountId, signIn } = await makeDashboard(t)
  const { email } = await signIn('staff')
  const { origin, enter, checkPages } = await openBrowser(t, app)
  const smtp = await startSmtp(t)
  const send = makeSending(sql, { SMTP_URL: smtp.url })

  t.test('a workflow is previewed, saved, and sent as a test to its author', async (t) => {
    const page = await enter(email)
    await page.getByRole('link', { name: 'E-mails' }).click()
    await page.getByRole('link', { name: 'Workflows' }).click()
    await page.getByRole('link', { name: 'New workflow' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Reminder')
    await page.getByLabel('Subject', { exact: true }).fill('See {{ nobody }}')
    await page
      .getByLabel('Text', { exact: true })
      .fill('Dear {{ customer.first_name }},\n\nsee https://quay.test/where <b>there</b>.')
    await page.getByRole('button', { name: 'Preview' }).click()
    t.match(await page.textContent('main'), 'names {{ nobody }}, which does not exist')
    t.match(await page.getByLabel('Text', { exact: true }).inputValue(), 'Dear {{ customer')
    await page.getByLabel('Subject', { exact: true }).fill('See you on {{ date }}')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.locator('main', { hasText: 'See you on Saturday 15 June 2030' }).waitFor()
    const frame = page.frameLocator('iframe')
    t.match(await frame.locator('body').textContent(), 'Dear Ada,')
    t.match(
      await frame.locator('body').textContent(),
      '<b>there</b>',
      'tags in the template are shown as text',
    )
    t.equal(await frame.locator('a').getAttribute('href'), 'https://quay.test/where')
    t.match(await page.textContent('pre'), 'Dear Ada,')
    t.same(await accessibilityFaults(page), [])
    await page.getByRole('button', { name: 'Save' }).click()
    t.match(await page.textContent('[role=status]'), 'Saved.')
    await page.getByRole('button', { name: `Send a test to ${email}` }).click()
    await page.getByRole('status').getByText('A test is on its way').waitFor()
    t.same(await send(), { sent: 1 })
    t.match(smtp.received, [
      { to: email, mail: { subject: 'See you on Saturday 15 June 2030', text: /^Dear Ada,/ } },
    ])
  })

  t.test('an e-mail that a server refused is found, and is retried by a button', async (t) => {
    await makeProduct(sql, accountId, {
      name: 'A tour of every grotto there is, at dusk',
      slots: { [slotStart]: 10 },
    })
    const booking = await makeBooking(sql, accountId)
    await makeEmails(sql, accountId, [{ kind: 'confirmation', bookingId: booking.id }])
    smtp.behaviour.onRecipient = () => {
      throw refusal(550, 'no such mailbox')
    }
    t.same(await send(), { failed: 1 })
    delete smtp.behaviour.onRecipient
    const page = await enter(email)
    await page.goto(`${origin}/dashboard/emails`)
    await page.getByLabel('Status').selectOption('failed')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.locator('table', { hasText: 'no such mailbox' }).waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('status').getByText('tried again').waitFor()
    await page.locator('main', { hasText: 'No e-mails here' }).waitFor()
    t.same(await send(), { sent: 1 })
  })

  t.test('the pages are accessible, in light mode on a phone and in dark mode on a desktop', async (t) => {
    const [workflow] = await sql<{ id: number }[]>`select id from workflows`
    const path = `/dashboard/emails/workflows/${workflow!.id}`
    await checkPages(t, email, ['/dashboard/emails', '/dashboard/emails/workflows', path, `${path}/delete`])
  })
})
