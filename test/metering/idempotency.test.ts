/** Idempotency-Key for usage: requests with the same key make one entry, and no entry is lost. */
import t from 'tap'
import { buildOn, makeCaller } from '../helper.ts'
import { until } from '../until.ts'
import { buildUsage, everyDay, onBothStores, startWorker } from './fixtures.ts'

const key = (value: string) => ({ 'idempotency-key': value })

await onBothStores(
  'a retry gets the response to the first request, and is not counted again',
  async (t, store) => {
    const { record, summarize, listEntries } = await buildUsage(t, store)
    const first = await record({ Meter: 'm', Usage: 3 }, key('k1'))
    t.equal(first.statusCode, 201)
    t.notOk(first.headers['idempotency-replayed'])
    const again = await record({ Usage: 3, Meter: 'm', ExtraInfo: null }, key('k1'))
    t.equal(again.statusCode, 201)
    t.equal(again.headers['idempotency-replayed'], 'true')
    t.same(again.json(), first.json())
    const other = await record({ Meter: 'm', Usage: 4 }, key('k1'))
    t.equal(other.statusCode, 422)
    t.match(other.json().type, /idempotency-key-reused$/)
    t.same((await summarize(everyDay)).summary.Totals, { Usage: 3, Events: 1 })
    t.equal((await listEntries(everyDay)).json().data.length, 1)
    for (const bad of ['', 'x'.repeat(256), 'é']) {
      const answer = await record({ Meter: 'm', Usage: 1 }, key(bad))
      t.equal(answer.statusCode, 422)
      t.match(answer.json().detail, /Idempotency-Key/)
    }
  },
)

await onBothStores('a key covers a whole batch', async (t, store) => {
  const { recordBatch, record, summarize } = await buildUsage(t, store)
  const entries = [
    { Meter: 'a', Usage: 1 },
    { Meter: 'b', Usage: 2, OccurredAt: 1_800_000_000 },
  ]
  const first = await recordBatch(entries, key('k'))
  const again = await recordBatch(entries, key('k'))
  t.equal(again.headers['idempotency-replayed'], 'true')
  t.same(again.json(), first.json())
  t.equal((await recordBatch(entries.toReversed(), key('k'))).statusCode, 422)
  t.equal((await record(entries[0]!, key('k'))).statusCode, 201, 'another operation has keys of its own')
  t.same((await summarize(everyDay)).summary.Totals, { Usage: 4, Events: 3 })
})

await onBothStores(
  'concurrent duplicates in two applications wait for the first, and get its response',
  async (t, store) => {
    const { app, services, url, headers, summarize } = await buildUsage(t, store)
    const { REDIS_URL = '', QUEUE_PREFIX } = services.config
    const { app: otherApp } = await buildOn(t, url, { REDIS_URL, QUEUE_PREFIX })
    const keys = Array.from({ length: 25 }, (_, index) => `key-${index}`)
    const sent = keys.flatMap((value) =>
      [app, otherApp, app, otherApp].map(async (process) => {
        const answer = await process.inject({
          method: 'POST',
          url: '/api/v2/usage/meters',
          headers: { ...headers, ...key(value) },
          payload: { Meter: 'm', Usage: 1 },
        })
        return { value, status: answer.statusCode, id: answer.json().data?.ID, headers: answer.headers }
      }),
    )
    const answers = await Promise.all(sent)
    t.ok(answers.every(({ status }) => status === 201))
    for (const value of keys) {
      const ours = answers.filter((answer) => answer.value === value)
      t.equal(new Set(ours.map(({ id }) => id)).size, 1)
      t.equal(ours.filter((answer) => !answer.headers['idempotency-replayed']).length, 1)
    }
    t.same((await summarize(everyDay)).summary.Totals, { Usage: 25, Events: 25 })
  },
)

t.test('a retry stores the entry if the first request stored only its idempotency key', async (t) => {
  const { sql, record, summarize, listEntries } = await buildUsage(t, 'postgres')
  const first = await record({ Meter: 'm', Usage: 1 }, key('k'))
  await summarize(everyDay)
  // As if the process had died between its claim and its job.
  await sql`delete from meter_entries`
  await sql`delete from meter_daily`
  await sql`delete from meter_monthly`
  const again = await record({ Meter: 'm', Usage: 1 }, key('k'))
  t.same(again.json(), first.json())
  t.same((await summarize(everyDay)).summary.Totals, { Usage: 1, Events: 1 })
  t.equal((await listEntries(everyDay)).json().data[0].ID, first.json().data.ID)
})

t.test(
  'after a 503, a key accepts only the same body, because the first request may take effect',
  async (t) => {
    const { sql, services, url, record, summarize } = await buildUsage(t, 'postgres', {
      workers: 0,
      environment: { REQUEST_TIMEOUT_SECONDS: '10' },
    })
    // Neither the queue nor the table responds, but either write may still take effect later.
    await sql.begin(async (tx) => {
      await tx`lock table bullmq.job in access exclusive mode`
      await tx`lock table meter_entries in access exclusive mode`
      const first = await record({ Meter: 'm', Usage: 3 }, key('k'))
      t.equal(first.statusCode, 503)
      t.ok(first.headers['retry-after'])
    })
    const other = await record({ Meter: 'm', Usage: 4 }, key('k'))
    t.equal(other.statusCode, 422)
    t.match(other.json().type, /idempotency-key-reused$/)
    t.equal((await record({ Meter: 'm', Usage: 3 }, key('k'))).statusCode, 201)
    await startWorker(t, services, url)
    await until(async () => (await services.queue.listUnfinished()).size === 0)
    t.same((await summarize(everyDay)).summary.Totals, { Usage: 3, Events: 1 })
  },
)

t.test('an idempotency key is valid for one API key, for 24 hours', async (t) => {
  const { app, sql, record } = await buildUsage(t, 'postgres')
  const first = await record({ Meter: 'm', Usage: 1 }, key('k'))
  const { headers } = await makeCaller(sql, { scopes: ['usage:write'] })
  const payload = { Meter: 'm', Usage: 1 }
  const others = { ...headers, ...key('k') }
  const other = await app.inject({ method: 'POST', url: '/api/v2/usage/meters', headers: others, payload })
  t.not(other.json().data.ID, first.json().data.ID)
  await sql`update idempotency_keys set created_at = created_at - interval '24 hours'`
  const later = await record({ Meter: 'another', Usage: 2 }, key('k'))
  t.equal(later.statusCode, 201)
  t.not(later.json().data.ID, first.json().data.ID)
  t.equal((await record({ Meter: 'another', Usage: 2 }, key('k'))).json().data.ID, later.json().data.ID)
})
