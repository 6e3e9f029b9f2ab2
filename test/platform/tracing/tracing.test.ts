/** Which spans are recorded, exported and dropped, and the names of statements. */
import t, { type Test } from 'tap'
import { describeStatement } from '../../../src/platform/postgres/traced-statements.ts'
import type { TracingOptions } from '../../../src/platform/tracing/model.ts'
import { createTracer } from '../../../src/platform/tracing/opentelemetry.ts'
import {
  closeTracing,
  countSpans,
  inSpan,
  isTracing,
  openTracing,
  startSpan,
  traceContext,
} from '../../../src/platform/tracing/tracing.ts'
import { until } from '../../until.ts'
import { openOtlp } from './otlp.ts'

const defaults = { headers: {}, sampler: 'always_on', ratio: 1, resource: {}, delayMs: 1 } as const
const off = { traceId: 'c'.repeat(32), context: `00-${'c'.repeat(32)}-00f067aa0ba902b7-00` }

async function open(t: Test, options: Partial<TracingOptions> = {}) {
  const otlp = await openOtlp(t)
  await openTracing({ ...defaults, endpoint: otlp.url, ...options })
  t.teardown(closeTracing)
  return otlp
}

t.test('without a receiver, work runs without a span', async (t) => {
  t.equal(isTracing(), false)
  t.equal(startSpan('one'), null)
  t.equal(await inSpan('one', {}, async (span) => [span, traceContext()].length), 2)
  t.same(countSpans(), { exported: 0, dropped: 0 })
})

t.test('the receiver gets the configured headers', async (t) => {
  const otlp = await open(t, { headers: { authorization: 'Bearer abc' } })
  startSpan('one')!.end()
  await until(() => otlp.spans.length === 1)
  t.equal(otlp.headers[0]!.authorization, 'Bearer abc')
  t.match(otlp.spans[0], { name: 'one', links: [] })
})

t.test('always_off records nothing, and its decision is stored with the context', async (t) => {
  const otlp = await open(t, { sampler: 'always_off' })
  await inSpan('one', {}, async () => t.match(traceContext(), /-00$/))
  await closeTracing()
  t.same(otlp.spans, [])
})

t.test('a parentbased sampler follows the decision of the caller, and other samplers do not', async (t) => {
  const following = await open(t, { sampler: 'parentbased_traceidratio' })
  startSpan('of the caller', { parent: off.context })!.end()
  startSpan('of its own')!.end()
  await closeTracing()
  t.same(
    following.spans.map(({ name }) => name),
    ['of its own'],
  )
  const own = await open(t, { sampler: 'traceidratio' })
  startSpan('of the caller', { parent: off.context })!.end()
  await closeTracing()
  t.match(own.spans, [{ traceId: off.traceId }])
})

t.test('an invalid trace context starts a new trace', async (t) => {
  const otlp = await open(t)
  startSpan('one', { parent: '00-zz-1-01' })!.end()
  await until(() => otlp.spans.length === 1)
  t.notOk(otlp.spans[0]!.parentSpanId)
})

t.test(
  'the span of work that throws is failed, with the code of the error and not its message',
  async (t) => {
    const otlp = await open(t)
    const error = Object.assign(new Error('of Ada'), { code: '23505' })
    await t.rejects(
      inSpan('one', {}, () => Promise.reject(error)),
      error,
    )
    await until(() => otlp.spans.length === 1)
    t.match(otlp.spans[0], { attributes: { 'error.type': '23505' }, status: { code: 2 } })
    t.notMatch(otlp.bodies.join(), 'Ada')
  },
)

t.test('spans are dropped and counted when too many wait to be exported', async (t) => {
  const otlp = await openOtlp(t)
  // The process does not use this tracer, so it counts only the spans of this test.
  const tracer = createTracer({ ...defaults, endpoint: otlp.url, maxWaiting: 3, delayMs: 60_000 })
  t.teardown(() => tracer.close())
  for (let made = 0; made < 11; made++) tracer.start('one', {}).end()
  t.same(tracer.counts(), { exported: 0, dropped: 8 })
  await until(() => tracer.counts().exported === 3)
  t.equal(otlp.spans.length, 3)
})

t.test('a statement is named by its operation and its first table', async (t) => {
  const named = (text: string) => Object.values(describeStatement([text]))
  t.same(named('with given as (select 1) insert into bookings (id) select 1'), ['INSERT', 'bookings'])
  t.same(named('select 1 from timeslots for update of timeslots'), ['SELECT', 'timeslots'])
  t.same(named('update emails set lease = null'), ['UPDATE', 'emails'])
  t.same(named('with old as (select 1) delete from events'), ['DELETE', 'events'])
  t.same(named('with found as (select 1) select id from found'), ['SELECT', 'found'])
  t.same(named('commit'), ['COMMIT', null])
})
