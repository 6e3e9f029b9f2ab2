/** Lists of bookings read far fewer rows than there are: 40,000 bookings in each of three accounts. */
import t from 'tap'
import type { Queryable, Sql } from '../../../src/platform/postgres/database.ts'
import { findUnlocked } from '../../../src/sales/booking/changes/queries.ts'
import { type BookingFilter, listBookings } from '../../../src/sales/booking/desk/list-queries.ts'
import { findBooking, listChanges } from '../../../src/sales/booking/desk/queries.ts'
import * as partner from '../../../src/sales/booking/partner/queries.ts'
import { explain } from '../../explain.ts'
import { createDatabase, makeCaller, makeProduct } from '../../helper.ts'

/**
 * Makes 5 products of 1,000 timeslots each, and 8 bookings on each timeslot, made one a minute over four weeks;
 * returns the ids of the products.
 */
async function fill(sql: Sql, accountId: number): Promise<number[]> {
  const products: number[] = []
  for (let number = 1; number <= 5; number++) {
    const { id } = await makeProduct(sql, accountId, { name: `Tour ${number}` })
    products.push(id)
  }
  await sql`
    insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
    select ${accountId}, product, day, make_time(hour, 0, 0), day + make_time(hour, 0, 0), 10
    from unnest(${products}::bigint[]) as product,
      generate_series('2030-01-01'::timestamp, '2030-04-10', '1 day') as day, generate_series(8, 17) as hour`
  await sql`
    with made as (
      select row_number() over () as n, slot.id as slot_id from timeslots as slot, generate_series(1, 8)
      where slot.account_id = ${accountId}
    ), happened as (
      insert into events (account_id, number, occurred_at, type, booking_id, partner_id, actor, details)
      select ${accountId}, n, '2029-12-01'::timestamptz + n * interval '1 minute', 'booking.confirmed', n,
        case when n % 10 < 8 then n % 10 when n % 10 = 8 then 0 end, 'service', '{}'
      from made
    ), counted as (
      insert into event_counters (account_id, last_number) select ${accountId}, count(*) from made
    )
    insert into bookings (account_id, id, basket_id, timeslot_id, partner_id, reference, channel, status,
      participants, payment_reference, first_name, last_name, email, answers, created_at, updated_at, unit_price_minor,
      currency, cancelled_at, cancel_reason)
    select ${accountId}, n, n, slot_id, case when n % 10 < 8 then n % 10 end, 'R' || n,
      case when n % 10 < 9 then 'partner' when n % 1000 = 999 then 'pos' else 'online' end,
      case when n % 500 = 0 then 'held' when n % 50 = 1 then 'cancelled' else 'confirmed' end,
      1, 'P' || n, 'First' || n % 100, 'Last' || n, 'mail' || n || '@example.com', '[]',
      '2029-12-01'::timestamptz + n * interval '1 minute', '2029-12-01'::timestamptz + n * interval '1 minute',
      4500, 'EUR',
      case when n % 500 <> 0 and n % 50 = 1 then now() end, case when n % 500 <> 0 and n % 50 = 1 then 'operator' end
    from made`
  await sql`
    insert into booking_words (account_id, booking_id, words)
    select account_id, id, array_to_tsvector(array[account_id || '/' || lower(first_name),
      account_id || '/' || lower(last_name), account_id || '/#' || reverse((490000000 + id)::text)])
    from bookings where account_id = ${accountId}`
  return products
}

/** Returns how many rows of bookings a query read, how often it read the whole table, and its plan. */
async function countRead(url: string, query: (sql: Queryable) => Promise<unknown>) {
  const nodes = await explain(url, query, { options: 'analyze, format json' })
  const scans = nodes.filter((node) => node['Relation Name'] === 'bookings')
  const rows = scans.map((node) => {
    const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
    return (node['Actual Rows'] + removed) * node['Actual Loops']
  })
  const whole = scans.filter((node) => node['Node Type'] === 'Seq Scan')
  return { read: rows.reduce((sum, count) => sum + count, 0), whole: whole.length, nodes }
}

