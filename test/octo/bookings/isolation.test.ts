/** A reseller can read and change only its own bookings, not those of another reseller or another account. */
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { fingerprint } from '../../fingerprint.ts'
import { makeCaller, makeProduct } from '../../helper.ts'
import { checkPublished } from '../published.ts'
import { morning, openReseller } from './fixtures.ts'

const unitItems = [{ unitId: '0' }]
/** Every request that names a booking by its uuid. */
const requests = [
  ['GET', '', undefined],
  ['PATCH', '', { notes: 'Mine', unitItems }],
  ['POST', '/confirm', {}],
  ['POST', '/confirm', { unitItems }],
  ['POST', '/extend', { expirationMinutes: 30 }],
  ['POST', '/cancel', {}],
  ['DELETE', '', undefined],
] as const

t.test(
  'a reseller finds no booking of another by its uuid, its references or its day, and changes none',
  async (t) => {
    const { sql, app, reserve, confirm, ...own } = await openReseller(t)
    const held = await reserve({ resellerReference: 'OTA-1' })
    const { uuid: confirmed } = await reserve({ resellerReference: 'OTA-1' })
    await confirm(confirmed)
    const others = {
      'another partner': await makeCaller(sql, { partner: 'Rival' }),
      'a key without a partner': await makeCaller(sql),
      'another account': await makeCaller(sql, { slug: 'elsewhere', partner: 'Viator' }),
    }
    const before = await fingerprint(sql, own.accountId)
    for (const [name, { headers }] of Object.entries(others)) {
      const ask = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) => {
        const answer = await app.inject({ method, url: `/octo${path}`, headers, ...(payload && { payload }) })
        return { status: answer.statusCode, body: answer.json() }
      }
      for (const uuid of [held.uuid, confirmed])
        for (const [method, path, body] of requests) {
          const answer = await ask(method, `/bookings/${uuid}${path}`, body)
          t.match(
            answer,
            { status: 400, body: { error: 'INVALID_BOOKING_UUID', uuid } },
            `${method} ${path}, ${name}`,
          )
          checkPublished(t, 'ErrorInvalidBookingUUID', answer.body)
        }
      for (const query of [
        'resellerReference=OTA-1',
        `supplierReference=${held.supplierReference}`,
        'localDate=2030-06-15',
        `localDateStart=2030-06-01&localDateEnd=2030-06-30&productId=${own.activityId}`,
      ])
        t.same(await ask('GET', `/bookings?${query}`), { status: 200, body: [] }, `${query}, ${name}`)
    }
    t.same(await fingerprint(sql, own.accountId), before)
    t.equal((await own.ask('GET', '/bookings?resellerReference=OTA-1')).body.length, 2)
    for (const uuid of ['nonsense', randomUUID()])
      for (const [method, path, body] of requests) {
        const answer = await own.ask(method, `/bookings/${uuid}${path}`, { ...(body && { body }) })
        t.match(
          answer,
          { status: 400, body: { error: 'INVALID_BOOKING_UUID', uuid } },
          `${method} ${path}, which names no booking, gets the same error`,
        )
      }
  },
)

t.test('two resellers may use the same uuid for their own bookings', async (t) => {
  const { sql, app, order, get, cancel, read } = await openReseller(t)
  const rival = await makeCaller(sql, { partner: 'Rival' })
  const asked = order()
  const own = await get('POST', '/bookings', asked)
  const answer = await app.inject({
    method: 'POST',
    url: '/octo/bookings',
    headers: rival.headers,
    payload: asked,
  })
  const theirs = answer.json()
  t.match(theirs, { uuid: own.uuid, status: 'ON_HOLD' })
  t.not(theirs.supplierReference, own.supplierReference)
  await cancel(own.uuid)
  const still = await app.inject({ url: `/octo/bookings/${own.uuid}`, headers: rival.headers })
  t.match(still.json(), { status: 'ON_HOLD', supplierReference: theirs.supplierReference })
  t.match(await read(own.uuid), { status: 'CANCELLED' })
})

t.test('products of another account are unknown', async (t) => {
  const { sql, ask, reserve } = await openReseller(t)
  const elsewhere = await makeCaller(sql, { slug: 'elsewhere' })
  const { activityId } = await makeProduct(sql, elsewhere.accountId, { slots: { '2030-06-15 10:00': 8 } })
  const product = { productId: activityId, optionId: 'DEFAULT' }
  const dates = { localDateStart: '2030-06-15', localDateEnd: '2030-06-15' }
  const { uuid } = await reserve()
  const before = await fingerprint(sql)
  for (const [method, path, body] of [
    ['GET', `/products/${activityId}`, undefined],
    ['POST', '/availability', { ...product, ...dates }],
    ['POST', '/availability', { ...product, availabilityIds: [morning] }],
    ['POST', '/availability/calendar', { ...product, ...dates }],
    ['POST', '/bookings', { uuid: randomUUID(), ...product, availabilityId: morning, unitItems }],
    ['PATCH', `/bookings/${uuid}`, { ...product, availabilityId: morning, unitItems }],
  ] as const) {
    const answer = await ask(method, path, { ...(body && { body }) })
    t.match(
      answer,
      { status: 400, body: { error: 'INVALID_PRODUCT_ID', productId: activityId } },
      `${method} ${path}`,
    )
    checkPublished(t, 'ErrorInvalidProductID', answer.body)
  }
  t.notMatch(JSON.stringify((await ask('GET', '/products')).body), activityId)
  t.same(await fingerprint(sql), before)
})

t.test('a key of another scope is refused with an OCTO error, and changes nothing', async (t) => {
  const { sql, app, reserve, order, places } = await openReseller(t)
  const { uuid } = await reserve()
  const subscription = `/notifications/subscriptions/${randomUUID()}`
  const hook = { url: 'https://receiver.invalid/octo', notificationTypes: ['BOOKING_UPDATE'] }
  const days = { ...places, localDateStart: '2030-06-15', localDateEnd: '2030-06-15' }
  const { headers } = await makeCaller(sql, {
    partner: 'Viator',
    scopes: ['operator', 'usage:read', 'usage:write'],
  })
  const before = await fingerprint(sql)
  for (const [method, path, payload] of [
    ['GET', '/capabilities', undefined],
    ['GET', '/supplier', undefined],
    ['GET', '/products', undefined],
    ['GET', `/products/${places.productId}`, undefined],
    ['POST', '/availability', {}],
    ['POST', '/availability/calendar', days],
    ['GET', '/notifications/subscriptions', undefined],
    ['POST', '/notifications/subscriptions', hook],
    ['GET', subscription, undefined],
    ['PATCH', subscription, hook],
    ['DELETE', subscription, undefined],
    ['POST', '/bookings', order()],
    ['GET', '/bookings?localDate=2030-06-15', undefined],
    ...requests.map(([method, path, body]) => [method, `/bookings/${uuid}${path}`, body] as const),
  ] as const) {
    const answer = await app.inject({ method, url: `/octo${path}`, headers, ...(payload && { payload }) })
    t.equal(answer.statusCode, 400, `${method} ${path}`)
    t.equal(answer.json().error, 'FORBIDDEN')
    checkPublished(t, 'ErrorForbidden', answer.json())
  }
  t.same(await fingerprint(sql), before)
})
