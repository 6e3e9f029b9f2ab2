/**
 * Traces: spans of requests, batches, statements, jobs, e-mails and webhooks. When tracing is switched on,
 * this module loads opentelemetry.ts. Until then, beginning a span or finding the active span only compares a
 * variable with null.
 */
import type { SpanCounts, SpanOptions, TraceContext, TracedSpan, Tracer, TracingOptions } from './model.ts'

export type { SpanOptions, TraceContext, TracedSpan } from './model.ts'

let tracer: Tracer | null = null

/** Switches tracing on, once for each process, before the process opens anything that is traced. */
export async function openTracing(options: TracingOptions): Promise<void> {
  const { createTracer } = await import('./opentelemetry.ts')
  tracer = createTracer(options)
}

/** Switches tracing off. Takes 2 seconds at most. */
export async function closeTracing(): Promise<void> {
  const closing = tracer?.close()
  tracer = null
  await closing
}

export function isTracing(): boolean {
  return tracer !== null
}

export function countSpans(): SpanCounts {
  return tracer?.counts() ?? { exported: 0, dropped: 0 }
}

export function activeSpan(): TracedSpan | null {
  return tracer === null ? null : tracer.active()
}

/** The context of the active span, to be stored with what another process will do; null when there is none. */
export function traceContext(): TraceContext | null {
  return activeSpan()?.context ?? null
}

/** Begins a span, which the caller has to end. Null when tracing is off. */
export function startSpan(name: string, options: SpanOptions = {}): TracedSpan | null {
  return tracer === null ? null : tracer.start(name, options)
}

/**
 * Runs `work` in a new span, which is marked as failed if the work throws. The span is null when tracing is
 * off.
 */
export function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: TracedSpan | null) => Promise<T>,
): Promise<T> {
  const span = startSpan(name, options)
  return span === null ? work(null) : endWith(span, () => work(span))
}

async function endWith<T>(span: TracedSpan, work: () => Promise<T>): Promise<T> {
  try {
    return await span.run(work)
  } catch (error) {
    span.fail(errorType(error))
    throw error
  } finally {
    span.end()
  }
}

/** The code of an error, for example an error of PostgreSQL, or else its class. Never its message. */
export function errorType(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  if (typeof code === 'string') return code
  return error instanceof Error ? error.constructor.name : 'unknown'
}
