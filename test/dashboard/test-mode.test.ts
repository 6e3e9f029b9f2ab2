/** Test mode in the dashboard: the pages under /dashboard/test show and change only test data. */
import t, { type Test } from 'tap'
import { csrfToken } from '../../src/accounts/users/model.ts'
import { kindOf, modeOf } from '../../src/dashboard/frame/mode.ts'
import { openTestMode } from '../../src/test-mode/service.ts'
import { fingerprint } from '../fingerprint.ts'
import { makeProduct } from '../helper.ts'
import { makeSending } from '../messaging/emails/fixtures.ts'
import { pumpEvents } from '../pump.ts'
import { listRoutes } from '../routes.ts'
import { makeDashboard, textOf, tokenIn } from './fixtures.ts'
import { formsOf, makeWorld, type RouteParameter } from './world.ts'

const day = '2030-06-15'
const customer = { 'Customer.FirstName': 'Grace', 'Customer.Email': 'grace@example.com' }
const inTest = (path: string) => path.replace('/dashboard', '/dashboard/test')

async function prepare(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn } = dashboard
  const product = await makeProduct(sql, accountId, { name: 'Kayak', slots: { [`${day} 10:00`]: 4 } })
  const [owner, staff] = [await signIn(), await signIn('staff')]
  /** Sells two places for cash in test mode; returns the reference of the booking. */
  const sell = async () => {
    const sale = { ActivityID: product.activityId, Slot: `${day}T10:00`, Participants: '2' }
    const { location } = (await staff.post('/dashboard/test/sell', sale)).headers
    await staff.post(`${location}/customer`, customer)
    const paid = await staff.post(`${location}/pay`, { Method: 'cash' })
    t.equal(paid.statusCode, 303, textOf(paid.body))
    const [booking] = await sql<{ reference: string }[]>`
      select reference from bookings where account_id < 0 order by id desc limit 1`
    return booking!.reference
  }
  return { ...dashboard, product, owner, staff, sell }
}

t.test('test mode is opened by an owner', async (t) => {
  const { owner, staff, sql, accountId } = await prepare(t)
  const accounts = async () => (await sql`select from accounts where account_id = ${-accountId}`).length

  t.test('before an owner opens test mode, its pages redirect to the page that opens it', async (t) => {
    const answer = await owner.get('/dashboard/test/bookings')
    t.match(answer.headers, { location: '/dashboard/test-mode' })
    t.match((await owner.get('/dashboard/bookings')).body, /<a href="\/dashboard\/test-mode">Test</)
    t.equal((await owner.post('/dashboard/test/sell')).statusCode, 404)
    t.equal(await accounts(), 0)
  })

  t.test('staff cannot open test mode, and the page says that an owner can', async (t) => {
    t.match((await staff.get('/dashboard/test-mode')).body, 'An owner of the account can open it')
    t.equal((await staff.post('/dashboard/test-mode')).statusCode, 403)
    t.equal(await accounts(), 0)
  })

  t.test('after an owner has opened test mode, owners and staff see the catalogue in it', async (t) => {
    for (const _ of [1, 2]) t.equal((await owner.post('/dashboard/test-mode')).statusCode, 303)
    t.equal(await accounts(), 1)
    t.match((await staff.get('/dashboard/test/catalogue')).body, 'Kayak')
    t.match((await staff.get('/dashboard/test-mode')).body, 'Go to test mode')
  })
})

