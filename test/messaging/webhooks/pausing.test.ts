/** When an endpoint is paused, and what happens to the events that it did not get. */
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { sweepEvents } from '../../../src/events/retention.ts'
import {
  deleteOldDeliveries,
  listNeeded,
  redeliver,
  sendTest,
} from '../../../src/messaging/webhooks/deliveries/service.ts'
import {
  deleteEndpoint,
  pauseEndpoint,
  resumeEndpoint,
} from '../../../src/messaging/webhooks/endpoints/service.ts'
import { createClock } from '../../clock.ts'
import { until } from '../../until.ts'
import { buildQuayWithWebhooks, openReceiver } from './fixtures.ts'

t.test('an endpoint without any success for three days', async (t) => {
  const { accountId, book, deliver, deliverAll, endpointOf, makeEndpoint, sql } =
    await buildQuayWithWebhooks(t)
  const receiver = await openReceiver(t)
  const { id } = await makeEndpoint(receiver.url, { types: ['booking.*'] })
  receiver.answer = (response) => response.writeHead(500).end()
  const first = await book()
  await deliver()
  await sql`
    update webhook_endpoints set failing_since = failing_since - interval '3 days'`
  await sql`
    update webhook_deliveries set first_tried_at = first_tried_at - interval '3 days', next_try_at = app_now()`
  await deliver()

  t.test('is paused, and its deliveries stay', async (t) => {
    t.match(await endpointOf(id), { status: 'paused', pauseReason: 'failing', unfinished: 1, setAside: 0 })
    t.match(await sql`select status, tries from webhook_deliveries`, [{ status: 'pending', tries: 2 }])
  })

  t.test('gets nothing while it is paused', async (t) => {
    await book()
    receiver.received.length = 0
    await deliverAll()
    t.same(receiver.received, [])
  })

  t.test(
    'when it is resumed, continues where it stopped, and retries each delivery for another three days',
    async (t) => {
      await sql.begin((tx) => resumeEndpoint(tx, { accountId, partnerId: null }, id))
      await deliver()
      t.equal(receiver.received.length, 2)
      t.equal(receiver.received[0]!.body.data.BookingReference, first)
      t.match(await sql`select status, tries from webhook_deliveries`, [
        { status: 'pending', tries: 1 },
        { status: 'pending', tries: 1 },
      ])
      receiver.answer = (response) => response.writeHead(200).end()
      await deliverAll()
      t.match(await endpointOf(id), { status: 'active', unfinished: 0, failingSince: null })
    },
  )
})

t.test('410 pauses an endpoint at once, and loses none of its events', async (t) => {
  const { accountId, book, deliver, endpointOf, makeEndpoint, sql } = await buildQuayWithWebhooks(t)
  const receiver = await openReceiver(t)
  const { id } = await makeEndpoint(receiver.url, { types: ['booking.*'] })
  receiver.answer = (response) => response.writeHead(410).end()
  const reference = await book()
  await deliver()
  t.match(await endpointOf(id), { status: 'paused', pauseReason: 'gone', unfinished: 1 })
  receiver.answer = (response) => response.writeHead(200).end()
  await sql.begin((tx) => resumeEndpoint(tx, { accountId, partnerId: null }, id))
  await deliver()
  t.same(
    receiver.received.map(({ body }) => body.data.BookingReference),
    [reference, reference],
  )
  t.match(await endpointOf(id), { status: 'active', unfinished: 0 })
})

t.test('a delivery under way when its endpoint is paused or deleted', async (t) => {
  const { accountId, book, deliver, endpointOf, makeEndpoint, sql, services } = await buildQuayWithWebhooks(t)
  const owner = { accountId, partnerId: null }

  async function begin(status: number) {
    const receiver = await openReceiver(t)
    const { id } = await makeEndpoint(receiver.url, { types: ['booking.*'] })
    const answers: (() => void)[] = []
    receiver.answer = (response) => answers.push(() => response.writeHead(status).end())
    await book()
    const delivering = deliver()
    await until(() => answers.length === 1)
    return {
      id,
      receiver,
      async end() {
        answers[0]!()
        receiver.answer = (response) => response.writeHead(status).end()
        await delivering
      },
    }
  }

  t.test('counts as delivered when it arrives at an endpoint that was paused', async (t) => {
    const { id, end } = await begin(204)
    await sql.begin((tx) => pauseEndpoint(tx, owner, id))
    await end()
    t.match(await endpointOf(id), { status: 'paused', pauseReason: 'by-hand', unfinished: 0 })
  })

  t.test('has another three days if it fails after its endpoint was resumed', async (t) => {
    const { id, end } = await begin(500)
    await sql`
      update webhook_deliveries set first_tried_at = app_now() - interval '4 days' where endpoint_id = ${id}`
    await sql.begin(async (tx) => {
      await pauseEndpoint(tx, owner, id)
      await resumeEndpoint(tx, owner, id)
    })
    await end()
    t.match(await endpointOf(id), { status: 'active', unfinished: 1, setAside: 0 })
  })

  t.test('does not prevent the deletion of the rows of a deleted endpoint', async (t) => {
    const { id, end } = await begin(410)
    await sql.begin((tx) => deleteEndpoint(tx, owner, id))
    await end()
    t.equal(await endpointOf(id), null)
    while ((await deleteOldDeliveries(sql)) > 0) await setImmediate()
    t.same(await sql`select from webhook_endpoints where id = ${id}`, [])
    t.same(await sql`select from webhook_deliveries where endpoint_id = ${id}`, [])
    await services.webhooks.run()
  })
})

