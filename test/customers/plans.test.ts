/** Queries of customers' data read few rows: two accounts have about 4,000 bookings each. */
import t from 'tap'
import { listUnfinished } from '../../src/customers/erasure-queries.ts'
import * as exporting from '../../src/customers/export-queries.ts'
import * as erasing from '../../src/customers/queries.ts'
import * as responses from '../../src/customers/response-queries.ts'
import * as retention from '../../src/customers/retention-queries.ts'
import * as tickets from '../../src/customers/ticket-queries.ts'
import type { Queryable, Transaction } from '../../src/platform/postgres/database.ts'
import { explain } from '../explain.ts'
import { createDatabase, makeCaller, makeProduct } from '../helper.ts'
import { makeWorkflow } from '../messaging/emails/fixtures.ts'

t.test('queries of personal data read neither whole tables nor all rows of an account', async (t) => {
  const { sql, url } = await createDatabase(t)
  const accounts = await Promise.all(['one', 'two'].map((slug) => makeCaller(sql, { slug })))
  for (const { accountId } of accounts) {
    const { id } = await makeProduct(sql, accountId)
    await sql`
      with made as (
        insert into timeslots (account_id, product_id, date, time, starts_at, capacity, customers_erased_at)
        select ${accountId}, ${id}, day, '10:00', day, 10, case when day < '2024-12-01' then now() end
        from generate_series('2020-01-01'::timestamp, '2030-12-31', '1 day') as day
        returning id
      ), slot as (
        select id, row_number() over () as n from made
      )
      insert into bookings (account_id, id, basket_id, timeslot_id, reference, channel, status, participants,
        unit_price_minor, currency, first_name, last_name, email, phone, answers, erasure_id)
      select ${accountId}, n, n, id, 'R' || n, 'partner', 'confirmed', 1, 4500, 'EUR', 'Ada', 'Lovelace',
        'mail' || n || '@example.com', '+351' || n, '[]', case when n % 10 = 0 then n / 100 end
      from slot`
    await sql`
      insert into tickets (account_id, booking_id, number, unit_id, email)
      select ${accountId}, n, 1, 0, 'guest' || n || '@example.com' from generate_series(1, 4000) as n`
    await sql`
      insert into emails (account_id, kind, booking_id, status, sent_at, created_at)
      select ${accountId}, case when n % 50 = 0 then 'test' else 'confirmation' end, n, 'sent', now(),
        now() - n * interval '1 day' from generate_series(1, 4000) as n`
    const workflowId = await makeWorkflow(sql, accountId)
    await sql`
      insert into workflow_runs (account_id, workflow_id, booking_id)
      select ${accountId}, ${workflowId}, n from generate_series(1, 4000) as n`
    await sql`
      insert into erasures (account_id, cause, finished_at)
      select ${accountId}, 'retention', now() from generate_series(1, 2000)`
    await sql`
      insert into idempotency_keys (account_id, api_key_id, operation, key, body_hash, response)
      select ${accountId}, 9000 + n % 5, 'booking.create', n, '', '{}' from generate_series(1, 4000) as n`
  }
  await sql`vacuum analyze`
  const { accountId } = accounts[1]!
  const tx = (query: (tx: Transaction) => Promise<unknown>) => (sql: Queryable) => query(sql as Transaction)
  const who = { email: 'mail77@example.com', phone: null, reference: 'R79' }
  const guest = { email: 'guest88@example.com', phone: null, reference: null }
  const erasure = { accountId, id: 7 }
  const some = { includeUpcoming: false, limit: 100 }
  // The number is the most rows that the query may read, in all tables together.
  const cases: [string, number, (sql: Queryable) => Promise<unknown>][] = [
    ['a customer’s bookings', 20, (sql) => erasing.listCustomerBookings(sql, accountId, who)],
    ['bookings to erase', 20, tx((tx) => erasing.lockErasable(tx, accountId, who, some))],
    ['bookings to export', 40, (sql) => exporting.listBookings(sql, accountId, who)],
    ['a customer’s tickets', 20, (sql) => tickets.listTheirTickets(sql, accountId, guest)],
    ['tickets of bookings', 20, (sql) => tickets.listTicketsOf(sql, accountId, [1, 2])],
    ['the number of tickets', 20, (sql) => tickets.countContacts(sql, accountId, guest)],
    ['bookings of a contact', 20, tx((tx) => tickets.lockBookingsOfContact(tx, accountId, guest, 100))],
    [
      'erasing tickets',
      20,
      tx(async (tx) => {
        await tickets.eraseTicketsOf(tx, accountId, [1, 2])
        await tickets.eraseContacts(tx, accountId, guest, [88])
      }),
    ],
    ['tests sent to an address', 100, (sql) => erasing.deleteTestsTo(sql, accountId, 'a@b.c')],
    ['stored responses with an address', 20, tx((tx) => responses.lockResponsesOf(tx, accountId, guest))],
    ['unfinished erasures', 0, (sql) => listUnfinished(sql, null)],
    ['bookings of an erasure', 20, (sql) => erasing.listErased(sql, erasure, { after: 0, limit: 100 })],
    ['e-mails about bookings', 20, tx((tx) => erasing.clearEmails(tx, accountId, [1, 2, 3]))],
    ['stored responses', 20, tx((tx) => responses.lockResponses(tx, erasure))],
    [
      'changes, e-mails, waits and payments',
      20,
      async (sql) => {
        await exporting.listChanges(sql, accountId, [1, 2])
        await exporting.listEmails(sql, accountId, [1, 2])
        await exporting.listWaits(sql, accountId, [1, 2])
        await exporting.listPayments(sql, accountId, [1, 2])
        await exporting.listLedger(sql, accountId, [1, 2])
        await exporting.listUndoneRefunds(sql, accountId, [1, 2])
      },
    ],
    [
      'timeslots that ended',
      120,
      tx((tx) => retention.lockEndedSlots(tx, accountId, { days: 30, after: null, limit: 50 })),
    ],
    [
      'bookings of timeslots',
      20,
      tx((tx) => retention.lockBookingsOfSlots(tx, accountId, { slotIds: [1, 2], limit: 100 })),
    ],
    ['marking timeslots', 20, tx((tx) => retention.markErased(tx, accountId, [1, 2]))],
    ['runs of deleted workflows', 20, (sql) => retention.deleteOrphanRuns(sql)],
    ['old e-mails', 2100, (sql) => retention.deleteEndedEmails(sql, 3000)],
  ]
  for (const [name, most, query] of cases) {
    const nodes = await explain(url, query, { options: 'analyze, format json' })
    const scans = nodes.filter(
      (node) => node['Relation Name'] !== undefined && node['Node Type'] !== 'ModifyTable',
    )
    const read = scans.reduce((sum, node) => {
      const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
      return sum + (node['Actual Rows'] + removed) * node['Actual Loops']
    }, 0)
    t.ok(read <= most, `${name}: looks at ${read} rows, at most ${most}`)
  }
})
