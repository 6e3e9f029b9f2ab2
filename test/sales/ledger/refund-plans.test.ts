/** A page of the list of refunds reads few rows, even if there are many refunds. */
import t from 'tap'
import { listDone, listDue } from '../../../src/sales/ledger/refund-list-queries.ts'
import { explain } from '../../explain.ts'
import { createDatabase, makeCaller } from '../../helper.ts'

t.test(
  'with 40,000 due and 40,000 done refunds, a page of the list reads few more rows than it shows',
  async (t) => {
    const { sql, url } = await createDatabase(t)
    const { accountId } = await makeCaller(sql, { slug: 'one' })
    await sql`
    insert into refunds (account_id, basket_id, cause, amount_minor, kept_minor, currency, status, actor, decided_at, done_at)
    select ${accountId}, n, 'overpaid', 100, 0, 'EUR', case when n % 2 = 0 then 'due' else 'done' end, 'service',
      '2030-01-01'::timestamptz - n * interval '1 minute',
      case when n % 2 = 1 then '2030-02-01'::timestamptz + n * interval '1 minute' end
    from generate_series(1, 40000) as n`
    await sql`
    insert into payment_events (account_id, event_id, body_hash, basket_id, type, amount, currency, outcome, basket_status,
      refund_reason, received_at, refunded_at)
    select ${accountId}, 'evt_' || n, '\\x00', n, 'succeeded', '1.00', 'EUR', 'refund-due', 'expired', 'late',
      '2030-01-01'::timestamptz - n * interval '1 minute', case when n % 2 = 1 then '2030-02-01'::timestamptz + n * interval '1 minute' end
    from generate_series(1, 40000) as n`
    await sql`vacuum analyze`
    const micros = Date.parse('2029-12-20') * 1000
    for (const [name, list] of Object.entries({ due: listDue, done: listDone }))
      for (const after of [null, [micros, 'decision', '0000000000000001'] as [number, string, string]]) {
        const readPage = (sql: Parameters<typeof listDue>[0]) => list(sql, accountId, { after, limit: 101 })
        const nodes = await explain(url, readPage, { options: 'analyze, format json' })
        for (const table of ['refunds', 'payment_events']) {
          const read = nodes
            .filter((node) => node['Relation Name'] === table)
            .map(
              (node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
            )
            .reduce((sum, rows) => sum + rows, 0)
          t.ok(read <= 250, `${name}, ${after ? 'a later page' : 'the first page'}: ${read} rows of ${table}`)
        }
      }
    const found: number[] = []
    for (let after: [number, string, string] | null = null; ; ) {
      const rows = await listDue(sql, accountId, { after, limit: 9000 })
      found.push(...rows.map(({ basketId }) => basketId))
      const last = rows.at(-1)
      if (!last) break
      after = [last.micros, last.source, last.key]
    }
    const expected = Array.from({ length: 20_000 }, (_, index) => 40_000 - 2 * index).flatMap((id) => [
      id,
      id,
    ])
    t.same(found, expected, 'oldest first, from both tables')
  },
)
