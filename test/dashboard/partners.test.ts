/**
 * Partners in the dashboard: keys and payment secrets that are shown once, and the scorecard of their
 * requests.
 */
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { createKey, findCaller } from '../../src/accounts/service.ts'
import { partnerList } from '../../src/dashboard/partners/list-views.ts'
import { textsIn } from '../../src/languages/texts.ts'
import { createCallCounter } from '../../src/reports/scorecards/service.ts'
import { bookingBody, bookingPath, makeCaller, makeProduct } from '../helper.ts'
import { until } from '../until.ts'
import { makeDashboard, textOf } from './fixtures.ts'

const environment = { SECRET_KEY: 'a secret key of thirty-two letters' }

async function makeOwner(t: Test, settings: Parameters<typeof makeDashboard>[1] = {}) {
  const dashboard = await makeDashboard(t, { environment, ...settings })
  return { ...dashboard, ...(await dashboard.signIn()) }
}

/** The secret that a page shows once; undefined if it shows none. */
function secretIn(body: string): string | undefined {
  return /<p class="secret"><code>([^<]+)</.exec(body)?.[1]
}

t.test('the list of partners shows an owed amount of 0 as €0.00, and an unknown amount as not known', (t) => {
  const partner = { id: 3, name: 'Atlas Tours' }
  const sums = { currency: 'EUR', bookings: 2, cancelledBookings: 0, guests: 3, owed: '0' }
  const show = (amounts: { total: string; withoutTerms: string }) => {
    const owed = { ...sums, ...amounts, partnerId: 3, partnerName: 'Atlas Tours', month: '2030-06' }
    const list = { partners: [partner] as never, owed: [owed], month: '2030-06' }
    return textOf(partnerList(textsIn('en-GB'), list).text)
  }
  t.match(show({ total: '13500', withoutTerms: '13500' }), 'Not known')
  t.match(show({ total: '13500', withoutTerms: '9000' }), '€0.00', 'a commission of 100 %')
  t.match(show({ total: '13500', withoutTerms: '0' }), '€0.00')
  t.end()
})

