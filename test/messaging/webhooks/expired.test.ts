/** Deliveries whose events have been deleted from the log, because their retention time is over. */
import t from 'tap'
import { sweepEvents } from '../../../src/events/retention.ts'
import { listNeeded, redeliver } from '../../../src/messaging/webhooks/deliveries/service.ts'
import { pauseEndpoint, resumeEndpoint } from '../../../src/messaging/webhooks/endpoints/service.ts'
import { scrape, sumOf } from '../../scrape.ts'
import { buildQuayWithWebhooks, openReceiver } from './fixtures.ts'

for (const body of ['thin', 'full', 'octo'] as const)
  t.test(`a delivery with a ${body} body whose event has expired`, async (t) => {
    const { accountId, deliver, endpointOf, makeEndpoint, product, recordEvents, services, sql } =
      await buildQuayWithWebhooks(t)
    const owner = { accountId, partnerId: null }
    const receiver = await openReceiver(t)
    const { id } = await makeEndpoint(receiver.url, { types: ['product.*'], body })
    const change = () =>
      recordEvents({ type: 'product.changed', details: { Fields: ['Name'] }, productId: product.id })
    const expire = async () => {
      await sql`update events set occurred_at = occurred_at - interval '40 days'`
      while ((await sweepEvents(sql, { EVENT_RETENTION_DAYS: 30 }, await listNeeded(sql))) > 0);
    }
    // The log always keeps the latest change of a product.
    const changeTwice = async () => {
      await change()
      await change()
    }

    t.test('is not sent again, and the request says why', async (t) => {
      await changeTwice()
      await deliver()
      t.equal(receiver.received.length, 2)
      await expire()
      const [first] = await sql<[{ id: number }]>`select id from webhook_deliveries order by id limit 1`
      await t.rejects(
        sql.begin((tx) => redeliver(tx, owner, { endpointId: id, deliveryId: first.id })),
        { slug: 'not-found', message: 'The event of this delivery has expired, so it cannot be sent again.' },
      )
      t.equal((await sql`select from webhook_deliveries`).length, 2)
      t.match(await endpointOf(id), { unfinished: 0 })
    })

    t.test(
      'is set aside with the reason when its endpoint is resumed, and later events arrive',
      async (t) => {
        receiver.answer = (response) => response.writeHead(500).end()
        await changeTwice()
        await deliver()
        await sql.begin((tx) => pauseEndpoint(tx, owner, id))
        await sql`update webhook_endpoints set paused_at = app_now() - interval '31 days'`
        await expire()
        receiver.received.length = 0
        receiver.answer = (response) => response.writeHead(204).end()
        await sql.begin((tx) => resumeEndpoint(tx, owner, id))
        await deliver()
        t.match(await sql`select status, http_status, fault from webhook_deliveries order by id offset 2`, [
          {
            status: 'failed',
            http_status: null,
            fault: 'Its event has expired, so there is nothing to send.',
          },
          { status: 'delivered', http_status: 204 },
        ])
        t.equal(receiver.received.length, 1)
        t.match(await endpointOf(id), { status: 'active', unfinished: 0, setAside: 1, failingSince: null })
      },
    )

    t.test('counts neither as a failure of its endpoint nor as a try', async (t) => {
      receiver.answer = (response) => response.writeHead(500).end()
      await changeTwice()
      await deliver()
      await sql`update webhook_endpoints set failing_since = app_now() - interval '4 days', failures = 3`
      await sql`
        delete from events
        where number = (select min(event_number) from webhook_deliveries where status = 'pending')`
      receiver.received.length = 0
      const [last] = await sql<[{ id: number }]>`select max(id) as id from webhook_deliveries`
      await sql`update webhook_deliveries set next_try_at = app_now() + interval '1 hour' where id = ${last.id}`
      await sql`update webhook_deliveries set next_try_at = app_now() where status = 'pending' and id <> ${last.id}`
      await deliver()
      t.same(receiver.received, [])
      t.match(await endpointOf(id), { status: 'active', unfinished: 1, setAside: 2 })
      t.match(await sql`select failures from webhook_endpoints where id = ${id}`, [{ failures: 3 }])
      const tries = await scrape(services.metrics)
      t.ok(sumOf(tries, 'webhook_tries_total', { outcome: 'refused' })! > 0)
      t.equal(sumOf(tries, 'webhook_tries_total', { outcome: 'unanswered' }) ?? 0, 0)
    })
  })
