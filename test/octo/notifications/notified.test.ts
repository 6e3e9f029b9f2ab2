/** Which notifications resellers get through OCTO, and their contents. */
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { sendTest } from '../../../src/messaging/webhooks/deliveries/service.ts'
import { openSecret } from '../../../src/messaging/webhooks/endpoints/secrets.ts'
import { createTestKey } from '../../../src/test-mode/service.ts'
import { makeCaller } from '../../helper.ts'
import { openReceiver, secretKey } from '../../messaging/webhooks/fixtures.ts'
import { openSubscriber, subscriptions } from './fixtures.ts'

t.test('a reseller is notified', async (t) => {
  const { activityId, cancel, confirm, deliver, operate, reserve, sql, subscribe, update, ...own } =
    await openSubscriber(t)
  const receiver = await openReceiver(t)
  const told = async () => {
    receiver.received.length = 0
    await deliver()
    return receiver.received.map(({ body: { type, data } }) => ({ type, data }))
  }
  const ofBooking = (uuid: string) => ({ type: 'BOOKING_UPDATE', data: { uuid } })
  const ofDay = (day: string) => ({
    type: 'AVAILABILITY_UPDATE',
    data: { productId: activityId, optionId: 'DEFAULT', localDateStart: day, localDateEnd: day },
  })
  const id = await subscribe(receiver.url, {
    notificationTypes: ['BOOKING_UPDATE'],
    headers: { 'Api-Key': 'hush' },
  })

  t.test('of a booking that it makes, confirms, changes and cancels, by its uuid', async (t) => {
    const { uuid } = await reserve()
    t.same(await told(), [ofBooking(uuid)])
    await confirm(uuid)
    t.same(await told(), [ofBooking(uuid)])
    await update(uuid, { unitItems: [{ unitId: '0' }] })
    t.same([...new Set((await told()).map((one) => JSON.stringify(one)))], [JSON.stringify(ofBooking(uuid))])
    await cancel(uuid)
    t.same(await told(), [ofBooking(uuid)])
  })

  t.test('of a hold that becomes longer, but not of a hold that stays the same', async (t) => {
    const { uuid } = await reserve()
    await told()
    await own.extend(uuid, { expirationMinutes: 30 })
    t.same(await told(), [ofBooking(uuid)])
    await update(uuid, { expirationMinutes: 45 })
    t.same(await told(), [ofBooking(uuid)])
    await own.extend(uuid, { expirationMinutes: 30 })
    t.same(await told(), [])
    await cancel(uuid)
    await told()
  })

  t.test('of a cancellation of its booking by the operator', async (t) => {
    const { uuid, supplierReference } = await reserve()
    await confirm(uuid)
    await told()
    t.equal((await operate(`/bookings/${supplierReference}/cancel`)).statusCode, 200)
    t.same(await told(), [ofBooking(uuid)])
  })

  t.test(
    'with the headers that it asked for, and those of the Standard Webhooks specification',
    async (t) => {
      await reserve()
      await told()
      const [{ headers, text, body }] = receiver.received as [(typeof receiver.received)[0]]
      t.match(headers, { 'api-key': 'hush', 'content-type': 'application/json' })
      t.match(headers['webhook-id'], /^evt_/)
      t.match(headers['webhook-signature'], /^v1,/)
      t.match(body.timestamp, /^\d{4}-\d\d-\d\dT/)
      const [secret] = await sql<{ id: number; accountId: number; endpointId: number }[]>`
        select id, account_id as "accountId", endpoint_id as "endpointId" from webhook_secrets`
      const signing = await openSecret(sql, secretKey, secret!)
      const verify = (by: string) => new Webhook(by).verify(text, headers as Record<string, string>)
      t.same(verify(signing!), body)
      t.throws(() => verify('whsec_bm90aGluZw=='))
    },
  )

  t.test('not of bookings that it made without OCTO, nor of bookings of another reseller', async (t) => {
    const rival = await makeCaller(sql, { partner: 'Rival' })
    const { payload, url } = {
      url: '/octo/bookings',
      payload: { ...own.places, unitItems: [{ unitId: '0' }] },
    }
    const { app, headers } = own
    t.equal((await app.inject({ method: 'POST', url, headers: rival.headers, payload })).statusCode, 200)
    const direct = await app.inject({
      method: 'POST',
      url: '/api/v2/ota/marketplace/booking',
      headers,
      payload: {
        ActivityID: activityId,
        Date: '2030-06-15',
        Time: '10:00',
        Participants: 1,
        Customer: { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' },
      },
    })
    t.equal(direct.statusCode, 201, direct.body)
    t.same(await told(), [])
  })

  t.test('of changed availability, by product and day, once for several bookings', async (t) => {
    await own.ask('PATCH', `${subscriptions}/${id}`, { body: { notificationTypes: ['AVAILABILITY_UPDATE'] } })
    await reserve()
    await reserve()
    t.same(await told(), [ofDay('2030-06-15')])
  })

  t.test('of a changed product, by its id, and of the availability of all its days', async (t) => {
    await own.ask('PATCH', `${subscriptions}/${id}`, {
      body: { notificationTypes: ['AVAILABILITY_UPDATE', 'PRODUCT_UPDATE'] },
    })
    const answer = await own.app.inject({
      method: 'PATCH',
      url: `/api/v2/operator/products/${own.id}`,
      headers: own.operator.headers,
      payload: { Name: 'Raft' },
    })
    t.equal(answer.statusCode, 200, answer.body)
    const [today] = await sql`select (app_now() at time zone 'Europe/Lisbon')::date::text as day`
    const all = {
      productId: activityId,
      optionId: 'DEFAULT',
      localDateStart: today!.day,
      localDateEnd: '2030-06-15',
    }
    t.same(
      (await told()).sort((one, other) => (one.type < other.type ? -1 : 1)),
      [
        { type: 'AVAILABILITY_UPDATE', data: all },
        { type: 'PRODUCT_UPDATE', data: { productId: activityId } },
      ],
    )
  })
})

t.test(
  'a test key subscribes to what happens in test mode, and a live key to what happens live',
  async (t) => {
    const { accountId, app, deliver, places, reserve, sql, subscribe } = await openSubscriber(t)
    const [live, test] = [await openReceiver(t), await openReceiver(t)]
    const request = { accountId, partner: 'Viator', scopes: ['ota'] as const, expiresInDays: null }
    const headers = { authorization: `Bearer ${await createTestKey(sql, request)}` }
    const ask = async (method: 'GET' | 'POST', path: string, payload: object) => {
      const answer = await app.inject({ method, url: `/octo${path}`, headers, payload })
      t.equal(answer.statusCode, 200, answer.body)
      return answer.json()
    }
    await subscribe(live.url)
    const of = { notificationTypes: ['BOOKING_UPDATE'] }
    const { id } = await ask('POST', subscriptions, { url: test.url, ...of })
    t.same(await ask('GET', subscriptions, {}), [{ id, url: test.url, ...of }])
    const { uuid } = await ask('POST', '/bookings', { ...places, unitItems: [{ unitId: '0' }] })
    await deliver()
    t.same(
      test.received.map(({ body }) => body.data),
      [{ uuid }],
    )
    t.same(live.received, [])
    test.received.length = 0
    await reserve()
    await deliver()
    t.same(test.received, [])
    t.same(new Set(live.types()), new Set(['BOOKING_UPDATE', 'AVAILABILITY_UPDATE']))
  },
)

t.test('a test notification to a subscription has the type TEST and no data', async (t) => {
  const { accountId, deliver, sql, subscribe } = await openSubscriber(t)
  const receiver = await openReceiver(t)
  await subscribe(receiver.url)
  const [endpoint] = await sql<
    [{ id: number; partner_id: number }]
  >`select id, partner_id from webhook_endpoints`
  await sql.begin((tx) => sendTest(tx, { accountId, partnerId: endpoint.partner_id }, endpoint.id))
  await deliver()
  t.same(
    receiver.received.map(({ body: { type, data } }) => ({ type, data })),
    [{ type: 'TEST', data: {} }],
  )
})
