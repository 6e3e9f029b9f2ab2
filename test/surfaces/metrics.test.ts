/** The metrics for Prometheus, their sources, and who may read them. */
import t from 'tap'
import { probePort } from '../../src/platform/embedded/ports.ts'
import { bookingOperations } from '../../src/surfaces/count-calls.ts'
import { buildMetricsApp } from '../../src/surfaces/metrics.ts'
import {
  bookingBody,
  bookingPath,
  build,
  buildOn,
  createDatabase,
  makeCaller,
  makeProduct,
} from '../helper.ts'
import { buildUsage, startWorker } from '../metering/fixtures.ts'
import { startWeb } from '../processes.ts'
import { proxyTo } from '../proxy.ts'
import { listNames, readScrape, scrape, scrapeWhole, sumOf } from '../scrape.ts'
import { until } from '../until.ts'

const METRICS_TOKEN = 'sixteen letters or more'

t.test('/metrics beside the API requires the token', async (t) => {
  const { url } = await createDatabase(t)
  const { app, services } = await buildOn(t, url, { METRICS_TOKEN })
  const ask = (authorization?: string) =>
    app.inject({ url: '/metrics', headers: authorization ? { authorization } : {} })
  for (const wrong of [undefined, METRICS_TOKEN, 'Bearer ', `Bearer ${METRICS_TOKEN}.`, 'Bearer wrong']) {
    const answer = await ask(wrong)
    t.match(answer, { statusCode: 401, headers: { 'www-authenticate': 'Bearer' } }, String(wrong))
    t.notMatch(answer.body, METRICS_TOKEN)
  }
  const answer = await ask(`Bearer ${METRICS_TOKEN}`)
  t.match(answer, { statusCode: 200, headers: { 'content-type': /^text\/plain; version=0\.0\.4/ } })
  const own = buildMetricsApp(services)
  t.equal((await own.inject('/metrics')).statusCode, 401, 'a separate port requires the token too')
  t.equal((await own.inject('/healthz')).statusCode, 404)

  const { app: open, services: others } = await buildOn(t, url)
  t.equal((await open.inject('/metrics')).statusCode, 404, 'without a token, the API has no metrics')
  t.equal(
    (await buildMetricsApp(others).inject('/metrics')).statusCode,
    200,
    'without a token, a separate port has metrics',
  )
})

t.test('METRICS_PORT is a separate port that serves nothing else', async (t) => {
  const { url } = await createDatabase(t)
  const port = await probePort('127.0.0.1', 0)
  const web = await startWeb(t, url, { METRICS_PORT: String(port) })
  const own = `http://127.0.0.1:${port}`
  const names = listNames(await (await fetch(`${own}/metrics`)).text())
  for (const name of ['http_request_duration_seconds', 'nodejs_eventloop_lag_p99_seconds'])
    t.ok(names.includes(name), name)
  t.equal((await fetch(own + bookingPath)).status, 404)
  t.equal((await fetch(`${web.url}/metrics`)).status, 404)
  t.equal(await web.stop(), 0)
})

t.test('each operation that is counted as a booking exists', async (t) => {
  const { app } = await build(t)
  const { paths = {} } = app.swagger()
  const operations = Object.values(paths).flatMap((path) =>
    Object.values(path as object).map(({ operationId }: { operationId?: string }) => operationId),
  )
  for (const name of bookingOperations) t.ok(operations.includes(name), name)
})

