/** Recording usage, single and in batches, as a client sees it. */
import t from 'tap'
import { build, makeCaller } from '../../helper.ts'
import { buildUsage, everyDay, onBothStores } from '../fixtures.ts'

await onBothStores('an entry gets 201 with its ID, and is counted', async (t, store) => {
  const { record, summarize, listEntries } = await buildUsage(t, store)
  const answer = await record({
    Meter: '  api calls ',
    Usage: 2.5,
    ExtraInfo: '{"a":1}',
    OccurredAt: 1_800_000_000,
  })
  t.equal(answer.statusCode, 201)
  const { ID, ...rest } = answer.json().data
  t.ok(Number.isSafeInteger(ID))
  t.same(rest, { Meter: 'api calls', Usage: 2.5 })
  const { summary, answer: summed } = await summarize(everyDay)
  t.equal(summed.headers['usage-pending'], '0')
  t.same(summary.Meters, [{ Meter: 'api calls', TotalUsage: 2.5, EventCount: 1 }])
  const [entry] = (await listEntries(everyDay)).json().data
  t.match(entry, { ID, Meter: 'api calls', Usage: 2.5, ExtraInfo: '{"a":1}', OccurredAt: 1_800_000_000 })
})

await onBothStores('an entry without OccurredAt gets the time of its request', async (t, store) => {
  const { record, summarize, listEntries } = await buildUsage(t, store)
  const before = Math.floor(Date.now() / 1000)
  await record({ Meter: 'm', Usage: 1, OccurredAt: null, ExtraInfo: null })
  await summarize(everyDay)
  const [entry] = (await listEntries(everyDay)).json().data
  t.ok(entry.OccurredAt >= before && entry.OccurredAt <= Date.now() / 1000)
  t.equal(entry.ExtraInfo, null)
})

await onBothStores(
  'the response to a batch has the entries in their order; if one is invalid, the whole batch is refused',
  async (t, store) => {
    const { recordBatch, summarize } = await buildUsage(t, store)
    const good = Array.from({ length: 1000 }, (_, index) => ({ Meter: `m${index % 7}`, Usage: index + 1 }))
    const answer = await recordBatch(good)
    t.equal(answer.statusCode, 201)
    const { data } = answer.json()
    t.same(
      data.map(({ Meter, Usage }: { Meter: string; Usage: number }) => ({ Meter, Usage })),
      good,
    )
    t.equal(new Set(data.map(({ ID }: { ID: number }) => ID)).size, 1000)
    const bad = await recordBatch([...good.slice(0, 3), { Meter: '', Usage: 0 }, { Usage: '1' }])
    t.equal(bad.statusCode, 422)
    t.same(
      bad.json().errors.map(({ field }: { field: string }) => field),
      ['Entries[3].Meter', 'Entries[3].Usage', 'Entries[4].Meter', 'Entries[4].Usage'],
    )
    const { summary } = await summarize(everyDay)
    t.same(summary.Totals, { Usage: 500_500, Events: 1000 })
  },
)

t.test('an entry that breaks a rule gets 422, which names every failing field', async (t) => {
  const { app, sql } = await build(t)
  const { headers } = await makeCaller(sql, { scopes: ['usage:write'] })
  const send = (payload: unknown, url = '/api/v2/usage/meters') =>
    app.inject({
      method: 'POST',
      url,
      headers: { ...headers, 'content-type': 'application/json' },
      payload: JSON.stringify(payload),
    })
  const cases: [object, string[]][] = [
    [{}, ['Meter', 'Usage']],
    [{ Meter: '   ', Usage: 1 }, ['Meter']],
    [{ Meter: 'x'.repeat(256), Usage: 1 }, ['Meter']],
    [{ Meter: 7, Usage: '5', ExtraInfo: 1, OccurredAt: '1' }, ['Meter', 'Usage', 'ExtraInfo', 'OccurredAt']],
    [{ Meter: 'm', Usage: 0 }, ['Usage']],
    [{ Meter: 'm', Usage: -1 }, ['Usage']],
    [{ Meter: 'm', Usage: 1e15 }, ['Usage']],
    [{ Meter: 'm', Usage: 1e-21 }, ['Usage']],
    [{ Meter: 'm', Usage: null }, ['Usage']],
    [{ Meter: 'm', Usage: true }, ['Usage']],
    [{ Meter: 'm', Usage: 1, OccurredAt: 1.5 }, ['OccurredAt']],
    [{ Meter: 'm', Usage: 1, OccurredAt: -1 }, ['OccurredAt']],
    [{ Meter: 'm', Usage: 1, OccurredAt: 4102444801 }, ['OccurredAt']],
    [{ Meter: 'm', Usage: 1, ExtraInfo: 'é'.repeat(4097) }, ['ExtraInfo']],
    [{ Meter: 'm\0', Usage: 1 }, ['Meter']],
    [{ Meter: 'm', Usage: 1, ExtraInfo: '\ud800' }, ['ExtraInfo']],
  ]
  for (const [payload, fields] of cases) {
    const answer = await send(payload)
    t.equal(answer.statusCode, 422, JSON.stringify(payload).slice(0, 80))
    const named = answer.json().errors.map(({ field }: { field: string }) => field)
    t.same(named.sort(), fields.sort())
    for (const field of fields) t.match(answer.json().detail, field)
  }
  t.equal((await send([])).statusCode, 422)
  t.equal((await send({ Entries: [] }, '/api/v2/usage/meters/batch')).statusCode, 422)
  const many = { Entries: Array.from({ length: 1001 }, () => ({ Meter: 'm', Usage: 1 })) }
  t.equal((await send(many, '/api/v2/usage/meters/batch')).statusCode, 422)
  const worst = await send({ Entries: Array(1000).fill({}) }, '/api/v2/usage/meters/batch')
  t.equal(worst.json().errors.length, 2000)
})

