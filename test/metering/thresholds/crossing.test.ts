/** Crossings of thresholds: one event for each threshold and period, in the statement that raises the totals. */
import t from 'tap'
import { theService } from '../../../src/events/actor.ts'
import { appendEvents } from '../../../src/events/append.ts'
import { voidEntry } from '../../../src/metering/read/queries.ts'
import { storeEntries, storeWithin } from '../../../src/metering/store/storage.ts'
import { checkAllThresholds, removeThreshold } from '../../../src/metering/thresholds/service.ts'
import { openDatabase } from '../../../src/platform/postgres/database.ts'
import { createDatabase, makeCaller } from '../../helper.ts'
import { pumpEvents } from '../../pump.ts'
import { until } from '../../until.ts'
import { buildUsage, entry, onBothStores, startWorker, toTuple } from '../fixtures.ts'
import { listCrossed, listCrossings, makeThreshold } from './fixtures.ts'

const at = (text: string) => ({ occurredAt: Date.parse(text) / 1000 })
const now = Math.floor(Date.now() / 1000)

t.test('the event of a crossing has the threshold, the period and the total', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  const ids = [
    await makeThreshold(sql, accountId, 'day', '2.5'),
    await makeThreshold(sql, accountId, 'month', '2.50'),
    await makeThreshold(sql, accountId, 'total', '3'),
  ]
  // 23:30 UTC on 30 June is 00:30 on 1 July in Lisbon.
  await storeEntries(sql, [entry(accountId, 1, { usage: '2.25', ...at('2026-06-30T23:30:00Z') })])
  t.same(await listCrossings(sql, accountId), [])
  await storeEntries(sql, [entry(accountId, 2, { usage: '0.75', ...at('2026-07-01T09:00:00Z') })])
  const crossed = { Meter: 'calls', Total: '3' }
  t.same(await listCrossings(sql, accountId), [
    { ThresholdID: ids[0], Period: 'day', From: '2026-07-01', Threshold: '2.5', ...crossed },
    { ThresholdID: ids[1], Period: 'month', From: '2026-07-01', Threshold: '2.5', ...crossed },
    { ThresholdID: ids[2], Period: 'total', Threshold: '3', ...crossed },
  ])
  t.match(await sql`select distinct actor, number, booking_id from events`, [
    { actor: 'service', number: null, booking_id: null },
  ])
})

t.test('usage crosses no threshold of another meter or of another account', async (t) => {
  const { sql } = await createDatabase(t)
  const [{ accountId }, other] = [await makeCaller(sql), await makeCaller(sql, { slug: 'other' })]
  await makeThreshold(sql, accountId, 'day', '1')
  await makeThreshold(sql, other.accountId, 'day', '1', 'pages')
  await storeEntries(sql, [entry(accountId, 1, { meter: 'pages' }), entry(other.accountId, 2)])
  t.same(await sql`select from events`, [])
})

t.test('a day or month threshold is crossed again in each period, and a total one once', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  for (const period of ['day', 'month', 'total'] as const) await makeThreshold(sql, accountId, period, '2')
  const days = ['2026-10-30', '2026-10-31', '2026-11-01', '2026-10-30']
  for (const [index, day] of days.entries())
    await storeEntries(sql, [entry(accountId, index + 1, { usage: '2', ...at(`${day}T12:00:00Z`) })])
  t.same(await listCrossed(sql, accountId), [
    ...['day 2026-10-30 2', 'month 2026-10-01 2', 'total ever 2'],
    'day 2026-10-31 2',
    ...['day 2026-11-01 2', 'month 2026-11-01 2'],
  ])
})

t.test('usage of a past day crosses the threshold of that day, once', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  await makeThreshold(sql, accountId, 'day', '2')
  const late = [1, 2, 3].map((id) => entry(accountId, id, at('2025-03-09T12:00:00Z')))
  for (const one of late) await storeEntries(sql, [one])
  t.same(await listCrossed(sql, accountId), ['day 2025-03-09 2'])
})

