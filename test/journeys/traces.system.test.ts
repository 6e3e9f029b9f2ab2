/**
 * Traces across the real processes: from a request, through stores, queues and the worker, to webhooks
 * and e-mails.
 */
import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { createEndpoint } from '../../src/messaging/webhooks/endpoints/service.ts'
import { bookingBody, bookingPath, createDatabase, makeCaller, makeProduct } from '../helper.ts'
import { makeWorkflow } from '../messaging/emails/fixtures.ts'
import { startSmtp } from '../messaging/emails/smtp.ts'
import { openReceiver, secretKey, webhookEnvironment } from '../messaging/webhooks/fixtures.ts'
import { callerTrace, openOtlp, type ReceivedSpan } from '../platform/tracing/otlp.ts'
import { startProcess, startWeb } from '../processes.ts'
import { until } from '../until.ts'

const newTraceId = () => randomBytes(16).toString('hex')

/** An operator with a product, a webhook and a workflow, and a traced web process and worker. */
async function startTraced(t: Test, environment: Record<string, string> = {}) {
  const { sql, url: databaseUrl } = await createDatabase(t)
  const caller = await makeCaller(sql, { partner: 'Atlas', scopes: ['ota', 'usage:read', 'usage:write'] })
  const product = await makeProduct(sql, caller.accountId, { slots: { '2030-06-15 10:00': 1000 } })
  const webhook = await openReceiver(t)
  const smtp = await startSmtp(t)
  const fields = {
    ...{ url: webhook.url, eventTypes: ['booking.*'], description: '' },
    ...{ body: 'thin' as const, email: null },
  }
  const settings = { urlFault: () => null, secretKeys: secretKey }
  await sql.begin((tx) =>
    createEndpoint(tx, { accountId: caller.accountId, partnerId: null }, { fields, settings }),
  )
  await makeWorkflow(sql, caller.accountId)
  const otlp = await openOtlp(t)
  const shared = {
    ...webhookEnvironment,
    DATABASE_URL: databaseUrl,
    QUEUE_PREFIX: `{test-${newTraceId()}}`,
    SMTP_URL: smtp.url,
    MAIL_FROM: 'quay@booking.test',
    WORKER_PORT: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url,
    ...environment,
  }
  const web = await startWeb(t, databaseUrl, shared)
  const worker = startProcess(t, 'workers/worker.js', shared)
  await until(() => worker.output().includes('worker started'))
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${web.url}${path}`, {
      method: 'POST',
      headers: { ...caller.headers, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  return { ...caller, sql, product, webhook, smtp, otlp, web, worker, post }
}

/** The names of a span and of those above it, from the lowest. */
function pathOf(span: ReceivedSpan, spans: readonly ReceivedSpan[]): string[] {
  const above = spans.find(({ spanId }) => spanId === span.parentSpanId)
  return [span.name, ...(above ? pathOf(above, spans) : [])]
}

t.test('one trace leads from a booking of a partner to the webhook and to the e-mail', async (t) => {
  const { accountId, otlp, post, product, smtp, token, web, webhook, worker } = await startTraced(t)
  const traceId = newTraceId()
  const body = bookingBody(product.activityId, { PaymentReference: 'pay-4711' })
  const response = await post(bookingPath, body, callerTrace(traceId))
  t.equal(response.status, 201)
  const { BookingReference } = ((await response.json()) as { data: { BookingReference: string } }).data
  const delivery = await otlp.find(traceId, 'deliver webhook')
  const request = await otlp.find(traceId, `POST ${bookingPath}`)
  const email = await otlp.find(traceId, 'email')

  t.test('the request continues the trace of the partner', async (t) => {
    t.match(request, {
      ...{ parentSpanId: '00f067aa0ba902b7', process: 'web', kind: 2 },
      attributes: {
        'http.request.method': 'POST',
        'http.route': bookingPath,
        'http.response.status_code': 201,
        'account.id': accountId,
      },
    })
  })

  t.test('the batch that commits the booking is part of the trace, and so is its statement', async (t) => {
    const batch = await otlp.find(traceId, 'batch bookings')
    t.equal(batch.parentSpanId, request.spanId)
    t.match(batch.links, [{ traceId, spanId: request.spanId }])
    t.ok(request.links.some(({ spanId }) => spanId === batch.spanId))
    const statement = await otlp.find(traceId, 'INSERT bookings')
    t.ok(pathOf(statement, otlp.trace(traceId)).includes('batch bookings'), 'below the batch')
    t.match(statement.attributes, { 'db.system.name': 'postgresql', 'db.collection.name': 'bookings' })
  })

  t.test('the job of the web process and its run in the worker are part of the trace', async (t) => {
    const sent = await otlp.find(traceId, 'send events.number')
    const run = await otlp.find(traceId, 'process events.number')
    t.match([sent.process, run.process], ['web', 'worker'])
    t.equal(run.parentSpanId, sent.spanId)
    const event = await otlp.find(traceId, 'number booking.confirmed')
    t.match(event, { process: 'worker', parentSpanId: request.spanId })
  })

  t.test('the trace ends with the webhook, whose receiver can continue it', async (t) => {
    t.match(delivery, {
      ...{ process: 'worker', parentSpanId: request.spanId, kind: 3 },
      attributes: { 'webhook.type': 'booking.confirmed', 'http.response.status_code': 204 },
    })
    const { headers } = webhook.received[0]!
    t.equal(headers.traceparent, `00-${traceId}-${delivery.spanId}-01`)
  })

  t.test('the trace also ends with the e-mail', async (t) => {
    t.match(email, {
      process: 'worker',
      parentSpanId: request.spanId,
      attributes: { 'email.outcome': 'sent' },
    })
    const handover = await otlp.find(traceId, 'send email')
    t.equal(handover.parentSpanId, email.spanId)
    t.equal(smtp.received.length, 1)
  })

  t.test('log lines of both processes have the ID of the trace', async (t) => {
    const line = web
      .output()
      .split('\n')
      .find((line) => line.includes('"status":201'))
    t.match(JSON.parse(line!), { msg: 'request', trace_id: traceId, span_id: request.spanId })
    await until(() => worker.output().includes(`"trace_id":"${traceId}"`))
  })

  t.test('no span has personal data, a key, a reference or an address', async (t) => {
    const all = otlp.bodies.join()
    const secret = [token, BookingReference, product.activityId, 'pay-4711', webhook.url, secretKey]
    for (const text of ['Ada', 'Lovelace', 'example.com', ...secret]) t.notOk(all.includes(text), text)
  })
})

t.test(
  'one trace leads from the request that records usage, through its job, to the stored entry',
  async (t) => {
    const { otlp, post } = await startTraced(t)
    const traceId = newTraceId()
    const response = await post('/api/v2/usage/meters', { Meter: 'scans', Usage: 1 }, callerTrace(traceId))
    t.equal(response.status, 201)
    const stored = await otlp.find(traceId, 'batch usage-storing')
    // Each process exports its own spans, and the web process ends this span last.
    await otlp.find(traceId, 'POST /api/v2/usage/meters')
    const names = pathOf(stored, otlp.trace(traceId))
    t.same(names.slice(0, 4), [
      'batch usage-storing',
      'process usage.store',
      'send usage.store',
      'batch usage-recording',
    ])
    t.equal(names.at(-1), 'POST /api/v2/usage/meters')
    const statement = await otlp.find(traceId, 'INSERT meter_entries')
    t.match([stored.process, statement.process], ['worker', 'worker'])
    t.equal(statement.parentSpanId, stored.spanId)
  },
)

t.test('a trace that its caller does not sample is not recorded, not even by the worker', async (t) => {
  const { otlp, post, product, webhook } = await startTraced(t)
  const traceId = newTraceId()
  const body = bookingBody(product.activityId)
  t.equal((await post(bookingPath, body, callerTrace(traceId, false))).status, 201)
  await until(() => webhook.received.length === 1)
  t.match(webhook.received[0]!.headers.traceparent, new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`))
  const later = newTraceId()
  t.equal((await post(bookingPath, body, callerTrace(later))).status, 201)
  await otlp.find(later, 'deliver webhook')
  t.same(otlp.trace(traceId), [])
})

t.test(
  'while the receiver of traces cannot be reached, requests get responses and spans are dropped',
  async (t) => {
    const METRICS_TOKEN = 'a token of metrics'
    const { post, product, web, webhook } = await startTraced(t, {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      METRICS_TOKEN,
    })
    t.equal((await post(bookingPath, bookingBody(product.activityId))).status, 201)
    await until(() => webhook.received.length === 1)
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
    await until(async () => {
      const metrics = await (await fetch(`${web.url}/metrics`, { headers })).text()
      return /^trace_spans_total\{outcome="dropped"\} [1-9]/m.test(metrics)
    })
    // The log line may arrive after the metric.
    await until(() => web.output().includes('the OTLP endpoint does not accept spans'))
    t.equal(await web.stop(), 0)
  },
)
