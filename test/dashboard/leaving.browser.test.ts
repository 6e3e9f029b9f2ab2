/** A party becomes smaller in a real browser: the page asks whose tickets become void and whose answers are removed. */
import t, { type Test } from 'tap'
import { defaultWorkflows } from '../../src/messaging/workflows/defaults.ts'
import { makeProduct } from '../helper.ts'
import { makeWorkflow } from '../messaging/emails/fixtures.ts'
import { openBrowser, withoutBrowser } from './browser.ts'
import { makeDashboard } from './fixtures.ts'

const day = '2030-06-15'

async function prepare(t: Test) {
  const dashboard = await makeDashboard(t)
  const { app, sql, accountId, signIn, call } = dashboard
  const { activityId, id: productId } = await makeProduct(sql, accountId, { slots: { [`${day} 10:00`]: 40 } })
  const [question] = await sql<{ id: number }[]>`
    insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
    values (${accountId}, ${productId}, 1, 'Size?', 'text', false, '{}', 'participant')
    returning id`
  const questionId = question!.id
  await makeWorkflow(sql, accountId, defaultWorkflows['booking-amended'])
  const { email } = await signIn()
  /** Sells two places, with tickets and with an answer of each person; returns the reference. */
  const sell = async () => {
    const { data } = await call('POST', '/bookings', {
      ...{ ActivityID: activityId, Date: day, Time: '10:00', Participants: 2, Payment: { Method: 'cash' } },
      Customer: { FirstName: 'Grace', LastName: 'Hopper', Email: 'grace@example.com' },
      Answers: [{ QuestionID: questionId, Value: ['S', 'L'] }],
    })
    const reference = data.BookingReference as string
    await call('POST', `/bookings/${reference}/tickets`)
    return reference
  }
  const read = async (reference: string) => (await call('GET', `/bookings/${reference}`)).data
  return { ...dashboard, ...(await openBrowser(t, app)), questionId, email, sell, read }
}

t.test('making a party smaller in a browser', { skip: withoutBrowser }, async (t) => {
  const { origin, enter, email, sell, read, call, questionId } = await prepare(t)
  const settingsOf = (width: number, javaScriptEnabled: boolean) => {
    const where = `${width} px, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`
    return { where, viewport: { width, height: 800 }, javaScriptEnabled }
  }
  const everywhere = [375, 1280].flatMap((width) => [settingsOf(width, true), settingsOf(width, false)])
  for (const { where, ...settings } of everywhere) {
    t.test(`the page asks whose ticket becomes void and whose answer is removed: ${where}`, async (t) => {
      const reference = await sell()
      const page = await enter(email, settings)
      await page.goto(`${origin}/dashboard/bookings/${reference}`)
      await page.locator('summary', { hasText: 'Change the party' }).click()
      await page.locator('form[action$="/amend"]').getByLabel('Party').fill('1')
      await page.getByRole('button', { name: 'Change the party' }).click()
      const tickets = page.getByRole('group', { name: /Whose tickets become void/ })
      t.ok(await tickets.getByLabel('Ticket 2: Person').isChecked(), 'the last ticket is proposed')
      await tickets.getByLabel('Ticket 1: Person').check()
      const answers = page.getByRole('group', { name: /Whose answers are removed/ })
      await answers.getByLabel('Participant 2: Size? L').uncheck()
      await answers.getByLabel('Participant 1: Size? S').check()
      await page.getByRole('button', { name: 'Change the party' }).click()
      await page.getByText('must name at most 1').first().waitFor()
      await tickets.getByLabel('Ticket 2: Person').uncheck()
      await page.getByRole('button', { name: 'Change the party' }).click()
      await page.getByText('The party is changed').waitFor()
      t.match(await read(reference), { Participants: 1, Answers: [{ QuestionID: questionId, Value: 'L' }] })
      const { data } = await call('GET', `/bookings/${reference}/tickets`)
      t.same(
        data.map(({ Status }: { Status: string }) => Status),
        ['void', 'valid'],
      )
    })
  }
})