t.test('lists of bookings use an index, and read far fewer rows than there are', async (t) => {
  const { sql, url } = await createDatabase(t)
  const accounts = await Promise.all(['one', 'two', 'three'].map((slug) => makeCaller(sql, { slug })))
  let products: number[] = []
  for (const { accountId } of accounts) products = await fill(sql, accountId)
  await sql`vacuum analyze`
  const { accountId } = accounts.at(-1)!
  const list = (filter: Partial<BookingFilter>) => (sql: Queryable) =>
    listBookings(sql, accountId, { timeZone: 'Europe/Lisbon', ...filter }, { after: null, limit: 101 })
  const day = { from: '2030-02-10', to: '2030-02-10' }
  const made = { madeFrom: '2029-12-10', madeTo: '2029-12-10' }
  const word = (text: string) => `'${accountId}/${text}':*`
  const viewer = { accountId, partnerId: 3 }
  const [slot] = await sql<{ id: number }[]>`select id from timeslots where account_id = ${accountId} limit 1`
  const later = { after: 20_000, limit: 100 }
  // The name of each query, and the most rows of bookings that the query may read.
  const cases: [string, number, (sql: Queryable) => Promise<unknown>][] = [
    ['the newest', 150, list({})],
    [
      'a later page',
      150,
      (sql) =>
        listBookings(
          sql,
          accountId,
          { timeZone: 'UTC' },
          { after: [Date.parse('2029-12-05') * 1000, 1], limit: 101 },
        ),
    ],
    ['a day of activity', 450, list(day)],
    ['a day of activity of a product', 450, list({ ...day, productId: products[0] })],
    ['a timeslot', 10, list({ timeslotId: slot!.id })],
    [
      'confirmed or held bookings of a timeslot',
      10,
      list({ timeslotId: slot!.id, statuses: ['confirmed', 'held'] }),
    ],
    ['bookings made on a day', 1500, list(made)],
    ['a partner’s bookings made on a day, for another day', 1500, list({ ...made, ...day, partnerId: 3 })],
    ['partners’ bookings', 300, list({ channel: 'partner' })],
    ['online bookings', 300, list({ channel: 'online' })],
    ['sales at the till', 150, list({ channel: 'pos' })],
    ['held', 150, list({ statuses: ['held'] })],
    ['cancelled', 150, list({ statuses: ['cancelled'] })],
    ['cancelled or held', 6000, list({ statuses: ['cancelled', 'held'] })],
    ['confirmed', 300, list({ statuses: ['confirmed'] })],
    ['a status that none has', 10, list({ statuses: ['waitlisted'] })],
    ['a partner', 3000, list({ partnerId: 3 })],
    ['a partner that has none', 10, list({ partnerId: 999 })],
    ['a product that has none', 10, list({ productId: 999_999 })],
    ['a text within a day of activity', 450, list({ ...day, text: 'last2' })],
    ['a text that many have', 3000, list({ text: 'last3' })],
    ['a word within a day of activity', 450, list({ ...day, search: { words: word('last2'), orNamed: [] } })],
    ['still to be paid', 150, list({ mayOwe: true })],
    ['one booking', 1, (sql) => findBooking(sql, accountId, 'R77')],
    ['one booking, to change it', 1, (sql) => findUnlocked(sql, accountId, 'R77')],
    ['the history of a booking', 1, (sql) => listChanges(sql, accountId, 77)],
    ['a booking of a partner', 1, (sql) => partner.findOwnBooking(sql, viewer, 'R73')],
    [
      'a payment',
      1,
      (sql) => partner.listByPayment(sql, viewer, { reference: 'P73', after: null, limit: 101 }),
    ],
    ['the first changes', 150, (sql) => partner.listChanged(sql, viewer, { ...later, after: 0 })],
    ['later changes', 150, (sql) => partner.listChanged(sql, viewer, later)],
    [
      'changes of a key without a partner',
      300,
      (sql) => partner.listChanged(sql, { accountId, partnerId: null }, later),
    ],
    ['no changes', 0, (sql) => partner.listChanged(sql, viewer, { ...later, after: 999_999 })],
  ]
  for (const [name, most, query] of cases) {
    const { read, whole, nodes } = await countRead(url, query)
    t.equal(whole, 0, `${name}: not the whole table`)
    const ofWords = nodes.filter((node) => node['Relation Name'] === 'booking_words')
    for (const node of ofWords) t.not(node['Node Type'], 'Seq Scan', `${name}: does not read all words`)
    t.ok(read <= most, `${name}: looks at ${read} bookings, at most ${most}`)
  }
  const since = Date.parse('2029-12-10T00:00:00Z')
  const first = await countRead(url, (sql) => partner.findFirstSince(sql, viewer, since))
  t.match(
    first.nodes.filter((node) => node['Relation Name'] === 'events'),
    [{ 'Node Type': 'Index Only Scan', 'Index Name': 'events_by_partner' }],
  )
  t.equal(first.whole, 0)
})
