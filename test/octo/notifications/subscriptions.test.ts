/** Subscriptions to OCTO's notifications: their rules and their owners. */
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { makeCaller } from '../../helper.ts'
import { makeReseller } from '../reseller.ts'
import { everyType, openSubscriber, subscriptions } from './fixtures.ts'

const url = 'https://reseller.example/octo'
const uuid = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/

t.test('a subscription', async (t) => {
  const { ask, sql } = await openSubscriber(t)
  const made = await ask('POST', subscriptions, {
    body: { url, notificationTypes: ['booking_update', 'Product_Update', 'BOOKING_UPDATE'] },
  })
  const own = `${subscriptions}/${made.body.id}`

  t.test('is made with types in upper or lower case, and returned with types in upper case', async (t) => {
    t.equal(made.status, 200)
    t.match(made.body.id, uuid)
    t.same(made.body, { id: made.body.id, url, notificationTypes: ['PRODUCT_UPDATE', 'BOOKING_UPDATE'] })
  })

  t.test('is read by its id, also in upper case, and listed', async (t) => {
    t.same((await ask('GET', own)).body, made.body)
    t.same((await ask('GET', own.replace(made.body.id, made.body.id.toUpperCase()))).body, made.body)
    t.same((await ask('GET', `${subscriptions}/`)).body, [made.body])
  })

  t.test('is also found at the address that the specification misspells: subcriptions', async (t) => {
    t.same((await ask('GET', own.replace('subscriptions', 'subcriptions'))).body, made.body)
    t.same((await ask('GET', '/notifications/subcriptions/')).body, [made.body])
  })

  t.test('is a webhook endpoint of the partner', async (t) => {
    const [row] = await sql`
      select partners.name, event_types, body from webhook_endpoints join partners on partners.id = partner_id
      where uuid = ${made.body.id}`
    t.same(row, { name: 'Viator', event_types: ['booking.*', 'product.*'], body: 'octo' })
  })

  t.test(
    'is changed in the given fields, and keeps the omitted fields and those that are null',
    async (t) => {
      const other = 'https://reseller.example/other'
      const changed = await ask('PATCH', own, {
        body: { url: other, notificationTypes: null, retryOnError: true },
      })
      t.same(changed.body, { ...made.body, url: other })
      const types = await ask('PATCH', own, { body: { notificationTypes: everyType } })
      t.same(types.body, { id: made.body.id, url: other, notificationTypes: everyType })
      t.same((await ask('PATCH', own, { body: {} })).body, types.body)
      t.same((await ask('GET', own)).body, types.body)
    },
  )

  t.test('is resumed by a change after a 410 had paused it', async (t) => {
    const pause = (reason: string) =>
      sql`update webhook_endpoints set status = 'paused', pause_reason = ${reason}, paused_at = now()`
    const status = async () => (await sql`select status from webhook_endpoints`)[0]!.status
    await pause('gone')
    await ask('PATCH', own, { body: { url } })
    t.equal(await status(), 'active')
    await pause('by-hand')
    await ask('PATCH', own, { body: { url } })
    t.equal(await status(), 'paused', 'an endpoint that was paused by hand stays paused')
  })

  t.test('is not found after it was deleted', async (t) => {
    const { body } = await ask('GET', own)
    t.same(await ask('DELETE', own).then(({ status, body }) => ({ status, body })), { status: 200, body })
    for (const method of ['GET', 'PATCH', 'DELETE'] as const)
      t.match(await ask(method, own, { body: {} }), { status: 404, body: { error: 'NOT_FOUND' } }, method)
    t.same((await ask('GET', subscriptions)).body, [])
  })
})

t.test('the capability can be requested with and without its prefix, and is not required', async (t) => {
  const { ask } = await openSubscriber(t)
  for (const name of ['octo/notifications', 'notifications'])
    t.equal(
      (await ask('GET', subscriptions, { capabilities: [name] })).headers['octo-capabilities'],
      'octo/notifications',
    )
  t.equal((await ask('GET', subscriptions)).status, 200, 'subscriptions work without the capability')
})