t.test('events that an endpoint did not get', async (t) => {
  const { accountId, deliver, deliverAll, endpointOf, recordEvents, makeEndpoint, sql } =
    await buildQuayWithWebhooks(t)
  const owner = { accountId, partnerId: null }
  const receiver = await openReceiver(t)
  const { id } = await makeEndpoint(receiver.url, { types: ['promotion.*'] })
  const sweep = async () => sweepEvents(sql, { EVENT_RETENTION_DAYS: 30 }, await listNeeded(sql))
  const count = async () => (await sql`select from events where type like 'promotion.%'`).length
  const makePromotion = () => recordEvents({ type: 'promotion.made', details: { PromotionID: 7 } })
  const age = () => sql`update events set occurred_at = occurred_at - interval '40 days'`

  t.test(
    'outlive the retention time while the endpoint is active, or paused for less than 30 days',
    async (t) => {
      receiver.answer = (response) => response.writeHead(500).end()
      await makePromotion()
      await deliver()
      await age()
      await sweep()
      t.equal(await count(), 1, 'while it is active')
      await sql.begin((tx) => pauseEndpoint(tx, owner, id))
      await makePromotion()
      await deliver()
      await age()
      await sweep()
      t.equal(await count(), 2)
      receiver.received.length = 0
      receiver.answer = (response) => response.writeHead(204).end()
      await sql.begin((tx) => resumeEndpoint(tx, owner, id))
      await deliverAll()
      t.same(
        receiver.received.map(({ body }) => body.data.Details),
        [{ PromotionID: 7 }, { PromotionID: 7 }],
      )
      await sweep()
      t.equal(await count(), 0)
    },
  )

  t.test('expire when the endpoint is paused for longer; it then continues with later events', async (t) => {
    await makePromotion()
    await sql.begin((tx) => pauseEndpoint(tx, owner, id))
    await deliver()
    await sql`update webhook_endpoints set paused_at = app_now() - interval '31 days'`
    await age()
    await sweep()
    t.equal(await count(), 0)
    receiver.received.length = 0
    await sql.begin((tx) => resumeEndpoint(tx, owner, id))
    await makePromotion()
    await deliverAll()
    t.equal(receiver.received.length, 1)
    const endpoint = await endpointOf(id)
    t.equal(endpoint!.position, endpoint!.end)
  })
})

t.test('an endpoint with 2,000 unfinished deliveries accepts no test and no redelivery', async (t) => {
  const { accountId, book, deliver, endpointOf, makeEndpoint, sql } = await buildQuayWithWebhooks(t)
  const owner = { accountId, partnerId: null }
  const receiver = await openReceiver(t)
  const { id } = await makeEndpoint(receiver.url, { types: ['booking.*'] })
  await book()
  await deliver()
  const [first] = await sql<[{ id: number }]>`select id from webhook_deliveries`
  await sql`update webhook_endpoints set unfinished = 1999 where id = ${id}`
  await sql.begin((tx) => sendTest(tx, owner, id))
  const refusal = { slug: 'rate-limited', message: /2000 unfinished deliveries/ }
  await t.rejects(
    sql.begin((tx) => sendTest(tx, owner, id)),
    refusal,
  )
  await t.rejects(
    sql.begin((tx) => redeliver(tx, owner, { endpointId: id, deliveryId: first.id })),
    refusal,
  )
  t.match(await endpointOf(id), { unfinished: 2000 })
})

t.test('an endpoint that a user pauses is paused at the time of the service’s clock', async (t) => {
  const { accountId, makeEndpoint, endpointOf, sql } = await buildQuayWithWebhooks(t)
  const { id } = await makeEndpoint('http://127.0.0.1:9/', { types: ['booking.*'] })
  await createClock(sql)('10 days')
  const [{ now }] = await sql<[{ now: Date }]>`select app_now() as now`
  await sql.begin((tx) => pauseEndpoint(tx, { accountId, partnerId: null }, id))
  t.ok((await endpointOf(id))!.pausedAt! >= now)
})
