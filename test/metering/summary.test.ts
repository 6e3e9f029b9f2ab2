/** Summaries include all acknowledged usage, and their days are those of the account's time zone. */
import t from 'tap'
import { retryRejects } from '../../src/metering/audit/service.ts'
import { storeEntries } from '../../src/metering/store/storage.ts'
import { makeCaller } from '../helper.ts'
import { until } from '../until.ts'
import { buildUsage, entry, everyDay, onBothStores, startWorker, toTuple } from './fixtures.ts'

const seconds = (instant: string) => Date.parse(instant) / 1000

await onBothStores('a summary counts every entry that got 201 before it', async (t, store) => {
  const { record, summarize } = await buildUsage(t, store, { workers: 2 })
  let events = 0
  for (let round = 0; round < 15; round++) {
    const sent = await Promise.all(
      Array.from({ length: 20 }, () => record({ Meter: `m${round % 3}`, Usage: 0.1 })),
    )
    t.ok(sent.every(({ statusCode }) => statusCode === 201))
    events += 20
    const { summary, answer } = await summarize(everyDay)
    t.equal(answer.headers['usage-pending'], '0')
    t.same(summary.Totals, { Usage: events / 10, Events: events })
  }
})

await onBothStores('sums are exact; meters come largest first, equal ones by name', async (t, store) => {
  const { recordBatch, summarize } = await buildUsage(t, store)
  const usage = { Zebra: [1], apple: [1], big: [0.1, 0.2, 5], 'order-completed': [1] }
  await recordBatch(Object.entries(usage).flatMap(([Meter, all]) => all.map((Usage) => ({ Meter, Usage }))))
  const { summary } = await summarize(everyDay)
  t.same(summary.Meters, [
    { Meter: 'big', TotalUsage: 5.3, EventCount: 3 },
    { Meter: 'Zebra', TotalUsage: 1, EventCount: 1 },
    { Meter: 'apple', TotalUsage: 1, EventCount: 1 },
    { Meter: 'order-completed', TotalUsage: 1, EventCount: 1 },
  ])
  t.same(summary.Totals, { Usage: 8.3, Events: 6 })
})

t.test('a range of any length has the exact sum of its days', async (t) => {
  const { sql, accountId, summarize } = await buildUsage(t, 'postgres', { timeZone: 'UTC', workers: 0 })
  // One entry at noon of every day of 2026 and 2027; its usage is the number of the day.
  const first = seconds('2026-01-01T12:00:00Z')
  const days = Array.from({ length: 730 }, (_, index) =>
    entry(accountId, index + 1, { occurredAt: first + index * 86_400, usage: String(index + 1) }),
  )
  await storeEntries(sql, days)
  const day = (index: number) => new Date((first + index * 86_400) * 1000).toISOString().slice(0, 10)
  for (const [from, to] of [
    [0, 729],
    [0, 0],
    [0, 30],
    [1, 29],
    [5, 60],
    [30, 31],
    [31, 58],
    [15, 400],
    [358, 371],
    [334, 364],
    [700, 729],
  ] as const) {
    const { summary } = await summarize(`from=${day(from)}&to=${day(to)}`)
    const sum = ((from + 1 + to + 1) * (to - from + 1)) / 2
    t.same(summary.Totals, { Usage: sum, Events: to - from + 1 }, `${day(from)} to ${day(to)}`)
    const daily = await summarize(`from=${day(from)}&to=${day(to)}&granularity=day`)
    t.same(daily.summary.Totals, summary.Totals)
    t.equal(daily.summary.Meters[0].Days.length, to - from + 1)
    t.same(daily.summary.Meters[0].Days[0], { Day: day(from), TotalUsage: from + 1, EventCount: 1 })
  }
})