t.test('an entry at the limit of a rule is accepted', async (t) => {
  const { record, listEntries, summarize } = await buildUsage(t, 'postgres')
  const edges = [
    { Meter: '💡'.repeat(255), Usage: 999_999_999_999_999.9 },
    { Meter: 'small', Usage: 1e-20, OccurredAt: 0 },
    { Meter: 'late', Usage: 0.1, OccurredAt: 4102444800 },
    { Meter: 'long', Usage: 5e-7, ExtraInfo: 'é'.repeat(4096) },
  ]
  for (const edge of edges) t.equal((await record(edge)).statusCode, 201, edge.Meter.slice(0, 5))
  await summarize(everyDay)
  const listed = (await listEntries(everyDay)).json().data as { Meter: string; Usage: number }[]
  t.same(
    new Map(listed.map(({ Meter, Usage }) => [Meter, Usage])),
    new Map(edges.map(({ Meter, Usage }) => [Meter, Usage])),
  )
})

t.test(
  'usage routes refuse a missing key and a wrong scope, size, type or method: 401, 403, 413, 415, 405',
  async (t) => {
    const { app, sql } = await build(t)
    const { headers: readOnly } = await makeCaller(sql, { scopes: ['usage:read', 'ota'] })
    const { headers: writeOnly } = await makeCaller(sql, { scopes: ['usage:write'] })
    const body = { Meter: 'm', Usage: 1 }
    const post = (headers: Record<string, string>, payload: object | string, path = 'meters') =>
      app.inject({ method: 'POST', url: `/api/v2/usage/${path}`, headers, payload })
    for (const path of ['meters', 'meters/batch', 'entries/1/void']) {
      t.equal((await post({}, body, path)).statusCode, 401, path)
      t.equal((await post(readOnly, body, path)).statusCode, 403, path)
    }
    for (const path of ['meters', 'entries']) {
      t.equal((await app.inject({ url: `/api/v2/usage/${path}` })).statusCode, 401, path)
      t.equal((await app.inject({ url: `/api/v2/usage/${path}`, headers: writeOnly })).statusCode, 403, path)
    }
    const json = { ...writeOnly, 'content-type': 'application/json' }
    t.equal((await post(json, JSON.stringify({ ...body, Pad: 'x'.repeat(2 ** 20) }))).statusCode, 413)
    const wide = { Entries: [body], Pad: 'x'.repeat(9 * 2 ** 20) }
    t.equal((await post(json, JSON.stringify(wide), 'meters/batch')).statusCode, 201)
    const wider = { Entries: [body], Pad: 'x'.repeat(10 * 2 ** 20) }
    t.equal((await post(json, JSON.stringify(wider), 'meters/batch')).statusCode, 413)
    t.equal((await post({ ...writeOnly, 'content-type': 'text/plain' }, 'x')).statusCode, 415)
    const put = await app.inject({
      method: 'PUT',
      url: '/api/v2/usage/meters',
      headers: writeOnly,
      payload: body,
    })
    t.equal(put.statusCode, 405)
    t.match(put.headers.allow, /POST/)
    t.match(put.headers.allow, /GET/)
  },
)
