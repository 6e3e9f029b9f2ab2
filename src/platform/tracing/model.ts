/** The types of spans and of the tracer that makes them. They depend on no library. */

/** A W3C `traceparent`: the ids of a trace and of one of its spans, and whether the trace is sampled. */
export type TraceContext = string

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'
/** Attributes must not contain personal data, keys or values from requests. */
export type SpanAttributes = Record<string, string | number | boolean>

export type SpanOptions = {
  /** `internal` when left out. */
  kind?: SpanKind
  attributes?: SpanAttributes
  /** The span that this one belongs to: the active one when left out or null. */
  parent?: TraceContext | null
  /** Other spans that caused this one. Null and invalid ones are left out. */
  links?: readonly (TraceContext | null)[]
  /** Unix milliseconds; now when left out. */
  startMs?: number
}

export type TracedSpan = {
  readonly context: TraceContext
  readonly traceId: string
  readonly spanId: string
  /** Whether its trace is sampled. If not, the attributes and links of the span are ignored. */
  readonly isSampled: boolean
  set(attributes: SpanAttributes): void
  link(context: TraceContext): void
  /** Marks the span as failed. @param type the kind of error: a status, a code or the name of a class. */
  fail(type: string): void
  end(): void
  /** Runs work, and what follows from it asynchronously, with this span as the active one. */
  run<T>(work: () => T): T
}

/** How many finished spans the receiver has accepted, and how many were lost. */
export type SpanCounts = { exported: number; dropped: number }

export type Tracer = {
  start(name: string, options: SpanOptions): TracedSpan
  active(): TracedSpan | null
  counts(): SpanCounts
  /** Sends the waiting spans, for a limited time. */
  close(): Promise<void>
}

export type SamplerName =
  | 'always_on'
  | 'always_off'
  | 'traceidratio'
  | 'parentbased_always_on'
  | 'parentbased_always_off'
  | 'parentbased_traceidratio'

export type TracingOptions = {
  /** The base URL of the receiver: spans go to `/v1/traces` below it. */
  endpoint: string
  headers: Record<string, string>
  sampler: SamplerName
  /** The share of traces that are sampled, 0 to 1. */
  ratio: number
  /** Attributes of this process, which are part of every trace. */
  resource: SpanAttributes
  /** Called when the receiver begins to refuse spans, and when it accepts them again. */
  changed?: (isReachable: boolean) => void
  /** How long spans are gathered before they are sent. */
  delayMs?: number
  maxWaiting?: number
}