t.test(
  'entries stored concurrently over two pools cross each threshold once and at the exact total',
  async (t) => {
    const { sql, url } = await createDatabase(t)
    const pools = [1, 2].map(() => openDatabase(url, { poolSize: 8, applicationName: 'store' }))
    t.teardown(() => Promise.all(pools.map((pool) => pool.end())))
    const accounts = [await makeCaller(sql), await makeCaller(sql, { slug: 'other' })]
    for (const { accountId } of accounts) {
      for (const amount of ['100', '299.9', '300', '300.1'])
        await makeThreshold(sql, accountId, 'total', amount)
      for (const amount of ['50', '60']) await makeThreshold(sql, accountId, 'day', amount)
      for (const amount of ['100', '150']) await makeThreshold(sql, accountId, 'month', amount)
    }
    // 3,000 entries of 0.1 of each account, over five days of each of two months; every batch is stored twice.
    const batches = Array.from({ length: 60 }, (_, batch) =>
      Array.from({ length: 100 }, (_, index) => {
        const id = batch * 100 + index + 1
        const day = `2026-${id % 4 < 2 ? '10' : '11'}-0${(id % 5) + 1}T12:00:00Z`
        return entry(accounts[id % 2]!.accountId, id, { usage: '0.1', ...at(day) })
      }),
    )
    await Promise.all([...batches, ...batches].map((batch, index) => storeEntries(pools[index % 2]!, batch)))
    for (const { accountId } of accounts) {
      const crossings = await listCrossings(sql, accountId)
      const days = await sql<{ day: string; total: string }[]>`
      select day, total from meter_daily where account_id = ${accountId} order by day`
      const expected = [
        ...days.flatMap(({ day, total }) =>
          ['50', '60']
            .filter((amount) => Number(total) >= Number(amount))
            .map((amount) => `day ${day} ${amount}`),
        ),
        ...['2026-10-01', '2026-11-01'].flatMap((month) => [`month ${month} 100`, `month ${month} 150`]),
        ...['total ever 100', 'total ever 299.9', 'total ever 300'],
      ]
      t.same((await listCrossed(sql, accountId)).sort(), expected.sort())
      // The last entry raises the total to 300. If two statements had read the same total, it would stay
      // below 300.
      t.match(
        crossings.filter(({ Threshold }) => Threshold === '300'),
        [{ Total: '300' }],
      )
      for (const { Threshold, Total } of crossings)
        t.ok(Number(Total) >= Number(Threshold), `${Total} of ${Threshold}`)
    }
  },
)

await onBothStores(
  'jobs delivered twice to two workers, entries stored directly and metered events cross each threshold once',
  async (t, store) => {
    const { accountId, services, url, sql } = await buildUsage(t, store, { workers: 0 })
    for (const amount of ['500', '1500', '3000', '3001']) await makeThreshold(sql, accountId, 'total', amount)
    await makeThreshold(sql, accountId, 'day', '10', 'waitlist-notified')
    const entries = Array.from({ length: 3000 }, (_, index) => entry(accountId, index + 1))
    const payloads = Array.from({ length: 60 }, (_, job) => entries.slice(job * 50, job * 50 + 50))
    for (const payload of [...payloads.slice(0, 40), ...payloads.slice(20, 40)])
      await services.queue.add('usage.store', payload.map(toTuple))
    await sql.begin((tx) =>
      appendEvents(
        tx,
        Array.from({ length: 12 }, (_, index) => ({
          ...{ accountId, actor: theService, waitlistEntryId: index + 1, emailId: index + 1 },
          type: 'email.sent' as const,
          details: { Kind: 'waitlist-offer', BookingID: index + 1 },
        })),
      ),
    )
    await Promise.all([
      startWorker(t, services, url),
      startWorker(t, services, url),
      ...payloads.slice(35).map((payload) => storeEntries(services.sql, payload)),
    ])
    await until(async () => (await services.queue.listUnfinished()).size === 0)
    // The pump is woken after each commit that wrote a crossing: nothing waits for the schedule.
    await until(async () => (await sql`select from events where number is null`).length === 0)
    await until(async () => (await listCrossed(sql, accountId)).length === 4)
    const [{ today }] = (await sql`
      select to_char(now() at time zone 'Europe/Lisbon', 'YYYY-MM-DD') as today`) as unknown as [
      { today: string },
    ]
    t.same((await listCrossed(sql, accountId)).sort(), [
      `day ${today} 10`,
      ...['total ever 1500', 'total ever 3000', 'total ever 500'],
    ])
  },
)