t.test('an API key', async (t) => {
  t.test(
    'is shown only when it is made, has the chosen scopes, and is not stored with the response',
    async (t) => {
      const { app, get, post, sql, accountId } = await makeOwner(t)
      const answer = await post('/dashboard/partners/keys', {
        Partner: ' Wander & Co ',
        Scopes: ['ota', 'usage:read'],
        ExpiresInDays: '30',
      })
      t.equal(answer.statusCode, 200)
      t.equal(answer.headers['cache-control'], 'no-store')
      const token = secretIn(answer.body)!
      const listed = await app.inject({
        url: '/api/v2/ota/marketplace/products',
        headers: { authorization: `Bearer ${token}` },
      })
      t.equal(listed.statusCode, 200)
      t.match(await findCaller(sql, token), { accountId, scopes: ['ota', 'usage:read'] })
      const { body } = await get('/dashboard/partners')
      t.match(body, 'Wander &#38; Co')
      t.match(body, /data-head="Permissions"[^>]*>Make bookings · Read usage</)
      t.notMatch(body, token)
      const kept = await sql`select response::text from idempotency_keys`
      t.notMatch(JSON.stringify(kept), token.split('_').at(-1))
      const [key] = await sql`select expires_at - created_at > interval '29 days' as long from api_keys
      where scopes @> '{usage:read}' and expires_at is not null`
      t.same(key, { long: true })
    },
  )

  t.test('is made once, however often its form is sent', async (t) => {
    const { post, sql } = await makeOwner(t)
    const before = await sql`select from api_keys`
    const once = crypto.randomUUID()
    const fields = { Partner: 'Twice', Scopes: 'ota' }
    t.ok(secretIn((await post('/dashboard/partners/keys', fields, { once })).body))
    const again = await post('/dashboard/partners/keys', fields, { once })
    t.equal(secretIn(again.body), undefined)
    t.match(again.body, 'was already made and shown')
    t.equal((await sql`select from api_keys`).length, before.length + 1)
  })

  t.test('needs a scope, a name without line breaks, and a valid number of days', async (t) => {
    const { post, sql } = await makeOwner(t)
    const before = await sql`select from api_keys`
    const answer = await post('/dashboard/partners/keys', { Partner: 'a\nb', ExpiresInDays: '0' })
    t.equal(answer.statusCode, 422)
    for (const name of ['Partner', 'Scopes', 'ExpiresInDays'])
      t.match(answer.body, new RegExp(`class="fault" id="field-${name}-about"`))
    const typed = {
      Partner: 'Tours Online',
      Scopes: ['usage:read', 'operator'],
      ExpiresInDays: '0',
      Mode: 'test',
    }
    const { body } = await post('/dashboard/partners/keys', typed)
    for (const kept of ['value="Tours Online"', 'value="usage:read" checked', 'value="operator" checked'])
      t.match(body, kept)
    t.notMatch(body, 'value="ota" checked')
    t.match(body, '<option value="test" selected>')
    t.equal((await sql`select from api_keys`).length, before.length)
  })

  t.test('no longer works after it is revoked; a key of another account is not found', async (t) => {
    const { post, sql, accountId } = await makeOwner(t)
    const token = await createKey(sql, { accountId, partner: null, scopes: ['ota'], expiresInDays: null })
    const { keyId } = (await findCaller(sql, token))!
    const other = await makeCaller(sql, { slug: 'other' })
    const foreign = (await findCaller(sql, other.token))!
    t.equal((await post(`/dashboard/partners/keys/${foreign.keyId}/revoke`)).statusCode, 404)
    t.ok(await findCaller(sql, other.token))
    const answer = await post(`/dashboard/partners/keys/${keyId}/revoke`)
    t.equal(answer.headers.location, '/dashboard/partners?done=key-revoked')
    t.equal(await findCaller(sql, token), null)
  })

  t.test(
    'is rotated once: the new key is shown once, and the old one is valid for another day',
    async (t) => {
      const { get, post, sql, accountId } = await makeOwner(t)
      const token = await createKey(sql, { accountId, partner: null, scopes: ['ota'], expiresInDays: null })
      const { keyId } = (await findCaller(sql, token))!
      const answer = await post(`/dashboard/partners/keys/${keyId}/rotate`)
      t.match(answer.body, `replaces key ${keyId}, which expires in 24 hours`)
      const next = (await findCaller(sql, secretIn(answer.body)!))!
      t.match(next, { accountId, scopes: ['ota'] })
      t.ok((await findCaller(sql, token))!.expiresAt)
      t.match((await get('/dashboard/partners')).body, `Replaced by key ${next.keyId}`)
      const again = await post(`/dashboard/partners/keys/${keyId}/rotate`)
      t.equal(again.statusCode, 409)
      t.match(again.body, 'was already rotated')
    },
  )

  t.test('has the time of its last use, after a short delay', async (t) => {
    const { app, get, sql, partner } = await makeOwner(t)
    await app.inject({ url: '/api/v2/ota/marketplace/products', headers: partner.headers })
    await until(
      async () =>
        (await sql`select from api_keys where last_used_at > now() - interval '1 minute'`).length === 1,
    )
    const rows = (await get('/dashboard/partners')).body.match(/Not yet/g)
    t.equal(rows?.length, (await sql`select from api_keys where last_used_at is null`).length)
  })
})

t.test('payment secrets', async (t) => {
  t.test('are shown once, and at most two are live', async (t) => {
    const { get, post, sql } = await makeOwner(t)
    const first = await post('/dashboard/partners/secrets')
    const secret = secretIn(first.body)!
    t.ok(secret)
    t.notMatch((await get('/dashboard/partners')).body, secret)
    t.ok(secretIn((await post('/dashboard/partners/secrets')).body))
    const third = await post('/dashboard/partners/secrets')
    t.equal(third.statusCode, 409)
    t.match(third.body, 'two secrets are live already')
    const [oldest] = await sql<{ id: number }[]>`select min(id) as id from payment_secrets`
    await post(`/dashboard/partners/secrets/${oldest!.id}/revoke`)
    t.equal((await sql`select from payment_secrets where revoked_at is null`).length, 1)
    t.ok(secretIn((await post('/dashboard/partners/secrets')).body))
  })

  t.test('of another account are not found', async (t) => {
    const { post, sql } = await makeOwner(t)
    const { accountId } = await makeCaller(sql, { slug: 'other' })
    await sql`insert into payment_secrets (account_id, sealed) values (${accountId}, '\\x00')`
    const [theirs] = await sql<{ id: number }[]>`select id from payment_secrets`
    t.equal((await post(`/dashboard/partners/secrets/${theirs!.id}/revoke`)).statusCode, 404)
    t.equal((await sql`select from payment_secrets where revoked_at is null`).length, 1)
  })

  t.test('cannot be made if the service has no key to encrypt them', async (t) => {
    const { get, post } = await makeOwner(t, { environment: {} })
    t.match((await get('/dashboard/partners')).body, 'has no SECRET_KEY')
    t.equal((await post('/dashboard/partners/secrets')).statusCode, 404)
  })
})

