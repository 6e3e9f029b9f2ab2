/** Rejected entries are read in batches, and an interrupted retry is continued by a later one. */
import t from 'tap'
import { pruneEntries, retryRejects } from '../../src/metering/audit/service.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { beforeEachTransaction, dyingAt } from '../customers/fixtures.ts'
import { createDatabase, makeCaller } from '../helper.ts'
import { entry } from './fixtures.ts'

const acceptedAt = Date.parse('2026-03-10T00:00:00Z')

/** Inserts rejected entries that can be stored now, because the cause of the rejection is gone. */
async function rejectEntries(sql: Sql, accountId: number, ids: number[]): Promise<void> {
  const rows = ids.map((id) => {
    const rejected = entry(accountId, id, { acceptedAt, occurredAt: acceptedAt / 1000 })
    return { account_id: accountId, id, entry: JSON.stringify(rejected), reason: 'refused before' }
  })
  await sql`insert into usage_rejects ${sql(rows)}`
}

async function findTotal(sql: Sql): Promise<{ total: string; events: number } | undefined> {
  const [row] = await sql<{ total: string; events: number }[]>`
    select sum(total)::text as total, sum(events)::int as events from meter_daily`
  return row
}

t.test('however many entries are rejected, a prune and a retry read at most 1,000 at once', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  const { accountId: otherId } = await makeCaller(sql, { slug: 'other' })
  for (const id of [accountId, otherId]) await rejectEntries(sql, id, range(1100))
  await sql`select make_meter_partition('2026-03-01')`
  const reads: number[] = []
  sql.options.debug = (_connection, text, parameters) => {
    if (/from usage_rejects[\s\S]* limit /.test(text)) reads.push(Number(parameters.at(-1)))
  }
  await t.rejects(pruneEntries(sql, '2026-04-01'), /^2200 rejected entries were accepted in these months/)
  t.same(reads, [1000, 1000, 1000])
  reads.length = 0
  const whileRejecting = beforeEachTransaction(sql, (nth) => nth === 1 && rejectEntries(sql, otherId, [5000]))
  t.same(await retryRejects(whileRejecting), { stored: 2200, refused: 0 })
  t.same(reads, [1000, 1000, 1000])
  t.same(
    await sql`select id from usage_rejects`,
    [{ id: 5000 }],
    'an entry that is rejected meanwhile waits for the next retry',
  )
  t.same(await retryRejects(sql), { stored: 1, refused: 0 })
  t.same(await findTotal(sql), { total: '2201', events: 2201 })
  t.same(await pruneEntries(sql, '2026-04-01'), [{ month: '2026-03-01', entries: 2201 }])
})

t.test(
  'a retry that fails keeps the entries that it has stored, and later retries store the others',
  async (t) => {
    const { sql } = await createDatabase(t)
    const { accountId } = await makeCaller(sql)
    await rejectEntries(sql, accountId, range(5))
    for (const left of [5, 4, 3, 2, 1]) {
      t.equal((await sql`select from usage_rejects`).length, left)
      // The second transaction of each run dies.
      const dying = retryRejects(dyingAt(sql, 2))
      if (left > 1) await t.rejects(dying, /killed/)
      else t.same(await dying, { stored: 1, refused: 0 })
    }
    t.same(await retryRejects(sql), { stored: 0, refused: 0 })
    t.same(await findTotal(sql), { total: '5', events: 5 })
  },
)

t.test('two retries at once store each entry once', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  await rejectEntries(sql, accountId, range(50))
  const [one, two] = await Promise.all([retryRejects(sql), retryRejects(sql)])
  t.equal(one.stored + two.stored, 50)
  t.same(await findTotal(sql), { total: '50', events: 50 })
})

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}