t.test(
  'if the connection ends before storing commits, neither totals nor events exist; the retry makes both',
  async (t) => {
    const { sql, url } = await createDatabase(t)
    const { accountId } = await makeCaller(sql)
    const threshold = await makeThreshold(sql, accountId, 'total', '5')
    const store = openDatabase(url, { poolSize: 1, applicationName: 'killed-store' })
    t.teardown(() => store.end())
    const waiting = () => sql<{ pid: number }[]>`
    select pid from pg_stat_activity where application_name = 'killed-store' and wait_event_type = 'Lock'`
    let storing: Promise<number> | undefined
    await sql.begin(async (tx) => {
      await tx`select from usage_thresholds where id = ${threshold} for update`
      storing = storeEntries(store, [entry(accountId, 1, { usage: '5' })])
      await until(async () => (await waiting()).length === 1)
      const [{ pid } = { pid: 0 }] = await waiting()
      await sql`select pg_terminate_backend(${pid})`
      await until(async () => (await waiting()).every((other) => other.pid !== pid))
      t.same(await sql`select from meter_daily`, [])
      t.same(await sql`select from events`, [])
    })
    t.equal(await storing, 1)
    t.same(await listCrossed(sql, accountId), ['total ever 5'])
  },
)

t.test('a void neither undoes a crossing nor allows it again', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  for (const period of ['day', 'month', 'total'] as const) await makeThreshold(sql, accountId, period, '5')
  for (const id of [1, 2, 3]) {
    await storeEntries(sql, [entry(accountId, id, { usage: '5', occurredAt: now })])
    await voidEntry(sql, { accountId, id, reason: 'sent twice' })
  }
  t.equal((await listCrossed(sql, accountId)).length, 3)
  await checkAllThresholds(sql)
  t.equal((await listCrossed(sql, accountId)).length, 3)
})

t.test('a void lowers the total of thresholds that are not crossed yet', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  await makeThreshold(sql, accountId, 'total', '10')
  await storeEntries(sql, [entry(accountId, 1, { usage: '6' })])
  await voidEntry(sql, { accountId, id: 1, reason: 'a trial' })
  await voidEntry(sql, { accountId, id: 1, reason: 'once more' })
  await storeEntries(sql, [entry(accountId, 2, { usage: '6' })])
  t.same(await listCrossed(sql, accountId), [])
  await storeEntries(sql, [entry(accountId, 3, { usage: '4' })])
  t.match(await listCrossings(sql, accountId), [{ Total: '10' }])
})

t.test('usage that is being stored while a threshold is removed is not rejected', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  for (const [period, amount] of [
    ['day', '1'],
    ['total', '2'],
  ] as const) {
    const id = await makeThreshold(sql, accountId, period, amount)
    let storing: Promise<number> | undefined
    await sql.begin(async (tx) => {
      await removeThreshold(tx, accountId, id)
      storing = storeEntries(sql, [entry(accountId, id)])
      await until(async () => {
        const waiting =
          await sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
        return waiting.length === 1
      })
    })
    t.equal(await storing, 1, period)
  }
  t.same(await sql`select from usage_rejects`, [])
  t.same(await sql`select from events`, [])
})

t.test('entries stored in a transaction that is rolled back cross nothing', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  await makeThreshold(sql, accountId, 'month', '1')
  const undone = sql.begin(async (tx) => {
    await storeWithin(tx, [entry(accountId, 1)])
    throw new Error('undone')
  })
  await t.rejects(undone, /undone/)
  t.same(await listCrossed(sql, accountId), [])
  await sql.begin((tx) => storeWithin(tx, [entry(accountId, 1)]))
  t.same(await listCrossed(sql, accountId), ['month 2026-11-01 1'])
  t.equal(await pumpEvents(sql), 1)
})
