/** Queries of tills read few rows, even if there are many tills and payments. */
import t from 'tap'
import type { Queryable, Transaction } from '../../../src/platform/postgres/database.ts'
import * as cash from '../../../src/sales/till/cash-queries.ts'
import * as queries from '../../../src/sales/till/queries.ts'
import { explain } from '../../explain.ts'
import { createDatabase, makeCaller } from '../../helper.ts'

t.test('no query of tills reads more than 100 rows of thousands of tills and payments', async (t) => {
  const { sql, url } = await createDatabase(t)
  const accounts = await Promise.all(['one', 'two'].map((slug) => makeCaller(sql, { slug })))
  for (const { accountId } of accounts) {
    await sql`
      insert into tills (account_id, id, user_id, currency, float_minor, closed_at, counted_minor, expected_minor)
      select ${accountId}, n, n % 5, 'EUR', 100, case when n <= 4000 then now() end,
        case when n <= 4000 then 0 end, case when n <= 4000 then 0 end
      from generate_series(1, 4001) as n`
    // Every hundredth payment is outside of tills, one a day. Each closed till has three or four of the other payments.
    await sql`
      insert into payments (account_id, basket_id, kind, method, amount_minor, currency, actor, till_id, made_at)
      select ${accountId}, n, 'payment', 'cash', 100, 'EUR', 'user', case when n % 100 > 0 then 1 + n / 4 end,
        '2030-06-15'::timestamptz - n / 100 * interval '1 day'
      from generate_series(0, 15999) as n`
  }
  await sql`vacuum analyze`
  const { accountId } = accounts[1]!
  const page = { before: null, limit: 10 }
  const tx = (query: (tx: Transaction) => Promise<unknown>) => (sql: Queryable) => query(sql as Transaction)
  const day = { day: '2030-06-10', timeZone: 'UTC' }
  const cases: [string, number, (sql: Queryable) => Promise<unknown>][] = [
    [
      'of a user that is open',
      1,
      tx((tx) =>
        queries.findTillFor(
          tx,
          { accountId, actor: { kind: 'user', id: 1 } },
          { method: 'cash', currency: 'EUR' },
        ),
      ),
    ],
    [
      'the currencies in which a user has one open',
      1,
      (sql) => queries.listOpenCurrencies(sql, { accountId, userId: 1 }),
    ],
    ['by its id', 5, (sql) => queries.findTill(sql, accountId, 77)],
    ['a page', 50, (sql) => queries.listTills(sql, accountId, page)],
    ['a page of closed ones', 60, (sql) => queries.listTills(sql, accountId, { ...page, isOpen: false })],
    ['a page of a user', 100, (sql) => queries.listTills(sql, accountId, { ...page, userId: 3 })],
    ['cash in a till', 4, (sql) => cash.listMovements(sql, accountId, { tillId: 77, ...page })],
    ['cash outside of tills', 2, (sql) => cash.listOutside(sql, accountId, { ...day, ...page })],
  ]
  for (const [name, most, query] of cases) {
    const nodes = await explain(url, query, { options: 'analyze, format json' })
    const scans = nodes.filter((node) => ['tills', 'payments'].includes(node['Relation Name'] ?? ''))
    t.ok(scans.length > 0, name)
    const read = scans.reduce((sum, node) => {
      const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
      return sum + (node['Actual Rows'] + removed) * node['Actual Loops']
    }, 0)
    t.ok(read <= most, `${name}: looks at ${read} rows`)
  }
})
