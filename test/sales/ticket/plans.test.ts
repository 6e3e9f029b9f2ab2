/** Queries of tickets use an index, however many tickets there are. */
import t from 'tap'
import * as inventory from '../../../src/inventory/ticket-queries.ts'
import type { Queryable, Transaction } from '../../../src/platform/postgres/database.ts'
import * as queries from '../../../src/sales/ticket/queries.ts'
import { explain } from '../../explain.ts'
import { createDatabase, makeCaller, makeProduct } from '../../helper.ts'

t.test('no query of tickets reads more than the tickets of its bookings', async (t) => {
  const { sql, url } = await createDatabase(t)
  const accounts = await Promise.all(['one', 'two'].map((slug) => makeCaller(sql, { slug })))
  for (const { accountId } of accounts) {
    await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 8 } })
    await sql`
      insert into bookings (account_id, id, basket_id, timeslot_id, reference, channel, status, participants,
        unit_price_minor, currency, answers, has_tickets)
      select ${accountId}, n, n, (select min(id) from timeslots where account_id = ${accountId}), 'R' || n, 'partner',
        'confirmed', 2, 4500, 'EUR', '[]', true
      from generate_series(1, 4000) as n`
    await sql`
      insert into tickets (account_id, booking_id, number, unit_id, redeemed_at)
      select ${accountId}, n, number, 0, case when n % 2 = 0 then now() end
      from generate_series(1, 4000) as n, generate_series(1, 2) as number`
  }
  await sql`vacuum analyze`
  const { accountId } = accounts[1]!
  const [ticket] = await sql<{ uuid: string }[]>`
    select uuid from tickets where account_id = ${accountId} and booking_id = 77 and number = 1`
  const uuid = ticket!.uuid
  const keys = [77, 78].map((id) => ({ accountId, id }))
  const contact = { firstName: 'Ada', lastName: null, email: null, phone: null, resellerReference: null }
  const tx = (query: (tx: Transaction) => Promise<unknown>) => (sql: Queryable) => query(sql as Transaction)
  const cases: [string, (sql: Queryable) => Promise<unknown>][] = [
    ['of a booking', (sql) => queries.listTickets(sql, accountId, 77)],
    ['of a reference', (sql) => queries.listTicketsOfReference(sql, accountId, 'R77')],
    ['by its uuid', (sql) => queries.findTicket(sql, accountId, uuid)],
    ['redeeming', tx((tx) => queries.updateRedemption(tx, accountId, uuid, { isRedeemed: true }))],
    ['whether any is redeemed', tx((tx) => queries.hasRedeemed(tx, accountId, 78))],
    ['describing', tx((tx) => queries.updateTicket(tx, accountId, uuid, contact))],
    ['of bookings that change', tx((tx) => inventory.listAllTickets(tx, keys))],
    ['of bookings that move', tx((tx) => inventory.clearRedemptions(tx, keys))],
    ['surplus ones', tx((tx) => inventory.voidTickets(tx, [{ accountId, bookingId: 77, number: 2 }]))],
    ['of bookings that end', tx((tx) => inventory.voidTicketsOf(tx, keys))],
  ]
  for (const [name, query] of cases) {
    const nodes = await explain(url, query, { options: 'analyze, format json' })
    const scans = nodes.filter(
      (node) => node['Relation Name'] === 'tickets' && node['Node Type'] !== 'ModifyTable',
    )
    t.ok(scans.length > 0, name)
    const read = scans.reduce((sum, node) => {
      const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
      return sum + (node['Actual Rows'] + removed) * node['Actual Loops']
    }, 0)
    t.ok(read <= 4, `${name}: looks at ${read} rows`)
  }
})
