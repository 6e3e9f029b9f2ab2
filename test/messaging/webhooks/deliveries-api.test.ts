/**
 * Deliveries in the interfaces of operator and partners, and repeated deliveries: one subtest for each rule.
 */
import t from 'tap'
import { setHeaders } from '../../../src/messaging/webhooks/endpoints/secrets.ts'
import { fieldsOf } from '../../operator.ts'
import { openWebhookApi } from './api.ts'
import { openReceiver, secretKey } from './fixtures.ts'

t.test('deliveries', async (t) => {
  const { call, book, deliver } = await openWebhookApi(t)
  const receiver = await openReceiver(t)
  const { data } = await call('Atlas', 'POST', '', { URL: receiver.url, EventTypes: ['booking.*'] })
  const path = `/${data.EndpointID}`

  t.test('are listed newest first, with the response of the receiver', async (t) => {
    receiver.answer = (response) => response.writeHead(202).end('thanks')
    await book()
    await book()
    await deliver()
    const listed = await call('Atlas', 'GET', `${path}/deliveries`)
    t.equal(listed.status, 200)
    const delivered = { Status: 'delivered', Tries: 1, HTTPStatus: 202, Answer: 'thanks', Fault: null }
    t.match(listed.data, [
      { ...delivered, Type: 'booking.confirmed', NextTryAt: null, FinishedAt: String, DurationMs: Number },
      { ...delivered, MessageID: /^evt_/, EventNumber: Number },
    ])
    t.ok(listed.data[0].DeliveryID > listed.data[1].DeliveryID)
    t.match((await call('operator', 'GET', path)).data, { Unfinished: 0, LastDeliveredAt: String })
  })

  t.test('that wait are listed with their next try and the last response', async (t) => {
    receiver.answer = (response) => response.writeHead(500).end('down')
    await book()
    await deliver()
    const { data: waiting } = await call('Atlas', 'GET', `${path}/deliveries?Status=pending`)
    t.match(waiting, [{ Status: 'pending', Tries: 1, HTTPStatus: 500, Answer: 'down', NextTryAt: String }])
    t.equal(waiting.length, 1)
    t.match((await call('Atlas', 'GET', path)).data, { Unfinished: 1, FailingSince: String })
    receiver.answer = (response) => response.writeHead(204).end()
  })

  t.test('are read page by page', async (t) => {
    const first = await call('Atlas', 'GET', `${path}/deliveries?Limit=2`)
    t.equal(first.data.length, 2)
    const cursor = /Cursor=([^&>]+)/.exec(String(first.headers.link))?.[1]
    const second = await call('Atlas', 'GET', `${path}/deliveries?Limit=2&Cursor=${cursor}`)
    t.equal(second.data.length, 1)
    t.notOk(second.headers.link)
  })

  t.test('422 refuses an unknown status and an invalid cursor', async (t) => {
    t.same(fieldsOf(await call('Atlas', 'GET', `${path}/deliveries?Status=lost`)), ['Status'])
    t.same(fieldsOf(await call('Atlas', 'GET', `${path}/deliveries?Cursor=nonsense`)), ['Cursor'])
  })

  t.test(
    'that are finished are sent again with the same id, and a retry of the request does not send them again',
    async (t) => {
      const [{ DeliveryID, MessageID }] = (await call('Atlas', 'GET', `${path}/deliveries?Status=delivered`))
        .data
      receiver.received.length = 0
      const key = { 'idempotency-key': 'again-1' }
      const again = await call('Atlas', 'POST', `${path}/deliveries/${DeliveryID}/redeliver`, undefined, key)
      t.match(again, { status: 201, data: { MessageID, Status: 'pending', Tries: 0 } })
      t.not(again.data.DeliveryID, DeliveryID)
      await call('Atlas', 'POST', `${path}/deliveries/${DeliveryID}/redeliver`, undefined, key)
      await deliver()
      t.same(
        receiver.received.map(({ headers }) => headers['webhook-id']),
        [MessageID],
      )
    },
  )

  t.test('that are unfinished or unknown cannot be sent again: 404', async (t) => {
    const [{ DeliveryID }] = (await call('Atlas', 'GET', `${path}/deliveries?Status=pending`)).data
    for (const id of [DeliveryID, 999_999_999])
      t.equal((await call('Atlas', 'POST', `${path}/deliveries/${id}/redeliver`)).status, 404)
  })
})

