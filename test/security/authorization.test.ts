/**
 * Every route outside of the dashboard, as the router lists them, with every kind of caller: without a key, with an
 * unknown, revoked or expired key, with a key of another scope, account or partner, and with the right key. A new route
 * fails here until test/security/access.ts says who may use it. test/dashboard/guards.test.ts tests the routes of the
 * dashboard.
 */
import t from 'tap'
import { scopes } from '../../src/accounts/model.ts'
import { optOutUrl } from '../../src/messaging/emails/links.ts'
import { hashAddress } from '../../src/platform/crypto/address-hash.ts'
import { makeFeedName } from '../../src/sales/calendar-feed/model.ts'
import { sign } from '../../src/sales/payment/model.ts'
import { createSecret } from '../../src/sales/payment/secrets.ts'
import { ticketsUrl } from '../../src/sales/ticket/links.ts'
import { offerUrl } from '../../src/sales/waitlist/model.ts'
import { makeWorld, secretKey } from '../dashboard/world.ts'
import { fingerprint } from '../fingerprint.ts'
import { makeCaller } from '../helper.ts'
import { listRoutes } from '../routes.ts'
import { type Access, accessTable, open, otherwise, statusOf } from './access.ts'

const world = await makeWorld(t)
const { app, sql, accountId, ids, activityId } = world
const basket = await world.call('GET', `/baskets/${ids.BasketID}`)
const tickets = await world.call('POST', `/bookings/${ids.BookingReference}/tickets`)
const table = accessTable(world, basket.data.Lines[0].BookingReference, tickets.data[0].TicketID)
const entries = Object.entries(table)

/** Sends the request of an entry of the table, with the ids of the account quay in the address. */
function ask(
  route: string,
  { query, body, ids: others }: Partial<Access>,
  headers: Record<string, string> = {},
) {
  const [method, path] = route.split(' ') as ['GET', string]
  const named: Record<string, string | number> = {
    ...ids,
    ActivityID: activityId,
    slug: 'validation',
    ...others,
  }
  const address = path.replace(/:(\w+)/g, (_, name) => String(named[name]))
  return app.inject({
    method,
    url: query ? `${address}?${query}` : address,
    headers,
    ...(body && { payload: body }),
  })
}

async function makeKey(settings: Parameters<typeof makeCaller>[1], change?: string) {
  const { headers } = await makeCaller(sql, settings)
  if (change) await sql`update api_keys set ${sql(change)} = now() where id = (select max(id) from api_keys)`
  return headers
}

await ask(
  'POST /octo/bookings',
  table['POST /octo/bookings']!,
  await makeKey({ slug: 'quay', partner: 'Viator' }),
)

