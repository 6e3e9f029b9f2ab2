/** The check of thresholds against the totals: when one is set, after repairs, and each minute. */
import fc from 'fast-check'
import t from 'tap'
import { auditUsage, repairTotals } from '../../../src/metering/audit/service.ts'
import { voidEntry } from '../../../src/metering/read/queries.ts'
import { storeEntries, storeWithin } from '../../../src/metering/store/storage.ts'
import { checkAllThresholds, setThreshold } from '../../../src/metering/thresholds/service.ts'
import { createDatabase, makeCaller } from '../../helper.ts'
import { entry } from '../fixtures.ts'
import { listCrossed, listCrossings, makeThreshold } from './fixtures.ts'

const daySeconds = 86_400
const now = Math.floor(Date.now() / 1000)
const always = { from: '1970-01-01', to: '2100-01-02' }

t.test('a threshold that the current total has reached is crossed once, when it is set', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  await storeEntries(sql, [
    entry(accountId, 1, { usage: '3', occurredAt: now }),
    entry(accountId, 2, { usage: '40', occurredAt: now - 60 * daySeconds }),
  ])
  for (const period of ['day', 'month', 'total'] as const) await makeThreshold(sql, accountId, period, '3')
  await makeThreshold(sql, accountId, 'total', '43')
  await makeThreshold(sql, accountId, 'total', '43.1')
  t.match(await listCrossings(sql, accountId), [
    { Period: 'day', Total: '3' },
    { Period: 'month', Total: '3' },
    { Period: 'total', Threshold: '3', Total: '43' },
    { Period: 'total', Threshold: '43', Total: '43' },
  ])
  await storeEntries(sql, [entry(accountId, 3, { usage: '0.05', occurredAt: now })])
  t.equal(await checkAllThresholds(sql), 0)
  t.equal((await listCrossed(sql, accountId)).length, 4)
})

t.test('a threshold for a day is not crossed by days before it was set', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  const ago = (days: number, id: number) =>
    entry(accountId, id, { usage: '9', occurredAt: now - days * daySeconds })
  await storeEntries(sql, [ago(1, 1), ago(2, 2), ago(40, 3)])
  const id = await makeThreshold(sql, accountId, 'day', '9')
  t.same(await listCrossed(sql, accountId), [])
  // The check of an older threshold looks at yesterday too, but no further back.
  await sql`update usage_thresholds set created_at = now() - interval '10 days' where id = ${id}`
  t.equal(await checkAllThresholds(sql), 1)
  t.equal(await checkAllThresholds(sql), 0)
})

t.test('usage that was being stored while a threshold was set is found by the check', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  await sql.begin(async (tx) => {
    await storeWithin(tx, [entry(accountId, 1, { usage: '7', occurredAt: now })])
    for (const period of ['day', 'month', 'total'] as const) await makeThreshold(sql, accountId, period, '7')
  })
  t.same(await listCrossed(sql, accountId), [])
  t.equal(await checkAllThresholds(sql), 3)
  t.equal(await checkAllThresholds(sql), 0)
  t.match(await listCrossings(sql, accountId), [{ Total: '7' }, { Total: '7' }, { Total: '7' }])
})

t.test('usage stored by a version without thresholds counts from the next check on', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  for (const amount of ['5', '8']) await makeThreshold(sql, accountId, 'total', amount)
  await storeEntries(sql, [entry(accountId, 1, { usage: '2', occurredAt: now })])
  await sql`update meter_daily set total = total + 3`
  await sql`update meter_monthly set total = total + 3`
  t.equal(await checkAllThresholds(sql), 1)
  await storeEntries(sql, [entry(accountId, 2, { usage: '3', occurredAt: now })])
  t.match(await listCrossings(sql, accountId), [
    { Threshold: '5', Total: '5' },
    { Threshold: '8', Total: '8' },
  ])
})

t.test('checks while usage is stored lose no usage', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  await makeThreshold(sql, accountId, 'total', '400')
  let storing = true
  const checking = (async () => {
    while (storing) await checkAllThresholds(sql)
  })()
  for (let round = 0; round < 20; round++)
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => storeEntries(sql, [entry(accountId, round * 20 + index + 1)])),
    )
  storing = false
  await checking
  t.match(await listCrossings(sql, accountId), [{ Threshold: '400', Total: '400' }])
})