t.test('a booking and a refusal are counted by their outcome, without names', async (t) => {
  const { app, sql, services } = await build(t)
  const caller = await makeCaller(sql, { partner: 'Tours Online' })
  const operator = await makeCaller(sql, { scopes: ['operator'] })
  const slots = { '2030-06-15 10:00': 3 }
  const { id, activityId } = await makeProduct(sql, caller.accountId, { slots })
  const book = (changes: Record<string, unknown>, headers: Record<string, string> = caller.headers) =>
    app.inject({ method: 'POST', url: bookingPath, headers, payload: bookingBody(activityId, changes) })
  const once = { ...caller.headers, 'idempotency-key': 'a-secret-of-theirs' }
  const { BookingReference } = (await book({}, once)).json().data
  await book({}, once)
  await book({})
  await book({ Time: '11:00' })
  await book({}, {})
  await book({ Participants: 0 })
  await app.inject({
    method: 'POST',
    url: `/api/v2/operator/bookings/${BookingReference}/cancel`,
    headers: operator.headers,
  })
  await app.inject({ url: `/api/v2/operator/products/${id}`, headers: operator.headers })
  await app.inject(`/nowhere/${BookingReference}`)
  const samples = await scrape(services.metrics)
  const booked = (outcome: string, operation = 'createBooking') =>
    sumOf(samples, 'booking_operations_total', { operation, outcome })
  t.equal(booked('done'), 1)
  t.equal(booked('replayed'), 1)
  t.equal(booked('insufficient-capacity'), 1)
  t.equal(booked('timeslot-unavailable'), 1)
  t.equal(booked('unauthenticated'), 1)
  t.equal(booked('validation'), 1)
  t.equal(booked('done', 'cancelBooking'), 1)
  const happened = (event: string, actor: string) =>
    sumOf(samples, 'booking_events_total', { event: `booking.${event}`, actor })
  t.equal(happened('confirmed', 'partner'), 1)
  t.equal(happened('cancelled', 'key'), 1)
  t.equal(happened('cancelled', 'partner'), 0, 'an event that has not happened is shown as 0')

  const answered = (method: string, route: string, status_code: string) =>
    sumOf(samples, 'http_request_duration_seconds_count', { method, route, status_code })
  t.equal(answered('POST', bookingPath, '201'), 2)
  t.equal(answered('POST', bookingPath, '409'), 2)
  t.equal(answered('GET', '/api/v2/operator/products/:ProductID', '200'), 1)
  t.equal(answered('GET', 'unmatched', '404'), 1)
  t.equal(sumOf(samples, 'batch_items_sum', { batcher: 'bookings' }), 4)
  t.ok(sumOf(samples, 'batch_wait_seconds_count', { batcher: 'key-look-ups' }))

  for (const { name, labels } of samples) {
    for (const [label, text] of Object.entries(labels)) {
      if (label === 'le' || label === 'status_code') continue
      t.match(text, /^[\w:/*.-]+$/, `${name} ${label}`)
      t.notMatch(text, /\d{2,}|@|Tours|secret/, `${name} ${label}`)
      t.notOk([activityId, BookingReference].some((one) => text.includes(one)))
    }
  }
})

t.test('accepted entries equal stored entries, and jobs are counted by outcome', async (t) => {
  const { services, url, record, recordBatch } = await buildUsage(t, 'postgres', { workers: 0 })
  const { metrics, queue } = services
  await record({ Meter: 'm', Usage: 1 })
  await recordBatch([
    { Meter: 'm', Usage: 2 },
    { Meter: 'n', Usage: 3 },
  ])
  await queue.add('usage.store', 'nothing that could be read' as never)
  const before = await scrapeWhole(metrics)
  t.equal(sumOf(before, 'usage_entries_accepted_total', { path: 'queue' }), 3)
  t.equal(sumOf(before, 'queue_takes_usage'), 1)
  t.ok(sumOf(before, 'queue_jobs', { queue: 'usage', state: 'waiting' })! >= 2)
  t.equal(sumOf(before, 'usage_entries_stored_total'), 0)

  const worker = (await startWorker(t, services, url)).services.metrics
  // The test does not scrape here, because a scrape caches what it read of the queue.
  await until(async () => {
    const [{ values: stored }, { values: processed }] = await Promise.all([
      worker.entriesStored.get(),
      worker.jobsProcessed.get(),
    ])
    const outcomes = processed.filter(({ value }) => value > 0).map(({ labels }) => labels.outcome)
    return stored[0]!.value === 3 && outcomes.includes('completed') && outcomes.includes('failed')
  })
  const after = await scrapeWhole(worker)
  const processed = (outcome: string) =>
    sumOf(after, 'queue_jobs_processed_total', { queue: 'usage', job_name: 'usage.store', outcome })
  t.equal(processed('failed'), 1)
  t.ok(processed('completed')! >= 1)
  t.equal(sumOf(after, 'queue_jobs_stalled_total', { queue: 'usage' }), 0)
  t.equal(sumOf(after, 'queue_jobs', { queue: 'usage', state: 'failed' }), 1)
})

t.test('every process reports the same backlog and audit results', async (t) => {
  const { url, sql } = await createDatabase(t)
  const [one, other] = [await makeCaller(sql, { slug: 'one' }), await makeCaller(sql, { slug: 'other' })]
  for (const { accountId } of [one, other]) {
    await sql`
      insert into events (account_id, type, actor, details, occurred_at)
      values (${accountId}, 'basket.completed', 'user', '{}', now() - interval '10 minutes')`
    await sql`
      insert into emails (account_id, kind, next_try_at)
      values (${accountId}, 'test', now() - interval '20 minutes'), (${accountId}, 'test', now() + interval '1 hour')`
    await sql`
      insert into baskets (account_id, id, status, channel, expires_at)
      values (${accountId}, ${accountId}, 'open', 'partner', now() - ${accountId} * interval '10 minutes')`
    await sql`insert into usage_rejects (account_id, id, entry, reason) values (${accountId}, 1, '{}', 'no')`
    await sql`
      insert into audits (account_id, kind, finished_at, differences)
      values (${accountId}, 'usage-totals', to_timestamp(${2_000_000_000 + accountId}), 2)`
  }
  await sql`update accounts set created_at = to_timestamp(1000000000) where account_id = ${one.accountId}`
  const processes = [await buildOn(t, url, {}, 'web'), await buildOn(t, url, {}, 'worker')]
  for (const { services } of processes) {
    const samples = await scrapeWhole(services.metrics)
    const tell = (name: string, labels = {}) => sumOf(samples, name, labels)
    t.equal(tell('events_unnumbered'), 2)
    t.ok(tell('events_oldest_unnumbered_age_seconds')! >= 600)
    t.equal(tell('holds_open'), 2)
    t.ok(tell('holds_oldest_overdue_age_seconds')! >= 600 * Math.max(one.accountId, other.accountId))
    t.equal(tell('emails_due'), 2)
    t.ok(tell('emails_oldest_due_age_seconds')! >= 1200)
    t.equal(tell('usage_entries_rejected'), 2)
    t.equal(tell('audit_differences', { kind: 'usage-totals' }), 4)
    const oldest = 2_000_000_000 + Math.min(one.accountId, other.accountId)
    t.equal(tell('audit_oldest_timestamp_seconds', { kind: 'usage-totals' }), oldest)
    t.equal(tell('audit_differences', { kind: 'booked-places' }), 0)
    t.equal(tell('audit_oldest_timestamp_seconds', { kind: 'booked-places' }), 1_000_000_000, 'never audited')
    t.equal(tell('store_up', { store: 'database' }), 1)
  }
})

t.test('the age of the oldest due refund is that of the refund that was decided first', async (t) => {
  const { url, sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql, { slug: 'one' })
  // A part of a refund that is due again after its mark was undone has a new, higher id and the old time.
  await sql`
    insert into refunds (account_id, basket_id, cause, amount_minor, kept_minor, currency, status, actor, decided_at, done_at)
    select ${accountId}, hours, 'overpaid', 100, 0, 'EUR', status, 'service', now() - hours * interval '1 hour',
      case when status = 'done' then now() end
    from (values (1, 1, 'due'), (2, 3, 'due'), (3, 2, 'due'), (4, 4, 'done')) as refund (place, hours, status)
    order by place`
  const { services } = await buildOn(t, url, {}, 'web')
  const age = sumOf(await scrapeWhole(services.metrics), 'refunds_oldest_due_age_seconds')!
  t.ok(age >= 3 * 3600 && age < 4 * 3600, `${age}`)
})

t.test(
  'a store that does not respond is left out and reported as down; the other metrics are present',
  async (t) => {
    const { url } = await createDatabase(t)
    const proxy = await proxyTo(t, url)
    const { app, services } = await buildOn(t, proxy.url, { METRICS_TOKEN }, 'web')
    await services.queue.looked
    proxy.block()
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
    const answer = await app.inject({ url: '/metrics', headers })
    t.equal(answer.statusCode, 200)
    const samples = readScrape(answer.body)
    for (const store of ['database', 'queue']) t.equal(sumOf(samples, 'store_up', { store }), 0)
    for (const name of ['audit_differences', 'emails_due', 'events_unnumbered', 'queue_jobs'])
      t.equal(sumOf(samples, name), undefined, name)
    t.ok(sumOf(samples, 'db_client_connection_max')! >= 2)
  },
)