t.test('a page of test mode', async (t) => {
  const { app, owner, staff, sql, accountId, sell } = await prepare(t)
  await openTestMode(sql, accountId)
  const reference = await sell()
  const paths = listRoutes(app)
    .filter(({ path, methods }) => /^\/dashboard\/[^:]+$/.test(path) && methods.includes('GET'))
    .map(({ path }) => path)
    .filter((path) => kindOf(path) !== 'account' && !/live$|closures$|\/logo(\/remove)?$|\.csv$/.test(path))

  t.test('says that nothing is sold; its links leave test mode only for pages of the account', async (t) => {
    for (const path of [...paths, `/dashboard/bookings/${reference}`]) {
      const { body, statusCode } = await owner.get(inTest(path))
      t.equal(statusCode, 200, path)
      t.match(textOf(body), 'Test mode : nothing here is sold.', path)
      const [, main = ''] = body.split('<main')
      const addresses = [...main.matchAll(/(?:href|action)="(\/dashboard[^"]*)"/g)].map(([, url]) => url!)
      const live = addresses.filter((url) => modeOf(url) === 'live')
      t.same(
        live.filter((url) => kindOf(url) !== 'account'),
        [],
        path,
      )
    }
  })

  t.test('links to the same page in live mode, which links back', async (t) => {
    const test = await owner.get('/dashboard/test/calendar')
    t.match(test.body, '<a href="/dashboard/calendar">Live</a>')
    const live = await owner.get('/dashboard/calendar')
    t.match(live.body, '<a href="/dashboard/test/calendar">Test</a>')
    t.notMatch(live.body, 'nothing here is sold')
    const products = (await owner.get('/dashboard/test/catalogue?Name=Kay&done=saved')).body
    t.match(
      products,
      '<a href="/dashboard/catalogue?Name=Kay">Live</a>',
      'also in the catalogue, with the same filter',
    )
  })

  t.test('lists test bookings, which pages of live mode do not show', async (t) => {
    t.match((await staff.get('/dashboard/test/bookings')).body, reference)
    t.notMatch((await staff.get('/dashboard/bookings')).body, reference)
    t.equal((await staff.get(`/dashboard/bookings/${reference}`)).statusCode, 404)
  })

  t.test('shows when a test booking will be deleted and who made it', async (t) => {
    await sql`update bookings set created_at = '2030-06-01T10:00:00Z' where account_id = ${-accountId}`
    const text = textOf((await staff.get(`/dashboard/test/bookings/${reference}`)).body)
    t.match(text, /test booking It is deleted on 8 Jun 2030/)
    t.match(text, staff.email, 'its history names the user')
  })

  t.test('offers files whose names begin with “test-”', async (t) => {
    for (const path of ['bookings.csv', 'usage/days.csv', 'usage/entries.csv']) {
      const name = async (url: string) => (await owner.get(url)).headers['content-disposition']
      const live = String(await name(`/dashboard/${path}`))
      t.match(live, 'attachment; filename="')
      t.equal(await name(`/dashboard/test/${path}`), live.replace('filename="', 'filename="test-'))
    }
  })

  t.test('redirects a visitor to the sign-in page, which leads back to it', async (t) => {
    const { headers } = await app.inject('/dashboard/test/bookings')
    t.equal(headers.location, `/dashboard/sign-in?next=${encodeURIComponent('/dashboard/test/bookings')}`)
  })
})

t.test('the dashboard shows the text of a test e-mail, because test e-mails are not sent', async (t) => {
  const { owner, staff, sql, accountId, sell } = await prepare(t)
  await openTestMode(sql, accountId)
  const reference = await sell()
  t.equal((await staff.post(`/dashboard/test/bookings/${reference}/resend`)).statusCode, 303)
  await pumpEvents(sql)
  const [email] = await sql<{ id: number }[]>`select id from emails where account_id = ${-accountId}`
  const path = `/dashboard/test/emails/${email!.id}`
  t.match(textOf((await staff.get(path)).body), 'Its text is shown here once it has been written.')
  await makeSending(sql, { DATA_DIR: t.testdir(), SMTP_URL: 'smtp://127.0.0.1:1' })()
  const { body } = await staff.get(path)
  t.match(textOf(body), 'grace@example.com')
  t.match(/<pre[^>]*>([^<]*)/.exec(body)?.[1], reference)
  t.match((await staff.get('/dashboard/test/emails')).body, `href="${path}"`)
  t.equal((await staff.get(path.replace('/test', ''))).statusCode, 404)
  const { headers, body: exported } = await owner.get(`/dashboard/test/customers/${reference}/data.json`)
  t.match(headers['content-disposition'], `filename="test-customer-${reference}.json"`)
  t.match(exported, '"Text": "', 'the export of the customer’s data contains the text')
  await owner.post(`/dashboard/test/customers/${reference}/erase`, { EvenUpcoming: 'true' })
  const erased = await staff.get(path)
  t.equal(erased.statusCode, 200)
  t.notMatch(erased.body, '<pre', 'the text is erased with the customer')
  // A constraint refuses to store the text of a live e-mail.
  const kept = sql`insert into emails (account_id, kind, test_message) values (${accountId}, 'test', '{}')`
  await t.rejects(kept, /emails_test_message/)
})

