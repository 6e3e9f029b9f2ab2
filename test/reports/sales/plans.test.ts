/** Queries of reports can use indexes: for totals of the requested days, and for bookings of the days to count. */
import t from 'tap'
import { openDatabase, type Queryable, type Transaction } from '../../../src/platform/postgres/database.ts'
import * as report from '../../../src/reports/sales/report/queries.ts'
import * as statement from '../../../src/reports/sales/statement/queries.ts'
import { countSome } from '../../../src/reports/sales/totals/counting.ts'
import * as marks from '../../../src/reports/sales/totals/mark-queries.ts'
import * as recount from '../../../src/reports/sales/totals/recount-queries.ts'
import { explain } from '../../explain.ts'
import { createDatabase, makeCaller, makeProduct } from '../../helper.ts'

t.test('no query of reports reads a whole table of bookings, timeslots or totals', async (t) => {
  const { sql, url } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  const subject = { accountId, basis: 'travel', filter: {} } as const
  const periods = [{ from: '2030-06-01', to: '2030-06-30' }]
  const keys = (basis: marks.Basis) => [{ basis, productId: 1, day: '2030-06-15' }]
  const month = { accountId, partnerId: 1, month: periods[0]! }
  const cases: Record<string, (sql: Queryable) => Promise<unknown>> = {
    periods: (sql) => report.sumPeriods(sql, subject, periods),
    groups: (sql) => report.sumGroups(sql, subject, { group: 'partner', periods }),
    units: (sql) => report.sumGroups(sql, subject, { group: 'unit', periods }),
    methods: (sql) => report.sumGroups(sql, subject, { group: 'method', periods }),
    places: (sql) => report.sumPlaces(sql, subject, periods),
    statement: (sql) => statement.listStatementRows(sql, month, { after: null, limit: 100 }),
    'sums of the statement': (sql) => statement.sumStatement(sql, month),
    'owed by month': (sql) => statement.sumOwedByMonth(sql, accountId, periods[0]!),
    sold: (sql) =>
      recount.replaceTotals(sql as Transaction, accountId, { basis: 'sold', keys: keys('sold') }),
    travel: (sql) =>
      recount.replaceTotals(sql as Transaction, accountId, { basis: 'travel', keys: keys('travel') }),
    paid: (sql) =>
      recount.replaceTotals(sql as Transaction, accountId, { basis: 'paid', keys: keys('paid') }),
    'unread events': (sql) => marks.markDaysOfUnreadEvents(sql as Transaction, accountId, 100),
  }
  for (const [name, query] of Object.entries(cases)) {
    const nodes = await explain(url, query, { before: 'set enable_seqscan = off' })
    const scanned = nodes
      .filter((node) => node['Node Type'] === 'Seq Scan')
      .map((node) => node['Relation Name'])
    t.same(
      scanned.filter((table) => table !== 'accounts' && table !== 'partners' && table !== 'products'),
      [],
      name,
    )
    const indexed = nodes.filter((node) =>
      /^(bookings|timeslots|refunds|sales_)/.test(node['Relation Name'] ?? ''),
    )
    for (const node of indexed.filter((node) => /Index/.test(node['Node Type'])))
      t.match(node['Index Cond'] ?? '', 'account_id', `${name}: ${node['Index Name']}`)
  }
})

t.test(
  'rows to count are found by their keys, even by statements that were prepared when there were few bookings',
  async (t) => {
    const { sql, url } = await createDatabase(t)
    const { accountId } = await makeCaller(sql)
    const { id: productId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 100_000 } })
    await sql`
    insert into sales_states (account_id, last_number, filled_from, filled_at)
    values (${accountId}, 0, '2030-01-01', now())`
    await sql`insert into event_counters (account_id, last_number) values (${accountId}, 4000)`
    const sell = async (from: number, to: number) => {
      await sql`
      insert into bookings (account_id, id, basket_id, timeslot_id, channel, status, reference, participants,
        unit_price_minor, currency, first_name, last_name, email, answers, created_at, confirmed_at)
      select account_id, place, place, id, 'partner', 'confirmed', 'R' || place, 1, 4500, 'EUR', 'Ada', 'Lovelace',
        'ada@example.com', '[]', now(), now()
      from timeslots, generate_series(${from}::integer, ${to}::integer) as place where product_id = ${productId}`
      await sql`
      insert into events (account_id, number, type, basket_id, booking_id, actor, details)
      select ${accountId}, place, 'booking.confirmed', place, place, 'partner', '{}'
      from generate_series(${from}::integer, ${to}::integer) as place`
    }
    await sell(1, 10)
    await sql`vacuum analyze`
    const worker = openDatabase(url, { poolSize: 1, applicationName: 'abs-test' })
    t.teardown(() => worker.end())
    const readRows = async () => {
      await worker`select pg_stat_force_next_flush()`
      const [{ rows } = { rows: 0 }] = await worker<{ rows: number }[]>`
      select (seq_tup_read + idx_tup_fetch)::float8 as rows from pg_stat_user_tables where relname = 'bookings'`
      return rows
    }
    // PostgreSQL may change to a generic plan after five executions of a prepared statement.
    for (let run = 0; run < 8; run++) {
      await sql`update sales_states set last_number = 0`
      await countSome(worker, accountId)
    }
    await sell(11, 4000)
    const before = await readRows()
    for (let left = -1; left !== 0; ) left = await countSome(worker, accountId)
    const read = (await readRows()) - before
    t.ok(read >= 4000 && read <= 20 * 4000, `${read} rows of bookings are read`)
    const [sold] = await sql`select sum(bookings)::integer as bookings from sales_totals where basis = 'sold'`
    t.equal(sold!.bookings, 4000)
  },
)
