/** The pages of partners, users, health and the board of the queues, in a browser. */
import t from 'tap'
import { makeProduct } from '../helper.ts'
import { until } from '../until.ts'
import { openBrowser, withoutBrowser } from './browser.ts'
import { makeDashboard } from './fixtures.ts'

t.test('looking after an account in a browser', { skip: withoutBrowser }, async (t) => {
  const environment = { SECRET_KEY: 'a secret key of thirty-two letters' }
  const { app, sql, accountId, signIn, services, call } = await makeDashboard(t, { environment })
  const [owner, staff] = [await signIn(), await signIn('staff')]
  await until(() => services.queue.state().reachable)
  const { origin, enter, checkPages } = await openBrowser(t, app)
  const statusFor = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${origin}/api/v2/ota/marketplace/products`, { headers })).status
  }

  t.test('a key is made, shown once, works, and no longer works after it is revoked', async (t) => {
    const page = await enter(owner.email)
    await page.goto(`${origin}/dashboard/partners`)
    await page.getByRole('combobox', { name: 'Partner' }).fill('Far & Wide')
    await page.getByRole('button', { name: 'Make the key' }).click()
    const token = (await page.locator('.secret code').textContent())!
    t.equal(await statusFor(token), 200)
    t.notMatch(page.url(), token)
    await page.reload()
    t.equal(await page.locator('.secret').count(), 0)
    t.notMatch(await page.content(), token)
    page.on('dialog', (dialog) => void dialog.accept())
    const row = page.getByRole('table', { name: 'API keys' }).getByRole('row', { name: 'Far & Wide' })
    await row.getByRole('button', { name: /Revoke key/ }).click()
    await page.getByRole('status').waitFor()
    await until(async () => (await statusFor(token)) === 401)
    t.match(await row.textContent(), 'revoked')
  })

  t.test('staff see no links to the pages of owners, and get 403 there', async (t) => {
    const page = await enter(staff.email)
    await page.goto(`${origin}/dashboard/usage`)
    const links = await page.getByRole('navigation').getByRole('link').allTextContents()
    for (const name of ['Partners', 'Users', 'Health']) t.notOk(links.includes(name), name)
    for (const path of ['partners', 'users', 'health', 'queues']) {
      const answer = await page.goto(`${origin}/dashboard/${path}`)
      t.equal(answer!.status(), 403, path)
      t.match(await page.textContent('main'), 'Only owners', path)
    }
  })

  t.test(
    'the board shows the queues under its content security policy, and sends no request to another host',
    async (t) => {
      const page = await enter(owner.email)
      await page.goto(`${origin}/dashboard/health`)
      await page.getByRole('link', { name: 'See the queues' }).click()
      await page.getByText('maintenance').first().waitFor()
      t.match(await page.textContent('body'), 'usage')
    },
  )

  t.test('the pages are accessible, in light mode on a phone and in dark mode on a desktop', async (t) => {
    await sql`insert into usage_rejects (account_id, id, entry, reason)
      values (${accountId}, 1, '{"meter":"calls","usage":"1"}', 'numeric field overflow')`
    await sql`insert into emails (account_id, kind, status, reason) values (${accountId}, 'test', 'failed', 'no')`
    await sql`insert into partner_calls (account_id, partner_id, day, operation, outcome, within_ms, calls)
      select ${accountId}, id, current_date, 'book', outcome, 1500, 7
      from partners, unnest(array['done', 'insufficient-capacity']) as outcome where account_id = ${accountId}`
    const [partner] = (await call('GET', '/partners')).data
    const page = `/dashboard/partners/${partner.ID}`
    const { id } = await makeProduct(sql, accountId)
    const Terms = [
      { ProductID: null, Commission: '20' },
      { ProductID: id, NetPrices: [{ UnitID: 0, Amount: '36.00' }] },
    ]
    await call('PUT', `/partners/${partner.ID}/terms`, { Terms })
    const partners = ['/dashboard/partners', page, `${page}/terms`, `${page}/terms?ProductID=${id}`]
    await checkPages(t, owner.email, [...partners, '/dashboard/users', '/dashboard/health'])
  })
})