t.test('a delivery that the service cannot send is listed with its try and the reason', async (t) => {
  const { accountId, book, call, deliver, sql } = await openWebhookApi(t)
  const receiver = await openReceiver(t)
  const { data } = await call('Atlas', 'POST', '', { URL: receiver.url, EventTypes: ['booking.*'] })
  const headers = { 'Transfer-Encoding': 'chunked' }
  await sql.begin((tx) => setHeaders(tx, secretKey, { accountId, endpointId: data.EndpointID, headers }))
  await book()
  await deliver()
  t.match((await call('Atlas', 'GET', `/${data.EndpointID}/deliveries`)).data, [
    {
      Status: 'pending',
      Tries: 1,
      HTTPStatus: null,
      Fault:
        'It could not be sent, or its response could not be read, because of an error of the service: its log has the cause.',
    },
  ])
  t.same(receiver.received, [])
})

t.test('a test delivery is sent to an endpoint with any types of events', async (t) => {
  const { call, deliver } = await openWebhookApi(t)
  const receiver = await openReceiver(t)
  const { data } = await call('operator', 'POST', '', { URL: receiver.url, EventTypes: ['product.*'] })
  const sent = await call('operator', 'POST', `/${data.EndpointID}/test`)
  t.match(sent, {
    status: 201,
    data: { Type: 'webhook.test', MessageID: /^test_/, EventNumber: null, Status: 'pending' },
  })
  await deliver()
  t.same(receiver.types(), ['webhook.test'])
  t.equal(receiver.received[0]!.headers['webhook-id'], sent.data.MessageID)
})

t.test('409 webhook-paused refuses a test and a redelivery while the endpoint is paused', async (t) => {
  const { call, book, deliver } = await openWebhookApi(t)
  const receiver = await openReceiver(t)
  const { data } = await call('Atlas', 'POST', '', { URL: receiver.url, EventTypes: ['booking.*'] })
  const path = `/${data.EndpointID}`
  await book()
  await deliver()
  const [{ DeliveryID }] = (await call('Atlas', 'GET', `${path}/deliveries`)).data
  await call('Atlas', 'POST', `${path}/pause`)
  for (const action of ['test', `deliveries/${DeliveryID}/redeliver`]) {
    const refused = await call('Atlas', 'POST', `${path}/${action}`)
    t.match(refused.problem, { status: 409, type: /webhook-paused$/ }, action)
  }
})

t.test('a replay', async (t) => {
  const { call, book, deliver, sql, accountId } = await openWebhookApi(t)
  const receiver = await openReceiver(t)
  const { data } = await call('operator', 'POST', '', { URL: receiver.url, EventTypes: ['booking.*'] })
  const path = `/${data.EndpointID}`
  for (let booked = 0; booked < 3; booked++) await book()
  await deliver()
  const ids = () => receiver.received.map(({ headers }) => headers['webhook-id']).sort()
  const all = ids()
  const { Position } = (await call('operator', 'GET', path)).data

  t.test('from a number sends those events again with the same ids', async (t) => {
    receiver.received.length = 0
    const replayed = await call('operator', 'POST', `${path}/replay`, { FromNumber: 1 })
    t.match(replayed, { status: 200, data: { Events: Position, Position: 0 } })
    await deliver()
    t.same(ids(), all)
    t.equal((await call('operator', 'GET', path)).data.Position, Position)
  })

  t.test('from a time sends the events since then', async (t) => {
    receiver.received.length = 0
    const [middle] = await sql<[{ at: Date }]>`
      select occurred_at as at from events
      where account_id = ${accountId} and type = 'booking.confirmed' order by number offset 1 limit 1`
    const FromTime = middle.at.toISOString()
    t.equal((await call('operator', 'POST', `${path}/replay`, { FromTime })).status, 200)
    await deliver()
    t.equal(receiver.received.length, 2)
  })

  t.test('from a number that does not exist yet, or a future time, changes nothing', async (t) => {
    for (const from of [{ FromNumber: Position + 10 }, { FromTime: '2100-01-01T00:00:00Z' }])
      t.match(await call('operator', 'POST', `${path}/replay`, from), { data: { Events: 0, Position } })
  })

  t.test('422 refuses an invalid time, and one outside of the years 1 to 9999', async (t) => {
    for (const FromTime of ['2016-12-31T23:59:60Z', '0000-06-15T00:00:00Z', '9999-12-31T23:00:00-02:00'])
      t.same(fieldsOf(await call('operator', 'POST', `${path}/replay`, { FromTime })), ['FromTime'])
  })

  t.test('422 refuses a number together with a time, and a request without either', async (t) => {
    for (const from of [{}, { FromNumber: 1, FromTime: '2030-01-01T00:00:00Z' }])
      t.same(fieldsOf(await call('operator', 'POST', `${path}/replay`, from)), ['FromNumber'])
  })
})