t.test('every route outside the dashboard is listed with what opens it', async (t) => {
  const found = listRoutes(app)
    .filter(({ path }) => !/^\/dashboard(\/|$)/.test(path))
    .flatMap(({ path, methods }) =>
      methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${path}`),
    )
  t.same(found.sort(), [...Object.keys(table), ...open, ...otherwise].sort())
})

t.test('open routes need no key, and show nothing of any account', async (t) => {
  for (const route of open) {
    const answer = await ask(route, {})
    t.ok(answer.statusCode < 400, `${route} answers ${answer.statusCode}`)
    for (const own of ['Viator', ids.BookingReference, activityId]) t.notOk(answer.body.includes(own), route)
  }
})

t.test('a missing, unknown, revoked or expired key gets 401', async (t) => {
  const before = await fingerprint(sql)
  const own = { slug: 'quay', scopes: [...scopes] }
  const callers = {
    'no key': {},
    'another scheme': { authorization: 'Basic YWRhOmFkYQ==' },
    'an unknown key': { authorization: `Bearer abs_${accountId}_${'x'.repeat(43)}` },
    'a revoked key': await makeKey(own, 'revoked_at'),
    'an expired key': await makeKey(own, 'expires_at'),
  }
  const { api_keys: _, ...others } = before
  for (const [caller, headers] of Object.entries(callers)) {
    const answers = await Promise.all(entries.map(([route, access]) => ask(route, access, headers)))
    for (const [index, answer] of answers.entries())
      t.equal(statusOf(entries[index]![0], answer), 401, `${entries[index]![0]} with ${caller}`)
  }
  t.match(await fingerprint(sql), others, 'and nothing is changed')
})

t.test('a key without the scope of a route gets 403', async (t) => {
  for (const scope of scopes) {
    const headers = await makeKey({ slug: 'quay', scopes: [scope] })
    const before = await fingerprint(sql)
    const others = entries.filter(([, access]) => access.scope !== scope)
    const answers = await Promise.all(others.map(([route, access]) => ask(route, access, headers)))
    for (const [index, answer] of answers.entries())
      t.equal(statusOf(others[index]![0], answer), 403, `${others[index]![0]} with ${scope}`)
    t.same(await fingerprint(sql), before, 'and nothing is changed')
  }
})

t.test('a key cannot find or change anything of another account, even with its ids', async (t) => {
  const headers = await makeKey({ slug: 'elsewhere', scopes: [...scopes] })
  const before = await fingerprint(sql, accountId)
  for (const [route, access] of entries) {
    const answer = await ask(route, access, headers)
    const status = statusOf(route, answer)
    t.ok((access.foreign ?? [404]).includes(status), `${route} answers ${status}`)
    t.notMatch(answer.body, /Kayak|Lovelace|ada@|Viator/, `${route} shows nothing of this account`)
  }
  t.same(await fingerprint(sql, accountId), before)
})

t.test('another partner of the account cannot find a partner’s bookings and webhook endpoints', async (t) => {
  const headers = await makeKey({ slug: 'quay', partner: 'Rival', scopes: ['ota'] })
  const before = await fingerprint(sql)
  for (const route of [
    'GET /api/v2/ota/marketplace/booking/:BookingReference',
    'POST /api/v2/ota/marketplace/booking/:BookingReference/cancel',
  ])
    t.equal((await ask(route, {}, headers)).statusCode, 404, route)
  for (const [route, access] of entries.filter(([route]) => route.includes('/octo/bookings/:uuid')))
    t.equal(statusOf(route, await ask(route, access, headers)), 404, route)
  for (const [route, access] of entries.filter(([route]) => route.includes('/ota/webhooks/:EndpointID')))
    t.equal((await ask(route, access, headers)).statusCode, 404, route)
  for (const [route, access] of entries.filter(([route]) => route.includes(':subscriptionId')))
    t.equal(statusOf(route, await ask(route, access, headers)), 404, route)
  const { data } = (
    await ask('GET /api/v2/ota/marketplace/booking', table['GET /api/v2/ota/marketplace/booking']!, headers)
  ).json()
  t.same(data, [])
  t.same(await fingerprint(sql), before)
})

t.test('a payment event needs the signature of the account that it is about', async (t) => {
  const [secret, theirs] = [
    await createSecret(sql, secretKey, accountId),
    await createSecret(sql, secretKey, (await makeCaller(sql, { slug: 'elsewhere' })).accountId),
  ]
  const before = await fingerprint(sql)
  const tell = (Account: string, key: string | null, ID = 'evt_1') => {
    const event = {
      ID,
      Account,
      Type: 'failed',
      BasketID: world.otherBasket,
      Amount: '1.00',
      Currency: 'EUR',
    }
    const payload = JSON.stringify(event)
    const signature =
      key === null
        ? {}
        : { 'payment-signature': sign(key, Math.floor(Date.now() / 1000), Buffer.from(payload)) }
    const headers = { 'content-type': 'application/json', ...signature }
    return app.inject({ method: 'POST', url: '/api/v2/payments/events', headers, payload })
  }
  for (const [slug, key] of [
    ['quay', null],
    ['quay', 'pay_guessed'],
    ['quay', theirs],
    ['elsewhere', secret],
  ] as const)
    t.equal((await tell(slug, key)).statusCode, 401)
  t.equal((await tell('elsewhere', theirs)).statusCode, 404, 'another account’s basket is unknown')
  t.same(await fingerprint(sql), before)
  t.equal((await tell('quay', secret, 'evt_2')).statusCode, 200)
})

t.test('a customer’s page opens only with a link that was signed for it', async (t) => {
  const other = await makeCaller(sql, { slug: 'elsewhere' })
  const entryId = ids.WaitlistID
  const last = (url: string) => url.split('/').at(-1)!
  const optOut = last(optOutUrl('', secretKey, { accountId, hash: hashAddress('ada@example.com') }))
  const offerOf = (owner: number, secret = secretKey) =>
    last(offerUrl('', secret, { accountId: owner, entryId }))
  const ticketsOf = (owner: number, secret = secretKey) =>
    last(ticketsUrl('', secret, { accountId: owner, reference: ids.BookingReference }))
  const stranger = 'another secret key of some length'
  // For each kind of page a valid link, and links for another account or signed with another secret.
  const links = [
    {
      path: '/waitlist/',
      right: offerOf(accountId),
      wrong: [offerOf(other.accountId), offerOf(accountId, stranger)],
    },
    {
      path: '/tickets/',
      right: ticketsOf(accountId),
      wrong: [ticketsOf(other.accountId), ticketsOf(accountId, stranger)],
    },
    { path: '/email/', right: optOut, wrong: [] },
  ]
  const foreign = offerOf(other.accountId)
  const linkOf = (route: string) => links.find(({ path }) => route.includes(path))!
  const before = await fingerprint(sql)
  const open = (route: string, token: string) => ask(route.replace(':Token', token), {})
  const pages = otherwise.filter((route) => route.includes(':Token'))
  for (const route of pages) {
    const own = linkOf(route)
    const others = links.filter((link) => link !== own).map(({ right }) => right)
    for (const token of ['x', 'a.b', `${own.right}x`, ...own.wrong, ...others]) {
      const { statusCode, headers } = await open(route, token)
      // A valid link of the other account is not refused by a POST, which redirects back to the page of that link.
      const led = token === foreign && route.startsWith('POST') && String(headers.location).endsWith(foreign)
      t.ok(statusCode === 404 || led, `${route} answers ${statusCode}`)
    }
  }
  t.same(await fingerprint(sql), before)
  for (const route of pages) {
    const { statusCode } = await open(route, linkOf(route).right)
    t.ok(statusCode < 400, `${route} answers ${statusCode}`)
  }
})

t.test('an address of a logo for an unknown account gets 404', async (t) => {
  const hash = '0'.repeat(32)
  for (const accountId of ['9', '-9', '0', 'x', '1e3', '9'.repeat(30)])
    t.equal((await app.inject(`/logos/${accountId}/${hash}`)).statusCode, 404, accountId)
})

t.test('a calendar opens only with its secret', async (t) => {
  const { name, hash } = makeFeedName(accountId)
  await sql`update calendar_feeds set hash = ${hash} where id = ${ids.FeedID}`
  const read = async (file: string) => (await app.inject(`/calendar/${file}`)).statusCode
  const other = await makeCaller(sql, { slug: 'elsewhere' })
  const foreign = name.replace(`_${accountId}_`, `_${other.accountId}_`)
  for (const wrong of ['x', `${name}x`, name.slice(1), makeFeedName(accountId).name, foreign])
    t.equal(await read(wrong), 404, wrong)
  t.equal(await read(name), 200)
})

t.test('a key with the scope of a route can use the route', async (t) => {
  const keys = new Map<string, Record<string, string>>()
  for (const scope of scopes)
    keys.set(scope, await makeKey({ slug: 'quay', partner: 'Viator', scopes: [scope] }))
  for (const [route, access] of entries) {
    const { statusCode, body } = await ask(route, access, keys.get(access.scope))
    // A 409 is a refusal because of the state after earlier requests, not because of the key.
    t.ok(
      statusCode < 300 || statusCode === 409,
      `${route} answers ${statusCode} ${statusCode < 300 ? '' : body}`,
    )
  }
})
