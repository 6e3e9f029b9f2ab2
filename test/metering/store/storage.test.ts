/** Storing entries exactly once, from any sender, any number of times and concurrently. */
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import t from 'tap'
import { auditUsage } from '../../../src/metering/audit/service.ts'
import { storeEntries, storeWithin } from '../../../src/metering/store/storage.ts'
import { countDecimals, toDecimal } from '../../../src/platform/text/decimal.ts'
import { createDatabase, makeCaller } from '../../helper.ts'
import { until } from '../../until.ts'
import { buildUsage, entry, everyDay, onBothStores, startWorker, toTuple } from '../fixtures.ts'

const always = { from: '1970-01-01', to: '2100-01-02' }

t.test('an entry stored again changes nothing, in one statement or in several at once', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  const entries = Array.from({ length: 500 }, (_, index) =>
    entry(accountId, index + 1, { meter: `m${index % 5}` }),
  )
  const doubled = [...entries, ...entries.toReversed()]
  const stored = await Promise.all([
    storeEntries(sql, doubled),
    storeEntries(sql, doubled.toReversed()),
    storeEntries(
      sql,
      entries.toSorted(() => Math.random() - 0.5),
    ),
  ])
  t.equal(
    stored.reduce((sum, count) => sum + count),
    500,
  )
  t.same(await sql`select meter, total, events from meter_daily order by meter`, [
    ...[0, 1, 2, 3, 4].map((meter) => ({ meter: `m${meter}`, total: '100', events: 100 })),
  ])
  t.same(await auditUsage(sql, accountId, always), [])
})

t.test(
  'an entry that is stored already changes nothing in a transaction, and the others are stored',
  async (t) => {
    const { sql } = await createDatabase(t)
    const { accountId } = await makeCaller(sql)
    const entries = [1, 2, 3].map((id) => entry(accountId, id, { meter: 'm' }))
    await storeEntries(sql, entries.slice(0, 1))
    await sql.begin((tx) => storeWithin(tx, entries))
    t.same(await sql`select events from meter_daily`, [{ events: 3 }])
    t.same(await sql`select from usage_rejects`, [])
  },
)

t.test('totals are exact decimals for any usage, stored in any order', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  const usage = fc
    .double({ min: 1e-20, max: 1e15, maxExcluded: true, noNaN: true })
    .filter((value) => countDecimals(value) <= 20)
  let id = 0
  await fc.assert(
    fc.asyncProperty(fc.array(usage, { minLength: 1, maxLength: 40 }), async (usages) => {
      const meter = `property-${id}`
      const entries = usages.map((value) => entry(accountId, ++id, { meter, usage: toDecimal(value) }))
      await storeEntries(sql, entries.slice(0, entries.length >> 1))
      await storeEntries(sql, entries)
      const [row] = await sql<{ total: string }[]>`select total from meter_daily where meter = ${meter}`
      // The sum in units of 10^-20, as whole numbers.
      const exact = usages.reduce((sum, value) => sum + scaled(toDecimal(value)), 0n)
      t.equal(scaled(row!.total), exact)
    }),
    { numRuns: 50 },
  )
  t.same(await auditUsage(sql, accountId, always), [])
})

function scaled(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(20, '0'))
}

t.test('a rejected entry is set aside with its reason, and the others are stored', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  const entries = Array.from({ length: 200 }, (_, index) => entry(accountId, index + 1))
  const poisoned = [
    ...entries,
    entry(accountId + 1000, 900, { meter: 'of nobody' }),
    entry(accountId, 901, { usage: '1e999999' }),
    entry(accountId, 902, { meter: 'x'.repeat(300) }),
    entry(accountId, 903, { extraInfo: 'a\0b' }),
    entry(accountId, 904, { usage: 'much' }),
  ]
  t.equal(await storeEntries(sql, poisoned), 200)
  const rejects = await sql<
    { id: number; reason: string }[]
  >`select id, reason from usage_rejects order by id`
  t.same(
    rejects.map(({ id }) => id),
    [900, 901, 902, 903, 904],
  )
  for (const { reason } of rejects) t.ok(reason.length > 10, reason)
  t.equal(await storeEntries(sql, poisoned), 0, 'storing them again has no effect')
  t.equal((await sql`select from usage_rejects`).length, 5)
  t.same(await auditUsage(sql, accountId, always), [])
})

t.test('writers that need a missing partition at the same time store each entry once', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  const later = Array.from({ length: 20 }, (_, index) =>
    entry(accountId, index + 1, {
      acceptedAt: Date.parse(`20${30 + (index % 5)}-0${(index % 9) + 1}-01T00:00:00Z`),
    }),
  )
  await Promise.all([
    storeEntries(sql, later),
    storeEntries(sql, later.toReversed()),
    storeEntries(sql, later),
  ])
  t.same(await sql`select events from meter_daily`, [{ events: 20 }])
})

await onBothStores('every job delivered twice, to two workers at once, counts once', async (t, store) => {
  const { accountId, services, url, summarize, sql } = await buildUsage(t, store, { workers: 0 })
  const entries = Array.from({ length: 2000 }, (_, index) =>
    entry(accountId, index + 1, { meter: `m${index % 9}`, usage: '0.1' }),
  )
  const payloads = Array.from({ length: 50 }, (_, job) => entries.slice(job * 40, job * 40 + 40).map(toTuple))
  for (const payload of [...payloads, ...payloads]) await services.queue.add('usage.store', payload)
  await Promise.all([startWorker(t, services, url), startWorker(t, services, url)])
  await until(async () => (await services.queue.listUnfinished()).size === 0)
  const { summary, answer } = await summarize(everyDay)
  t.equal(answer.headers['usage-pending'], '0')
  t.same(summary.Totals, { Usage: 200, Events: 2000 })
  t.same(await auditUsage(sql, accountId, always), [])
})

await onBothStores(
  'a job with a rejected entry is completed, and its other entries count',
  async (t, store) => {
    const { accountId, services, summarize, sql } = await buildUsage(t, store)
    const poisoned = [entry(accountId, 1), entry(accountId, 2, { usage: 'much' }), entry(accountId, 3)]
    await services.queue.add('usage.store', poisoned.map(toTuple))
    const { summary, answer } = await summarize(everyDay)
    t.equal((await services.queue.listUnfinished()).size, 0)
    t.equal(summary.Totals.Events, 2)
    t.equal(answer.headers['usage-pending'], '1', 'the rejected entry is pending')
    t.equal((await sql`select from usage_rejects`).length, 1)
  },
)

await onBothStores(
  'when a worker stops in the middle, another one stores the remaining entries',
  async (t, store) => {
    const { accountId, services, url, summarize } = await buildUsage(t, store, { workers: 0 })
    for (let job = 0; job < 60; job++) {
      const entries = Array.from({ length: 50 }, (_, index) => entry(accountId, job * 50 + index + 1))
      await services.queue.add('usage.store', entries.map(toTuple))
    }
    const first = await startWorker(t, services, url)
    for (let turns = 0; turns < 20; turns++) await turn()
    await first.close()
    await startWorker(t, services, url)
    await until(async () => (await services.queue.listUnfinished()).size === 0)
    t.equal((await summarize(everyDay)).summary.Totals.Events, 3000)
  },
)
