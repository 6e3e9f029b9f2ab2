/**
 * The only module that knows OpenTelemetry. It is loaded when tracing is switched on. Spans wait in a bounded
 * queue for the receiver; when the queue is full, or the receiver does not accept them, they are dropped and
 * counted, and nothing waits for them.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import * as api from '@opentelemetry/api'
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type {
  SpanAttributes,
  SpanCounts,
  SpanKind,
  TraceContext,
  TracedSpan,
  Tracer,
  TracingOptions,
} from './model.ts'

const kinds: Record<SpanKind, api.SpanKind> = {
  internal: api.SpanKind.INTERNAL,
  server: api.SpanKind.SERVER,
  client: api.SpanKind.CLIENT,
  producer: api.SpanKind.PRODUCER,
  consumer: api.SpanKind.CONSUMER,
}

const exportTimeoutMs = 5000
const closeTimeoutMs = 2000

export function createTracer(options: TracingOptions): Tracer {
  const queue = createSpanQueue(options)
  const provider = new TracerProvider({
    resource: resourceFromAttributes(options.resource),
    sampler: createSampler(options),
    spanProcessors: [queue.processor],
  })
  const tracer = provider.getTracer('activity-booking-service')
  const current = new AsyncLocalStorage<SdkSpan>()

  return {
    start(name, { kind = 'internal', attributes, parent, links = [], startMs }) {
      const active = current.getStore()
      const context = parent ? contextOf(parent) : active ? active.asParent() : api.ROOT_CONTEXT
      const span = tracer.startSpan(
        name,
        { kind: kinds[kind], attributes, links: links.flatMap(linkTo), startTime: startMs },
        context,
      )
      return new SdkSpan(span, current)
    },
    active: () => current.getStore() ?? null,
    counts: queue.counts,
    async close() {
      await Promise.race([
        provider.shutdown().catch(() => {}),
        delay(closeTimeoutMs, undefined, { ref: false }),
      ])
    },
  }
}

class SdkSpan implements TracedSpan {
  readonly context: TraceContext
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
  private readonly inner: api.Span
  private readonly current: AsyncLocalStorage<SdkSpan>

  constructor(inner: api.Span, current: AsyncLocalStorage<SdkSpan>) {
    const { traceId, spanId, traceFlags } = inner.spanContext()
    this.isSampled = (traceFlags & api.TraceFlags.SAMPLED) !== 0
    this.context = `00-${traceId}-${spanId}-${this.isSampled ? '01' : '00'}`
    this.traceId = traceId
    this.spanId = spanId
    this.inner = inner
    this.current = current
  }

  asParent(): api.Context {
    return api.trace.setSpan(api.ROOT_CONTEXT, this.inner)
  }

  set(attributes: SpanAttributes): void {
    this.inner.setAttributes(attributes)
  }

  link(context: TraceContext): void {
    this.inner.addLinks(linkTo(context))
  }

  fail(type: string): void {
    this.inner.setAttribute('error.type', type).setStatus({ code: api.SpanStatusCode.ERROR })
  }

  end(): void {
    this.inner.end()
  }

  run<T>(work: () => T): T {
    return this.current.run(this, work)
  }
}

/** Parses a stored context. If it is not valid, the span begins a new trace. */
function contextOf(context: TraceContext): api.Context {
  const parsed = parseTraceParent(context)
  return parsed ? api.trace.setSpanContext(api.ROOT_CONTEXT, { ...parsed, isRemote: true }) : api.ROOT_CONTEXT
}

function linkTo(context: TraceContext | null): api.Link[] {
  const parsed = context && parseTraceParent(context)
  return parsed ? [{ context: parsed }] : []
}

function createSampler({ sampler, ratio }: TracingOptions): Sampler {
  const name = sampler.replace('parentbased_', '')
  const root =
    name === 'traceidratio'
      ? new TraceIdRatioBasedSampler(ratio)
      : name === 'always_off'
        ? new AlwaysOffSampler()
        : new AlwaysOnSampler()
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

type SpanQueue = { processor: SpanProcessor; counts: () => SpanCounts }

/**
 * A processor that counts the spans that it drops, and passes the other spans to OpenTelemetry's processor.
 * That processor does not count dropped spans, and never drops one here, because it gets no more than its
 * queue can hold.
 */
function createSpanQueue({
  endpoint,
  headers,
  changed,
  delayMs = 1000,
  maxWaiting = 4096,
}: TracingOptions): SpanQueue {
  let [waiting, exported, dropped, isReachable] = [0, 0, 0, true]
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
  const otlp = new OTLPTraceExporter({ url, headers, timeoutMillis: exportTimeoutMs })

  function settle(spans: number, isAccepted: boolean): void {
    waiting -= spans
    if (isAccepted) exported += spans
    else dropped += spans
    if (isAccepted === isReachable) return
    isReachable = isAccepted
    changed?.(isAccepted)
  }

  const exporter: SpanExporter = {
    export(spans, done) {
      otlp.export(spans, (result) => {
        settle(spans.length, result.code === ExportResultCode.SUCCESS)
        // The failure is counted. OpenTelemetry would write it to the console.
        done({ code: ExportResultCode.SUCCESS })
      })
    },
    shutdown: () => otlp.shutdown(),
    forceFlush: () => otlp.forceFlush(),
  }
  const inner = new BatchSpanProcessor({
    exporter,
    maxQueueSize: maxWaiting,
    maxExportBatchSize: Math.min(512, maxWaiting),
    scheduledDelayMillis: delayMs,
    exportTimeoutMillis: 2 * exportTimeoutMs,
  })
  const processor: SpanProcessor = {
    onStart: () => {},
    onEnd(span: ReadableSpan) {
      if ((span.spanContext().traceFlags & api.TraceFlags.SAMPLED) === 0) return
      if (waiting >= maxWaiting) {
        dropped++
        return
      }
      waiting++
      inner.onEnd(span)
    },
    forceFlush: () => inner.forceFlush(),
    shutdown: () => inner.shutdown(),
  }
  return { processor, counts: () => ({ exported, dropped }) }
}