t.test('keys of both modes', async (t) => {
  const { owner, sql, accountId } = await prepare(t)
  const keys = '/dashboard/partners/keys'
  const listed = async () => {
    const { body } = await owner.get('/dashboard/partners')
    return [...body.matchAll(/data-head="Key"[^>]*>(\d+)<.*?data-head="Partner"[^>]*>(.*?)<\/td>/gs)].map(
      ([, id, owner]) => ({ id, mode: /\btest$/i.test(textOf(owner!).trim()) ? 'test' : 'live' }),
    )
  }
  const made = await owner.post(keys, { Mode: 'test', Partner: 'Atlas', Scopes: 'ota' })
  const id = Number((await listed()).at(-1)?.id)

  t.test('a test key is made and listed in live mode, and opens test mode', async (t) => {
    t.match(made.body, new RegExp(`<code>abs_test_${accountId}_`))
    t.match(made.body, 'New test key')
    t.equal((await listed()).at(-1)?.mode, 'test')
    t.match(
      (await listed()).filter(({ mode }) => mode === 'live'),
      [{}, {}],
    )
    t.equal((await owner.get('/dashboard/test/today')).statusCode, 200)
  })

  t.test('a test key is rotated and revoked like a live key', async (t) => {
    const rotated = await owner.post(`${keys}/${id}/rotate`)
    t.match(rotated.body, `<code>abs_test_${accountId}_`)
    t.equal((await owner.post(`${keys}/${id}/revoke`)).statusCode, 303)
    const states = await sql`
      select revoked_at is null as active from api_keys where account_id = ${-accountId} order by id`
    t.same(states, [{ active: false }, { active: true }])
  })

  t.test('the pages of users, keys, the account and the service exist only in live mode', async (t) => {
    for (const page of ['users', 'account', 'health', 'queues', 'test-mode', 'partners/keys']) {
      const { statusCode, headers } = await owner.get(`/dashboard/test/${page}`)
      t.match({ statusCode, headers }, { statusCode: 303, headers: { location: `/dashboard/${page}` } })
    }
    t.match((await owner.get('/dashboard/test/partners')).body, `href="${keys}"`)
    t.notMatch((await owner.get('/dashboard/test/partners')).body, 'Make the key')
  })
})

t.test('a form of one mode', async (t) => {
  const { owner, staff, sql, accountId, product } = await prepare(t)
  await openTestMode(sql, accountId)
  const sale = { ActivityID: product.activityId, Slot: `${day}T10:00`, Participants: '2' }
  const held = () => sql`select account_id as "accountId", participants from bookings`

  t.test('is refused in the other mode', async (t) => {
    const pages = ['/dashboard/sell', '/dashboard/test/sell'] as const
    const choice = `?ProductID=${product.id}&From=${day}`
    const [live, test] = await Promise.all(pages.map((page) => staff.get(page + choice)))
    const tokens = { live: tokenIn(live!.body), test: tokenIn(test!.body.split('<main')[1]!) }
    t.not(tokens.live, tokens.test)
    t.equal((await staff.post(pages[0], sale, { csrf: tokens.test })).statusCode, 403)
    t.equal((await staff.post(pages[1], sale, { csrf: tokens.live })).statusCode, 403)
    t.same(await held(), [])
    t.equal((await staff.post(pages[1], sale, { csrf: tokens.test })).statusCode, 303)
    t.same(await held(), [{ accountId: -accountId, participants: 2 }])
  })

  t.test('in both modes, the form for signing out belongs to live mode', async (t) => {
    const { body } = await owner.get('/dashboard/test/today')
    t.match(body, /<form method="post" action="\/dashboard\/sign-out"/)
    const token = owner.cookie.split('=')[1]!
    t.equal(tokenIn(body), csrfToken(token, 'live'), 'the form has the token of live mode')
  })

  t.test('a form of the catalogue is shown in test mode with its values, but cannot be sent', async (t) => {
    const page = `/dashboard/test/catalogue/${product.id}`
    const { body } = await owner.get(page)
    const [, main = ''] = body.split('<main')
    t.notMatch(main, '<form method="post"')
    t.match(main, /<fieldset disabled.*value="Kayak"/s)
    t.match(body, `The catalogue is changed in <a href="/dashboard/catalogue/${product.id}">live mode</a>`)
  })
})

t.test('no form that is sent in test mode changes live data', async (t) => {
  const world = await makeWorld(t)
  const { sql, accountId, owner, ids, app } = world
  await openTestMode(sql, accountId)
  const before = await fingerprint(sql, accountId)
  const catalogue = await fingerprintOfCatalogue()
  const forms = formsOf(world)
  for (const { path } of listRoutes(app).filter(
    ({ methods, path }) => methods.includes('POST') && forms[path],
  )) {
    const { fields, ids: others } = forms[path]!
    const url = path.replace(/:(\w+)/g, (_, name: RouteParameter) => String({ ...ids, ...others }[name]))
    const { statusCode } = await owner.post(inTest(url), { ...fields, Version: '1' })
    // 200 is a page without a redirect, such as a preview or a secret that is shown once.
    const expected = { account: [404], catalogue: [409], data: [200, 303, 404, 409, 422] }[kindOf(path)]
    t.ok(expected.includes(statusCode), `${path} answers ${statusCode}`)
  }
  t.same(await fingerprint(sql, accountId), before)
  t.same(await fingerprintOfCatalogue(), catalogue, 'the catalogue of test mode is unchanged, too')

  async function fingerprintOfCatalogue() {
    const { products, units, schedules, partner_terms, promotions, workflows } = await fingerprint(
      sql,
      -accountId,
    )
    return { products, units, schedules, partner_terms, promotions, workflows }
  }
})
