/** Queries of webhooks use an index when there are many events and deliveries. */
import t from 'tap'
import { advanceEndpoints } from '../../../src/messaging/webhooks/deliveries/advance-queries.ts'
import { claimDeliveries } from '../../../src/messaging/webhooks/deliveries/claim-queries.ts'
import { sumWebhooks } from '../../../src/messaging/webhooks/deliveries/gauge-queries.ts'
import * as deliveries from '../../../src/messaging/webhooks/deliveries/queries.ts'
import * as endpoints from '../../../src/messaging/webhooks/endpoints/queries.ts'
import type { Queryable, Sql, Transaction } from '../../../src/platform/postgres/database.ts'
import { explain } from '../../explain.ts'
import { createDatabase, makeCaller } from '../../helper.ts'
import { makeWebhook } from './making.ts'

t.test('no query of webhooks reads all events or deliveries, nor all those of an account', async (t) => {
  const { sql, url } = await createDatabase(t)
  const made = []
  for (const slug of ['one', 'two', 'three']) {
    const { accountId } = await makeCaller(sql, { slug })
    for (let number = 0; number < 5; number++) {
      const { EndpointID: id, DeliveryID } = await makeWebhook(sql, { accountId, partnerId: null })
      made.push({ accountId, id, deliveryId: DeliveryID })
      await sql`
        insert into webhook_deliveries (account_id, endpoint_id, message_id, type, event_number, occurred_at, lane,
          status, next_try_at, finished_at)
        select ${accountId}, ${id}, 'evt_' || n, 'booking.confirmed', n, now(), 'booking ' || n,
          case when n > 3980 then 'pending' when n % 100 = 0 then 'failed' else 'delivered' end, now(),
          case when n <= 3980 then now() end
        from generate_series(1, 4000) as n`
    }
    await sql`
      insert into events (account_id, number, type, occurred_at, booking_id, actor, details)
      select ${accountId}, n, 'booking.confirmed', now() - (20000 - n) * interval '1 minute', n, 'service', '{}'
      from generate_series(1, 20000) as n`
    await sql`
      insert into event_counters (account_id, last_number) values (${accountId}, 20000)
      on conflict (account_id) do update set last_number = 20000`
  }
  await sql`insert into event_epochs (id, system_identifier, timeline) values (1, 1, 1) on conflict do nothing`
  await sql`
    insert into event_epoch_starts (account_id, epoch, first_number)
    select account_id, (select min(id) from event_epochs), 1 from accounts on conflict do nothing`
  await sql`update webhook_endpoints set unfinished = 20, position = 19990, highest_position = 19990`
  await sql`vacuum analyze`
  const { accountId, id, deliveryId } = made[7]!
  const owner = { accountId, partnerId: null }
  const tx = (query: (tx: Transaction) => Promise<unknown>) => (sql: Queryable) => query(sql as Transaction)
  const page = { before: null, limit: 100 }
  const claim = { after: null, underWay: [], maxOfAccount: 64, most: 10, maxOfFailing: 1 }
  const hourAgo = new Date(Date.now() - 3_600_000)
  // Each query, and the most rows of events and deliveries that it may read.
  const cases: [string, number, (sql: Queryable) => Promise<unknown>][] = [
    ['an endpoint', 60, (sql) => endpoints.findEndpoint(sql, owner, id)],
    ['all endpoints of an account', 300, (sql) => endpoints.listEndpoints(sql, owner)],
    ['deliveries', 120, (sql) => deliveries.listDeliveries(sql, accountId, id, page)],
    [
      'failed ones',
      60,
      (sql) => deliveries.listDeliveries(sql, accountId, id, { ...page, status: 'failed' }),
    ],
    ['the first event since', 400, (sql) => deliveries.findFirstNumberSince(sql, accountId, hourAgo)],
    ['a replay', 60, tx((tx) => deliveries.setBack(tx, accountId, id, 19_980))],
    ['a redelivery', 20, tx((tx) => deliveries.repeatDelivery(tx, accountId, id, deliveryId))],
    ['the next deliveries', 2000, (sql) => claimDeliveries(sql as Sql, claim)],
    ['the next events', 2000, (sql) => advanceEndpoints(sql as Sql, { after: null, accountIds: null })],
    ['the events to keep', 1000, (sql) => deliveries.listNeeded(sql)],
    ['the gauges', 2000, (sql) => sumWebhooks(sql)],
  ]
  for (const [name, most, query] of cases) {
    const nodes = await explain(url, query, { options: 'analyze, format json' })
    const large = nodes.filter((node) => /^(webhook_deliveries|events)$/.test(node['Relation Name'] ?? ''))
    const whole = large.filter((node) => node['Node Type'] === 'Seq Scan')
    t.same(whole, [], name)
    const looked = large.reduce(
      (sum, node) =>
        sum + node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)),
      0,
    )
    t.ok(looked <= most, `${name} looks at ${looked} rows`)
  }
})
