/**
 * Totals compared with entries: audits, repairs while usage is stored, pruning, rejected entries, and the
 * commands for them.
 */
import { pino } from 'pino'
import t from 'tap'
import {
  auditLastDays,
  auditUsage,
  pruneEntries,
  repairTotals,
  retryRejects,
} from '../../src/metering/audit/service.ts'
import { storeEntries } from '../../src/metering/store/storage.ts'
import { run } from '../command-line.ts'
import { dyingAt } from '../customers/fixtures.ts'
import { createDatabase, makeCaller } from '../helper.ts'
import { until } from '../until.ts'
import { buildUsage, entry, everyDay } from './fixtures.ts'

const always = { from: '1970-01-01', to: '2100-01-02' }
const instant = (text: string) => Date.parse(text)

t.test('an audit finds every wrong total, and a repair corrects it while usage is stored', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  let id = 0
  const some = (count: number) =>
    Array.from({ length: count }, () => {
      id++
      return entry(accountId, id, {
        meter: `m${id % 4}`,
        usage: '0.3',
        occurredAt: 1_790_000_000 + (id % 5) * 86_400,
      })
    })
  await storeEntries(sql, some(500))
  t.same(await auditUsage(sql, accountId, always), [])
  let writing = true
  const writers = [1, 2].map(async () => {
    while (writing) await storeEntries(sql, some(20))
  })
  for (let round = 0; round < 15; round++) {
    // One row in each statement: locks in another order than the writers' would cause a deadlock.
    await sql`
      update meter_daily set total = total + 1, events = events + 1
      where meter = 'm1' and day = (select min(day) from meter_daily)`
    await sql`delete from meter_daily where meter = 'm2' and day = (select min(day) from meter_daily)`
    await sql`
      update meter_monthly set total = total + 5
      where meter = 'm3' and month = (select min(month) from meter_monthly)`
    const found = await auditUsage(sql, accountId, always)
    t.ok(found.length >= 3)
    await repairTotals(sql, accountId, found)
    t.same(await auditUsage(sql, accountId, always), [])
  }
  writing = false
  await Promise.all(writers)
  t.same(await auditUsage(sql, accountId, always), [])
  const [sum] = await sql`select sum(events)::int as events, trim_scale(sum(total)) as total from meter_daily`
  t.same(sum, { events: id, total: String((id * 3) / 10) })
})

t.test('a repair works in steps: after an error, the next repair does the rest', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  const entries = Array.from({ length: 700 }, (_, index) =>
    entry(accountId, index + 1, { meter: `m${index % 2}`, occurredAt: 1_700_000_000 + index * 43_200 }),
  )
  await storeEntries(sql, entries)
  await sql`update meter_daily set total = total + 1`
  const found = await auditUsage(sql, accountId, always)
  const [days] = await sql`select count(*)::int as count from meter_daily`
  await t.rejects(repairTotals(dyingAt(sql, 3), accountId, found), /killed/)
  const rest = await auditUsage(sql, accountId, always)
  t.ok(rest.length > 0 && rest.length <= found.length - 400, 'two steps of it are done')
  const written = await sql`select count(*)::int as count from meter_daily group by xmin::text`
  t.ok(written.filter(({ count }) => count < days!.count).length >= 3, 'no transaction writes all')
  await repairTotals(sql, accountId, rest)
  t.same(await auditUsage(sql, accountId, always), [])
})

t.test('entries of other days are stored while a step of a repair waits', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  const at = (day: number) => ({ meter: 'm', occurredAt: 1_700_000_000 + day * 86_400 })
  await storeEntries(
    sql,
    Array.from({ length: 500 }, (_, day) => entry(accountId, day + 1, at(day))),
  )
  await sql`update meter_daily set total = total + 1`
  const found = await auditUsage(sql, accountId, always)
  const repairing = await sql.begin(async (tx) => {
    // The last step of the repair waits for this lock.
    await tx`select from meter_daily where day = (select max(day) from meter_daily) for update`
    const promise = repairTotals(sql, accountId, found)
    await until(async () => {
      const waiting = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return waiting.length > 0
    })
    const limit = new Promise((resolve) => setTimeout(() => resolve('waits'), 60_000).unref())
    t.equal(await Promise.race([storeEntries(sql, [entry(accountId, 1000, at(0))]), limit]), 1)
    return { promise }
  })
  await repairing.promise
  t.same(await auditUsage(sql, accountId, always), [])
})