t.test('days begin and end in the account’s time zone, even when the clocks change', async (t) => {
  const { sql, accountId, summarize } = await buildUsage(t, 'postgres', {
    timeZone: 'Europe/Lisbon',
    workers: 0,
  })
  const instants = [
    '2027-03-27T23:59:59Z', // the day before
    '2027-03-28T00:00:00Z', // first second of a day of 23 hours
    '2027-03-28T22:59:59Z', // and its last
    '2027-03-28T23:00:00Z', // the day after, in summer time
    '2027-10-30T23:00:00Z', // first second of a day of 25 hours
    '2027-10-31T23:59:59Z', // and its last
    '2027-11-01T00:00:00Z',
  ]
  await storeEntries(
    sql,
    instants.map((instant, index) => entry(accountId, index + 1, { occurredAt: seconds(instant) })),
  )
  const short = (await summarize('from=2027-03-28&to=2027-03-28')).summary
  t.equal(short.Totals.Events, 2)
  t.same(short.Period, {
    From: '2027-03-28',
    To: '2027-03-28',
    FromTimestamp: seconds('2027-03-28T00:00:00Z'),
    ToTimestamp: seconds('2027-03-28T22:59:59Z'),
  })
  const long = (await summarize('from=2027-10-31&to=2027-10-31')).summary
  t.equal(long.Totals.Events, 2)
  t.equal(long.Period.ToTimestamp - long.Period.FromTimestamp, 25 * 3600 - 1)
})

t.test('a day begins with its first second, even if a clock change skips or repeats midnight', async (t) => {
  for (const [slug, timeZone, day, from] of [
    ['havana', 'America/Havana', '2027-11-07', '2027-11-07T04:00:00Z'],
    ['beirut', 'Asia/Beirut', '2027-03-28', '2027-03-27T22:00:00Z'],
  ] as const) {
    const { sql, app } = await buildUsage(t, 'postgres', { workers: 0 })
    const { headers } = await makeCaller(sql, { slug, timeZone, scopes: ['usage:read'] })
    const answer = await app.inject({ url: `/api/v2/usage/meters?from=${day}&to=${day}`, headers })
    t.equal(answer.json().data.Period.FromTimestamp, seconds(from), timeZone)
  }
})

t.test('the query parameter meter filters a summary, and may be repeated', async (t) => {
  const { sql, accountId, summarize } = await buildUsage(t, 'postgres', { workers: 0 })
  const meters = ['a', 'b', 'c', 'a']
  await storeEntries(
    sql,
    meters.map((meter, index) => entry(accountId, index + 1, { meter })),
  )
  const named = (await summarize(`${everyDay}&meter=a&meter=%20c`)).summary
  t.same(
    named.Meters.map(({ Meter }: { Meter: string }) => Meter),
    ['a', 'c'],
  )
  t.same(named.Totals, { Usage: 3, Events: 3 })
  t.same((await summarize(`${everyDay}&meter=b`)).summary.Totals, { Usage: 1, Events: 1 })
  t.same((await summarize(`${everyDay}&meter=zzz`)).summary, {
    Period: named.Period,
    Totals: { Usage: 0, Events: 0 },
    Meters: [],
  })
  t.equal((await summarize(`${everyDay}&meter=`)).summary.Totals.Events, 4)
})

t.test(
  'a range without a first or last day, in the wrong order or with an impossible date gets 422',
  async (t) => {
    const { summarize } = await buildUsage(t, 'postgres', { workers: 0 })
    for (const [query, fields] of [
      ['', ['from', 'to']],
      ['from=2027-01-01', ['to']],
      ['to=2027-01-01', ['from']],
      ['from=2027-02-30&to=2027-03-01', ['from']],
      ['from=2027-1-1&to=x', ['from', 'to']],
      ['from=2027-03-02&to=2027-03-01', ['to']],
      ['from=2027-03-01&from=2027-03-02&to=2027-03-03', ['from']],
      [`${everyDay}&granularity=hour`, ['granularity']],
    ] as const) {
      const { answer } = await summarize(query)
      t.equal(answer.statusCode, 422, query)
      t.same(
        answer.json().errors.map(({ field }: { field: string }) => field),
        fields,
      )
    }
    t.equal((await summarize('from=0001-01-01&to=9999-12-31')).answer.statusCode, 200)
  },
)

