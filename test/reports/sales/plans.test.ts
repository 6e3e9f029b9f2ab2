/** What reports read is found by an index: totals of the days asked for, and bookings of the days that are counted. */
import t from 'tap'
import type { Queryable, Transaction } from '../../../src/platform/postgres/database.ts'
import * as report from '../../../src/reports/sales/report/queries.ts'
import * as statement from '../../../src/reports/sales/statement/queries.ts'
import * as marks from '../../../src/reports/sales/totals/mark-queries.ts'
import * as recount from '../../../src/reports/sales/totals/recount-queries.ts'
import { explain } from '../../explain.ts'
import { createDatabase, makeCaller } from '../../helper.ts'

t.test('no statement of reports reads a whole table of bookings, timeslots or totals', async (t) => {
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
    'its sums': (sql) => statement.sumStatement(sql, month),
    'owed by month': (sql) => statement.sumOwedByMonth(sql, accountId, periods[0]!),
    sold: (sql) =>
      recount.replaceTotals(sql as Transaction, accountId, { basis: 'sold', keys: keys('sold') }),
    travel: (sql) =>
      recount.replaceTotals(sql as Transaction, accountId, { basis: 'travel', keys: keys('travel') }),
    paid: (sql) =>
      recount.replaceTotals(sql as Transaction, accountId, { basis: 'paid', keys: keys('paid') }),
    'unread events': (sql) => marks.markUnread(sql as Transaction, accountId, 100),
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