t.test('the nightly audit checks every account and logs each wrong total', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  const other = await makeCaller(sql, { slug: 'other' })
  const now = { acceptedAt: Date.now(), occurredAt: Math.floor(Date.now() / 1000) }
  await storeEntries(sql, [entry(accountId, 1, now), entry(other.accountId, 2, now)])
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => lines.push(line) })
  t.equal(await auditLastDays(sql, 7, log), 0)
  await sql`update meter_daily set events = events + 1 where account_id = ${other.accountId}`
  t.equal(await auditLastDays(sql, 7, log), 2)
  t.match(lines[0], /"account":"other"/)
})

t.test(
  'the nightly audit checks the totals of recently accepted entries, whenever they occurred',
  async (t) => {
    const { sql } = await createDatabase(t)
    const { accountId } = await makeCaller(sql)
    const at = (acceptedAt: number, day: string) => ({ acceptedAt, occurredAt: instant(day) / 1000 })
    const lately = Date.now() - 6 * 86_400_000
    await storeEntries(sql, [
      entry(accountId, 1, at(lately, '1999-03-10T12:00:00Z')),
      entry(accountId, 2, at(lately, '1999-03-11T12:00:00Z')),
      entry(accountId, 3, at(lately, '1999-03-20T12:00:00Z')),
      entry(accountId, 4, at(lately, '2099-01-01T12:00:00Z')),
      entry(accountId, 5, at(lately - 86_400_000 * 60, '2001-01-01T12:00:00Z')),
    ])
    const log = pino({ level: 'silent' })
    t.equal(await auditLastDays(sql, 7, log), 0)
    await sql`update meter_daily set total = total + 1`
    // Four days and two months. The fifth entry was accepted too long ago.
    t.equal(await auditLastDays(sql, 7, log), 6)
  },
)

t.test('pruning deletes whole months, and totals and audits stay right', async (t) => {
  const { sql, accountId, summarize } = await buildUsage(t, 'postgres', { workers: 0 })
  const old = [1, 2, 3].map((id) =>
    entry(accountId, id, {
      acceptedAt: instant('2026-03-10T00:00:00Z'),
      occurredAt: 1_773_100_800,
      usage: '0.1',
    }),
  )
  const recent = entry(accountId, 4, { acceptedAt: Date.now(), occurredAt: 1_773_100_800, usage: '0.7' })
  await storeEntries(sql, [...old, recent])
  const { voidEntry } = await import('../../src/metering/read/queries.ts')
  await voidEntry(sql, { accountId, id: 3, reason: 'wrong' })
  const before = (await summarize(everyDay)).summary
  t.same(await pruneEntries(sql, '2026-04-01'), [{ month: '2026-03-01', entries: 3 }])
  t.same(await pruneEntries(sql, '2026-04-01'), [])
  t.same((await summarize(everyDay)).summary, before)
  t.same(before.Totals, { Usage: 0.9, Events: 3 })
  t.same(await auditUsage(sql, accountId, always), [])
  t.equal((await sql`select from meter_entries`).length, 1)
  // A repair also counts the pruned entries.
  await sql`update meter_daily set total = 0, events = 0`
  await repairTotals(sql, accountId, await auditUsage(sql, accountId, always))
  t.same((await summarize(everyDay)).summary, before)
  // Pruned entries do not come back and are not counted twice.
  t.equal(await storeEntries(sql, [old[0]!]), 0)
  t.same((await summarize(everyDay)).summary, before)
  t.equal((await sql`select from usage_rejects`).length, 1)
  await t.rejects(pruneEntries(sql, `${new Date().toISOString().slice(0, 8)}01`), /35 days/)
})

t.test('pruning works while usage is stored', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  let id = 0
  const write = (acceptedAt: number) =>
    storeEntries(
      sql,
      Array.from({ length: 50 }, () => entry(accountId, ++id, { acceptedAt, meter: `m${id % 7}` })),
    )
  const months = [1, 2, 3, 4, 5, 6].map((month) => `2026-0${month}-15`)
  for (const month of months) await write(instant(month))
  let writing = true
  const writers = [1, 2].map(async () => {
    while (writing) await write(Date.now())
  })
  t.equal((await pruneEntries(sql, '2026-07-01')).length, 6)
  writing = false
  await Promise.all(writers)
  t.same(await auditUsage(sql, accountId, always), [])
  const [sum] = await sql`select sum(events)::int as events from meter_daily`
  t.equal(sum!.events, id)
})