t.test('an invalid subscription is refused with every failing field', async (t) => {
  const { ask, sql } = await openSubscriber(t)
  const given = { url, notificationTypes: everyType }
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`X-${index}`, 'a']))
  for (const [body, ...fields] of [
    [{}, 'url', 'notificationTypes'],
    [{ ...given, url: 'ftp://reseller.example' }, 'url'],
    [{ ...given, url: 'https://user:secret@reseller.example' }, 'url'],
    [{ ...given, url: 'https://169.254.169.254/latest' }, 'url'],
    [{ ...given, notificationTypes: [] }, 'notificationTypes'],
    [{ ...given, notificationTypes: 'BOOKING_UPDATE' }, 'notificationTypes'],
    [
      { url: 'nowhere', notificationTypes: ['ORDER_UPDATE', 'booking.*'] },
      'url',
      'notificationTypes[0]',
      'notificationTypes[1]',
    ],
    [{ ...given, headers: { 'Content-Type': 'text/plain' } }, 'headers.Content-Type'],
    [{ ...given, headers: { 'webhook-id': '1' } }, 'headers.webhook-id'],
    [
      { ...given, headers: { HOST: 'a', 'Transfer-Encoding': 'b' } },
      'headers.HOST',
      'headers.Transfer-Encoding',
    ],
    [{ ...given, headers: { 'Api Key': 'a' } }, 'headers.Api Key'],
    [{ ...given, headers: { 'Api-Key': 'a', 'API-KEY': 'b' } }, 'headers.API-KEY'],
    [{ ...given, headers: { 'Api-Key': 'a\r\nHost: b' } }, 'headers.Api-Key'],
    [{ ...given, headers: { 'Api-Key': 'a'.repeat(1001) } }, 'headers.Api-Key'],
    [{ ...given, headers: { 'Api-Key': 1 } }, 'headers.Api-Key'],
    [{ ...given, headers: many }, 'headers'],
  ] as [object, ...string[]][]) {
    const answer = await ask('POST', subscriptions, { body })
    t.match(answer, { status: 400, body: { error: 'BAD_REQUEST' } })
    for (const field of fields)
      t.ok(answer.body.errorMessage.includes(`${field} `), `${answer.body.errorMessage} names ${field}`)
  }
  t.same(await sql`select from webhook_endpoints`, [])
})

t.test('the headers of a subscription are stored encrypted, and no response shows them', async (t) => {
  const { ask, sql, subscribe } = await openSubscriber(t)
  const id = await subscribe(url, { headers: { 'Api-Key': 'hush' } })
  const sealed = async () => (await sql`select sealed_headers from webhook_endpoints`)[0]!.sealed_headers
  const first: Buffer = await sealed()
  t.notMatch(first.toString('latin1'), /hush|Api-Key/)
  for (const answer of [await ask('GET', `${subscriptions}/${id}`), await ask('GET', subscriptions)])
    t.notMatch(JSON.stringify(answer.body), /hush|headers/)
  await ask('PATCH', `${subscriptions}/${id}`, { body: { notificationTypes: everyType } })
  t.same(await sealed(), first, 'a change without headers keeps the stored headers')
  await ask('PATCH', `${subscriptions}/${id}`, { body: { headers: {} } })
  t.equal(await sealed(), null)
})

t.test('a reseller has at most five subscriptions', async (t) => {
  const { ask, subscribe } = await openSubscriber(t)
  for (let made = 0; made < 5; made++) await subscribe(url)
  t.match(await ask('POST', subscriptions, { body: { url, notificationTypes: everyType } }), {
    status: 400,
    body: { error: 'UNPROCESSABLE_ENTITY' },
  })
})

t.test('a reseller finds only its own subscriptions, and none of its other webhook endpoints', async (t) => {
  const { app, ask, sql, subscribe } = await openSubscriber(t)
  const id = await subscribe(url)
  for (const other of [
    await makeCaller(sql, { partner: 'Rival' }),
    await makeCaller(sql),
    await makeCaller(sql, { slug: 'elsewhere', partner: 'Viator' }),
  ]) {
    const { headers } = other
    const answer = await app.inject({ url: `/octo${subscriptions}`, headers })
    t.same(answer.json(), [])
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const refused = await app.inject({ method, url: `/octo${subscriptions}/${id}`, headers, payload: {} })
      t.equal(refused.statusCode, 404)
    }
  }
  for (const none of [randomUUID(), '1', 'x'.repeat(300)])
    t.match(await ask('GET', `${subscriptions}/${none}`), { status: 404, body: { error: 'NOT_FOUND' } })
  await sql`update webhook_endpoints set body = 'thin'`
  t.equal((await ask('GET', `${subscriptions}/${id}`)).status, 404)
  t.same((await ask('GET', subscriptions)).body, [])
})

t.test('without SECRET_KEY, no subscription can be made', async (t) => {
  const { ask } = await makeReseller(t)
  t.match(await ask('POST', subscriptions, { body: { url, notificationTypes: everyType } }), {
    status: 503,
    body: { error: 'INTERNAL_SERVER_ERROR' },
  })
})