t.test(
  'a repair that raises a total crosses thresholds; after a repair that lowers it, none is crossed too soon',
  async (t) => {
    const { sql } = await createDatabase(t)
    const { accountId } = await makeCaller(sql)
    await makeThreshold(sql, accountId, 'day', '4')
    await makeThreshold(sql, accountId, 'total', '6')
    await storeEntries(sql, [entry(accountId, 1, { usage: '3', occurredAt: now })])
    // An entry that is in no total.
    await sql`
    insert into meter_entries (account_id, id, accepted_at, meter, usage, occurred_at, day)
    select account_id, 2, accepted_at, meter, 1, occurred_at, day from meter_entries`
    await repairTotals(sql, accountId, await auditUsage(sql, accountId, always))
    t.match(await listCrossings(sql, accountId), [{ Period: 'day', Total: '4' }])
    await sql`update meter_daily set total = 5.5`
    await sql`update meter_monthly set total = 5.5`
    await checkAllThresholds(sql)
    await repairTotals(sql, accountId, await auditUsage(sql, accountId, always))
    await storeEntries(sql, [entry(accountId, 3, { usage: '1', occurredAt: now })])
    t.equal((await listCrossings(sql, accountId)).length, 1, 'the total is 5')
    await storeEntries(sql, [entry(accountId, 4, { usage: '1', occurredAt: now })])
    t.match((await listCrossings(sql, accountId)).slice(1), [{ Period: 'total', Total: '6' }])
  },
)

t.test('an account has at most 100 thresholds, even when many are set at once', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  const settings = Array.from({ length: 110 }, (_, index) =>
    sql.begin((tx) =>
      setThreshold(tx, accountId, { meter: 'calls', period: 'day', amount: String(index + 1) }),
    ),
  )
  const outcomes = await Promise.allSettled(settings)
  t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 100)
  t.match(
    outcomes.find(({ status }) => status === 'rejected'),
    { reason: { slug: 'account-limit-reached', extensions: { Limit: 100 } } },
  )
})

type Step = { do: 'store' | 'void' | 'set' | 'check'; day: number; amount: number }

t.test(
  'after any sequence of new entries, voids, new thresholds and checks, crossings are as in a simple model',
  async (t) => {
    const { sql } = await createDatabase(t)
    const { accountId } = await makeCaller(sql, { timeZone: 'UTC' })
    const step = fc.record<Step>({
      do: fc.constantFrom('store', 'store', 'void', 'set', 'check'),
      day: fc.integer({ min: 0, max: 2 }),
      amount: fc.integer({ min: 1, max: 6 }),
    })
    let id = 0
    let run = 0
    const start = Date.parse(`${new Date().toISOString().slice(0, 10)}T00:00:00Z`) / 1000
    const dayOf = (ago: number) => new Date((start - ago * daySeconds) * 1000).toISOString().slice(0, 10)
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const meter = `model-${run++}`
        const sums = new Map<string, number>()
        const stored: { id: number; day: number; amount: number }[] = []
        const thresholds = new Set<string>()
        const crossed = new Set<string>()
        const add = (day: number, amount: number) => {
          const periods = [`day ${dayOf(day)}`, `month ${dayOf(day).slice(0, 7)}-01`, 'total ever']
          for (const period of periods) sums.set(period, (sums.get(period) ?? 0) + amount)
          return periods
        }
        const cross = (periods: string[]) => {
          for (const period of periods)
            for (const threshold of thresholds) {
              const [kind, amount] = threshold.split(' ')
              if (period.startsWith(`${kind} `) && (sums.get(period) ?? 0) >= Number(amount))
                crossed.add(`${period} ${amount}`)
            }
        }
        for (const { do: action, day, amount } of steps) {
          if (action === 'store') {
            stored.push({ id: ++id, day, amount })
            const occurredAt = start - day * daySeconds
            await storeEntries(sql, [entry(accountId, id, { meter, usage: String(amount), occurredAt })])
            cross(add(day, amount))
          } else if (action === 'void') {
            const last = stored.pop()
            if (!last) continue
            await voidEntry(sql, { accountId, id: last.id, reason: 'wrong' })
            add(last.day, -last.amount)
          } else if (action === 'set') {
            const kind = (['day', 'month', 'total'] as const)[day]!
            const threshold = `${kind} ${amount * 3}`
            if (thresholds.has(threshold)) continue
            await makeThreshold(sql, accountId, kind, String(amount * 3), meter)
            thresholds.add(threshold)
            cross([`day ${dayOf(0)}`, `month ${dayOf(0).slice(0, 7)}-01`, 'total ever'])
          } else {
            await checkAllThresholds(sql)
            // The thresholds were set today, so the check looks only at this day, this month and the total.
            cross([`day ${dayOf(0)}`, `month ${dayOf(0).slice(0, 7)}-01`, 'total ever'])
          }
        }
        const crossings = await sql<{ details: { Period: string; From?: string; Threshold: string } }[]>`
        select details from events where details ->> 'Meter' = ${meter}`
        const found = crossings.map(
          ({ details: { Period, From = 'ever', Threshold } }) => `${Period} ${From} ${Threshold}`,
        )
        t.same(found.sort(), [...crossed].sort(), JSON.stringify(steps))
        await sql`delete from usage_thresholds`
      }),
      { numRuns: 40 },
    )
  },
)