await onBothStores(
  'entries that are not stored in time are pending, for their own account only',
  async (t, store) => {
    const { sql, accountId, services, url, summarize } = await buildUsage(t, store, { workers: 0 })
    const other = await makeCaller(sql, { slug: 'other', scopes: ['usage:read'] })
    const tuples = [1, 2, 3].map((id) => toTuple(entry(accountId, id)))
    await services.queue.add('usage.store', [...tuples, toTuple(entry(other.accountId, 9))])
    await storeEntries(sql, [entry(accountId, 3)])
    const began = performance.now()
    const { summary, answer } = await summarize(everyDay)
    // A summary that waited without a limit would get 503.
    t.ok(performance.now() - began >= 1900, 'the summary waited for the entries')
    t.equal(answer.headers['usage-pending'], '2')
    t.equal(summary.Totals.Events, 1)
    await startWorker(t, services, url)
    await until(async () => (await services.queue.listUnfinished()).size === 0)
    const later = await summarize(everyDay)
    t.equal(later.answer.headers['usage-pending'], '0')
    t.equal(later.summary.Totals.Events, 3)
  },
)

await onBothStores(
  'a long backlog is reported as a lower bound, and concurrent summaries share its reads',
  async (t, store) => {
    const { accountId, services, summarize } = await buildUsage(t, store, { workers: 0 })
    const { queue } = services
    const job = (first: number) =>
      Array.from({ length: 100 }, (_, index) =>
        toTuple(entry(accountId, first + index, { extraInfo: 'x'.repeat(200) })),
      )
    for (let sent = 0; sent < 45; sent++) await queue.add('usage.store', job(sent * 100))
    const { readPayloads } = queue
    let [reading, most, read] = [0, 0, 0]
    queue.readPayloads = async (ids) => {
      most = Math.max(most, ++reading)
      read += ids.length
      return readPayloads(ids).finally(() => reading--)
    }
    const answers = await Promise.all(Array.from({ length: 50 }, () => summarize(everyDay)))
    t.equal(most, 1, 'one read at a time')
    // Each summary alone would read 40 jobs. How many summaries share a read depends on when they come.
    t.ok(read <= 25 * 40, `${read} payloads for 50 callers`)
    for (const { answer } of answers) t.equal(answer.headers['usage-pending'], '4000')
  },
)

t.test('an entry that could not be stored is pending until it is', async (t) => {
  const { sql, accountId, summarize } = await buildUsage(t, 'postgres', { workers: 0 })
  const { accountId: other } = await makeCaller(sql, { slug: 'other' })
  const parked = entry(accountId, 2, { extraInfo: 'x'.repeat(9000) })
  await storeEntries(sql, [entry(accountId, 1), parked, entry(other, 3, { usage: 'much' })])
  const before = await summarize(everyDay)
  t.equal(before.answer.headers['usage-pending'], '1')
  t.equal(before.summary.Totals.Events, 1)
  await sql`update usage_rejects set entry = ${JSON.stringify({ ...parked, extraInfo: 'x' })} where id = 2`
  t.same(await retryRejects(sql), { stored: 1, refused: 1 })
  const after = await summarize(everyDay)
  t.equal(after.answer.headers['usage-pending'], '0')
  t.equal(after.summary.Totals.Events, 2)
})

t.test('an entry that is both in the queue and set aside is pending once', async (t) => {
  const { sql, accountId, services, summarize } = await buildUsage(t, 'postgres', { workers: 0 })
  const poison = entry(accountId, 1, { usage: 'much' })
  await storeEntries(sql, [poison])
  await services.queue.add('usage.store', [toTuple(poison)])
  t.equal((await summarize(everyDay)).answer.headers['usage-pending'], '1')
})

t.test('no account sees the usage of another', async (t) => {
  const { sql, app, record } = await buildUsage(t, 'postgres')
  const { ID } = (await record({ Meter: 'm', Usage: 1 })).json().data
  const { headers } = await makeCaller(sql, { slug: 'other', scopes: ['usage:read', 'usage:write'] })
  const summary = await app.inject({ url: `/api/v2/usage/meters?${everyDay}`, headers })
  t.same(summary.json().data.Meters, [])
  const entries = await app.inject({ url: `/api/v2/usage/entries?${everyDay}`, headers })
  t.same(entries.json().data, [])
  const url = `/api/v2/usage/entries/${ID}/void`
  const voided = await app.inject({ method: 'POST', url, headers, payload: { Reason: 'mine' } })
  const unknown = await app.inject({
    method: 'POST',
    url: url.replace(ID, '7'),
    headers,
    payload: { Reason: 'x' },
  })
  t.equal(voided.statusCode, 404)
  t.same({ ...voided.json(), instance: '' }, { ...unknown.json(), instance: '' })
})