t.test('pruning works beside repairs of the same days', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  const months = Array.from({ length: 12 }, (_, index) =>
    new Date(Date.UTC(2025, index, 15)).toISOString().slice(0, 10),
  )
  // The entries are accepted in twelve different months, but count on the same day.
  const entries = months.flatMap((month, index) =>
    Array.from({ length: 20 }, (_, id) =>
      entry(accountId, index * 20 + id + 1, {
        acceptedAt: instant(month),
        meter: `m${id}`,
        occurredAt: 1_700_000_000,
      }),
    ),
  )
  await storeEntries(sql, entries)
  let pruning = true
  const repairs = [1, 2].map(async () => {
    while (pruning) {
      await sql`update meter_daily set total = total + 1 where meter = 'm1'`
      await repairTotals(sql, accountId, await auditUsage(sql, accountId, always))
    }
  })
  t.equal((await pruneEntries(sql, '2026-01-01')).length, 12)
  pruning = false
  await Promise.all(repairs)
  await repairTotals(sql, accountId, await auditUsage(sql, accountId, always))
  t.same(await auditUsage(sql, accountId, always), [])
  const [sum] =
    await sql`select sum(events)::int as events, sum(pruned_events)::int as pruned from meter_daily`
  t.same(sum, { events: 240, pruned: 240 })
})

t.test(
  'a month is not pruned while it has a rejected entry, because that entry could not be stored afterwards',
  async (t) => {
    const { sql } = await createDatabase(t)
    const { accountId } = await makeCaller(sql)
    const acceptedAt = instant('2026-03-10T00:00:00Z')
    const occurredAt = acceptedAt / 1000
    await storeEntries(sql, [
      entry(accountId, 1, { acceptedAt, occurredAt }),
      entry(accountId, 2, { acceptedAt, occurredAt, usage: 'much' }),
    ])
    await t.rejects(pruneEntries(sql, '2026-04-01'), /^1 rejected entry was accepted in these months/)
    await sql`update usage_rejects set entry = replace(entry, '"much"', '"2"')`
    t.same(await retryRejects(sql), { stored: 1, refused: 0 })
    t.same(await pruneEntries(sql, '2026-04-01'), [{ month: '2026-03-01', entries: 2 }])
    t.same(await auditUsage(sql, accountId, always), [])
  },
)

t.test('a retry stores a rejected entry after the cause of the rejection is removed', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  const early = entry(accountId + 1, 7)
  await storeEntries(sql, [early, entry(accountId, 8, { usage: 'much' })])
  t.same(await retryRejects(sql), { stored: 0, refused: 2 })
  const { accountId: made } = await makeCaller(sql, { slug: 'made-later' })
  t.equal(made, accountId + 1)
  t.same(await retryRejects(sql), { stored: 1, refused: 1 })
  t.same(await auditUsage(sql, made, always), [])
  t.same(await sql`select id from usage_rejects`, [{ id: 8 }])
})

t.test('commands audit and repair totals, list and retry rejected entries, and prune entries', async (t) => {
  const { sql, url } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  const cli = (...args: string[]) => run({ DATABASE_URL: url }, 'usage', ...args)
  const acceptedAt = instant('2026-03-10T00:00:00Z')
  await storeEntries(sql, [
    entry(accountId, 1, { acceptedAt, occurredAt: acceptedAt / 1000 }),
    entry(accountId, 2, { usage: 'much' }),
  ])
  const range = ['--account', 'quay', '--from', '2026-01-01', '--to', '2026-12-31']
  t.match(await cli('audit', ...range), { code: 0, stdout: /agrees/ })
  await sql`update meter_daily set total = 9`
  const wrong = await cli('audit', ...range)
  t.match(wrong, {
    code: 1,
    stdout: /calls +2026-03-10 +9 +1/,
    stderr: 'error: 2 totals differ from their entries\n',
  })
  t.equal(JSON.parse((await cli('audit', ...range, '--json')).stdout).length, 2)
  t.match(await cli('audit', ...range, '--repair'), { code: 0, stdout: /repaired/ })
  t.match(await cli('audit', ...range), { code: 0 })
  t.match(await cli('rejects', 'list'), { code: 0, stdout: /much.*invalid input syntax/ })
  t.match(await cli('rejects', 'retry'), {
    code: 1,
    stdout: /Stored 0/,
    stderr: /1 entry is still refused/,
  })
  t.match(await cli('prune', '--before', '2026-04'), { code: 0, stdout: /2026-03 +1/ })
  t.match(await cli('audit', ...range), { code: 0 })
  for (const bad of [
    ['audit', '--account', 'quay', '--from', '2026-02-30', '--to', '2026-12-31'],
    ['prune', '--before', '2026-13'],
    ['prune'],
  ]) {
    t.equal((await cli(...bad)).code, 2, bad.join(' '))
  }
  t.equal((await cli('audit', '--account', 'nobody', '--from', '2026-01-01', '--to', '2026-01-01')).code, 1)
})