t.test('a scorecard', async (t) => {
  t.test('counts the requests of a partner, with the reasons for refusals', async (t) => {
    const { app, get, book, sql, accountId, partner } = await makeOwner(t)
    const product = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 3 } })
    const headers = { ...partner.headers, 'idempotency-key': 'one' }
    for (const _ of ['made', 'told again'])
      await app.inject({
        method: 'POST',
        url: bookingPath,
        headers,
        payload: bookingBody(product.activityId),
      })
    t.equal((await book(product.activityId)).status, 409)
    t.equal((await book(product.activityId, { Participants: 0 })).status, 422)
    await until(async () => (await sql`select from partner_calls`).length >= 4)
    const kept = await sql`
      select outcome, sum(calls) as calls from partner_calls where account_id = ${accountId}
      group by outcome order by outcome`
    t.same(
      kept.map(({ outcome, calls }) => [outcome, Number(calls)]),
      [
        ['done', 1],
        ['insufficient-capacity', 1],
        ['replayed', 1],
        ['validation', 1],
      ],
    )
    const { body } = await get('/dashboard/partners?days=1')
    t.match(body, '1 × Insufficient capacity')
  })

  t.test('shows that all targets are met if every request was fast', async (t) => {
    const { get, sql, partner } = await makeOwner(t)
    const calls = createCallCounter(sql, pino({ level: 'silent' }))
    calls.count((await findCaller(sql, partner.token))!, 'book', 'done', 40)
    await calls.close()
    t.match((await get('/dashboard/partners?days=1')).body, 'All met')
  })

  t.test('shows the missed targets of the requested days, and nothing of other accounts', async (t) => {
    const { get, sql, accountId, partner } = await makeOwner(t)
    const other = await makeCaller(sql, { slug: 'other', partner: 'Elsewhere' })
    const caller = (await findCaller(sql, partner.token))!
    const calls = createCallCounter(sql, pino({ level: 'silent' }))
    for (let count = 0; count < 80; count++) calls.count(caller, 'book', 'done', 40)
    for (let count = 0; count < 20; count++) calls.count(caller, 'book', 'unavailable', 1800)
    calls.count((await findCaller(sql, other.token))!, 'book', 'done', 60_000)
    await calls.close()
    const { body } = await get('/dashboard/partners?days=7')
    t.match(body, 'Viator: reserve within 1 s')
    t.match(textOf(body), / 2 s 2 s 80 % /)
    t.notMatch(body, 'Elsewhere')
    await sql`update partner_calls set day = day - 7 where account_id = ${accountId}`
    t.notMatch((await get('/dashboard/partners?days=7')).body, 'Viator: reserve within 1 s in')
    t.match((await get('/dashboard/partners?days=30')).body, '80 %')
  })

  t.test('refuses an unknown number of days', async (t) => {
    const { get } = await makeOwner(t)
    t.equal((await get('/dashboard/partners?days=1000')).statusCode, 422)
  })
})

t.test('pages of partners, keys and secrets need an owner, and a valid CSRF token in forms', async (t) => {
  const { signIn, sql } = await makeDashboard(t, { environment })
  const [staff, owner] = [await signIn('staff'), await signIn()]
  const before = await sql`select from api_keys where revoked_at is null`
  const { body, statusCode } = await staff.get('/dashboard/partners')
  t.equal(statusCode, 403)
  t.match(body, 'Only owners of the account may do this, and you are signed in as staff.')
  t.notMatch(body, 'href="/dashboard/partners"')
  const fields = { Partner: 'Mine', Scopes: 'ota' }
  for (const path of ['keys', 'keys/1/revoke', 'secrets', 'secrets/1/revoke'])
    t.equal((await staff.post(`/dashboard/partners/${path}`, fields)).statusCode, 403, path)
  for (const path of ['keys', 'keys/1/revoke', 'secrets', 'secrets/1/revoke'])
    t.equal(
      (await owner.post(`/dashboard/partners/${path}`, fields, { csrf: 'guessed' })).statusCode,
      403,
      `${path}, with a wrong CSRF token`,
    )
  t.equal((await sql`select from api_keys where revoked_at is null`).length, before.length)
})
