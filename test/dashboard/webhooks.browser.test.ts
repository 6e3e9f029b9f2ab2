/** Webhook endpoints in a real browser: owners make, pause and delete them. */
import t from 'tap'
import { addSecret, createEndpoint } from '../../src/messaging/webhooks/endpoints/service.ts'
import { openBrowser, withoutBrowser } from './browser.ts'
import { makeDashboard } from './fixtures.ts'

t.test('webhook endpoints in a browser', { skip: withoutBrowser }, async (t) => {
  const secretKey = 'a secret key of thirty-two letters'
  const environment = { SECRET_KEY: secretKey }
  const { app, sql, accountId, signIn } = await makeDashboard(t, { environment })
  const user = await signIn()
  const { origin, enter, checkPages } = await openBrowser(t, app)

  t.test('an endpoint is made, its secret is shown once, and it is deleted', async (t) => {
    const page = await enter(user.email)
    await page.goto(`${origin}/dashboard/webhooks`)
    await page.getByRole('link', { name: 'New endpoint' }).click()
    await page.getByLabel('Address (URL)').fill('https://till.example/hook')
    await page.getByLabel('All events, including types that are added later').uncheck()
    await page.getByLabel('Bookings: made').check()
    await page.getByRole('button', { name: 'Save endpoint' }).click()
    t.match(await page.locator('.secret code').textContent(), /^whsec_/)
    await page.reload()
    t.equal(await page.locator('.secret').count(), 0)
    await page.getByRole('link', { name: 'Back', exact: true }).click()
    await page.getByRole('link', { name: 'till.example/hook' }).click()
    await page.getByRole('button', { name: 'Pause' }).click()
    t.match(await page.getByRole('status').textContent(), 'The endpoint is paused')
    await page.getByRole('link', { name: 'Delete this endpoint…' }).click()
    await page.getByRole('button', { name: 'Delete endpoint' }).click()
    t.match(await page.textContent('main'), 'There is no endpoint yet.')
  })

  t.test(
    'the pages of endpoints are accessible, in light mode on a phone and in dark mode on a desktop',
    async (t) => {
      const owner = { accountId, partnerId: null }
      const settings = { secretKeys: secretKey, urlFault: () => null }
      const url = `https://till.example/${'a-long-address/'.repeat(10)}`
      const fields = {
        url,
        eventTypes: ['booking.*'],
        description: 'The till',
        body: 'full',
        email: null,
      } as const
      const id = await sql.begin(async (tx) => {
        const given = { fields: { ...fields, eventTypes: [...fields.eventTypes] }, settings }
        const { endpoint } = await createEndpoint(tx, owner, given)
        await addSecret(tx, owner, { id: endpoint.id, settings })
        return endpoint.id
      })
      await sql`
      insert into webhook_deliveries (account_id, endpoint_id, message_id, type, event_number, occurred_at,
        next_try_at, status, finished_at, http_status, fault, answer, duration_ms, tries)
      select ${accountId}, ${id}, 'evt_k3q9_' || number, 'booking.confirmed', number, now(), now(), status,
        case when status <> 'pending' then now() end, http_status, fault, ${'no service '.repeat(90)}, 84, 3
      from (values (1, 'pending', 503, null), (2, 'failed', null, 'The connection was refused.'),
        (3, 'delivered', 204, null)) as made (number, status, http_status, fault)`
      const path = '/dashboard/webhooks'
      const pages = ['', '/new', `/${id}`, `/${id}/settings`, `/${id}/deliveries`, `/${id}/delete`]
      await checkPages(
        t,
        user.email,
        pages.map((page) => path + page),
      )
    },
  )
})
