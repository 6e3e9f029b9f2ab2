/** Sending events to an endpoint again. */
import t from 'tap'
import { redeliver, replay } from '../../../src/messaging/webhooks/deliveries/service.ts'
import { resumeEndpoint } from '../../../src/messaging/webhooks/endpoints/service.ts'
import { buildQuayWithWebhooks, openReceiver } from './fixtures.ts'

t.test('an endpoint gets events again', async (t) => {
  const { accountId, deliver, endpointOf, recordEvents, makeEndpoint, sql } = await buildQuayWithWebhooks(t)
  const owner = { accountId, partnerId: null }
  const receiver = await openReceiver(t)
  const { id } = await makeEndpoint(receiver.url, { types: ['booking.*'] })
  for (const bookingId of [1, 2, 3, 4, 5])
    await recordEvents({ type: 'booking.checked-in', details: {}, bookingId })
  await recordEvents({ type: 'product.made', details: {}, productId: 1 })
  await deliver()
  const ids = () => receiver.received.map(({ headers }) => String(headers['webhook-id'])).sort()
  const before = ids()
  t.equal(before.length, 5)

  t.test('from a number on, under the same ids', async (t) => {
    receiver.received.length = 0
    t.equal((await sql.begin((tx) => replay(tx, owner, id, { number: 3 }))).events, 4)
    await deliver()
    t.same(ids(), before.slice(2))
    t.match(await endpointOf(id), { unfinished: 0, position: 6 })
  })

  t.test('from an instant on', async (t) => {
    receiver.received.length = 0
    await sql`update events set occurred_at = '2030-01-01 00:00Z' where number >= 5`
    await sql.begin((tx) => replay(tx, owner, id, { since: new Date('2029-12-31T23:00:00Z') }))
    await deliver()
    t.same(ids(), before.slice(4))
  })

  t.test('none from an instant after all events, or from a number that does not exist yet', async (t) => {
    receiver.received.length = 0
    t.equal(
      (await sql.begin((tx) => replay(tx, owner, id, { since: new Date('2031-01-01T00:00:00Z') }))).events,
      0,
    )
    t.equal((await sql.begin((tx) => replay(tx, owner, id, { number: 1000 }))).events, 0)
    await deliver()
    t.same(receiver.received, [])
    t.match(await endpointOf(id), { position: 6 })
  })

  t.test('of one delivery', async (t) => {
    receiver.received.length = 0
    const [row] = await sql<[{ id: number }]>`
      select id from webhook_deliveries where message_id = ${before[1]!} order by id limit 1`
    await sql.begin((tx) => redeliver(tx, owner, { endpointId: id, deliveryId: row.id }))
    await deliver()
    t.same(ids(), [before[1]])
    t.match(await endpointOf(id), { unfinished: 0 })
  })

  t.test('when it is resumed, if it was paused', async (t) => {
    receiver.received.length = 0
    await sql`update webhook_endpoints set status = 'paused', pause_reason = 'by-hand', paused_at = app_now()`
    await sql.begin((tx) => replay(tx, owner, id, { number: 1 }))
    await deliver()
    t.same(receiver.received, [])
    await sql.begin((tx) => resumeEndpoint(tx, owner, id))
    await deliver()
    t.same(ids(), before)
  })
})

t.test('an unfinished delivery cannot be repeated by a replay or a redelivery', async (t) => {
  const { accountId, deliver, deliverAll, endpointOf, recordEvents, makeEndpoint, sql } =
    await buildQuayWithWebhooks(t)
  const owner = { accountId, partnerId: null }
  const receiver = await openReceiver(t)
  const { id } = await makeEndpoint(receiver.url, { types: ['booking.*'] })
  receiver.answer = (response, { body }) => response.writeHead(body.data.Number === 2 ? 500 : 204).end()
  for (const bookingId of [1, 2, 3])
    await recordEvents({ type: 'booking.checked-in', details: {}, bookingId })
  await deliver()
  for (let again = 0; again < 2; again++) {
    await sql.begin((tx) => replay(tx, owner, id, { number: 1 }))
    await deliver()
  }
  t.equal((await sql`select from webhook_deliveries where event_number = 2`).length, 1)
  t.match(await endpointOf(id), { unfinished: 1 })
  const [row] = await sql<[{ id: number }]>`select id from webhook_deliveries where event_number = 2`
  await t.rejects(
    sql.begin((tx) => redeliver(tx, owner, { endpointId: id, deliveryId: row.id })),
    /No finished delivery/,
  )
  receiver.answer = (response) => response.writeHead(204).end()
  await deliverAll()
  t.match(await endpointOf(id), { unfinished: 0 })
})

t.test('events of a booking are sent again in order, even while one of them is unfinished', async (t) => {
  const { accountId, deliver, deliverAll, endpointOf, recordEvents, makeEndpoint, sql } =
    await buildQuayWithWebhooks(t)
  const owner = { accountId, partnerId: null }
  const receiver = await openReceiver(t)
  const { id } = await makeEndpoint(receiver.url, { types: ['booking.*'] })
  receiver.answer = (response, { body }) => response.writeHead(body.data.Number === 3 ? 500 : 204).end()
  for (let event = 0; event < 3; event++)
    await recordEvents({ type: 'booking.checked-in', details: {}, bookingId: 1 })
  await deliver()
  for (let again = 0; again < 2; again++) {
    await sql.begin((tx) => replay(tx, owner, id, { number: 1 }))
    await deliver()
  }
  receiver.received.length = 0
  receiver.answer = (response) => response.writeHead(204).end()
  await deliverAll()
  t.same(
    receiver.received.map(({ body }) => body.data.Number),
    [3, 1, 2, 3],
  )
  t.match(await endpointOf(id), { unfinished: 0 })
})
