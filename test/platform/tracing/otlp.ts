/** Receives OTLP traces (JSON over HTTP) on loopback, like a collector. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { until } from '../../until.ts'

type Value = { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean }
type Attribute = { key: string; value: Value }
type SentSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: Attribute[]
  links?: { traceId: string; spanId: string }[]
  status: { code?: number }
}
export type ReceivedSpan = Omit<SentSpan, 'attributes' | 'links'> & {
  /** `web` or `worker`. */
  process: unknown
  attributes: Record<string, unknown>
  links: { traceId: string; spanId: string }[]
}
type Sent = {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: SentSpan[] }[] }[]
}

export async function openOtlp(t: Test) {
  const spans: ReceivedSpan[] = []
  const bodies: string[] = []
  const headers: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part) => parts.push(part))
    request.on('end', () => {
      const text = Buffer.concat(parts).toString()
      if (request.url === '/v1/traces') {
        bodies.push(text)
        headers.push(request.headers)
        spans.push(...read(JSON.parse(text)))
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    headers,
    /** The spans of a trace. */
    trace: (traceId: string) => spans.filter((span) => span.traceId === traceId),
    /** The first span of a trace with this name, once it has come in. */
    async find(traceId: string, name: string | RegExp): Promise<ReceivedSpan> {
      const isIt = (span: ReceivedSpan) =>
        span.traceId === traceId && (typeof name === 'string' ? span.name === name : name.test(span.name))
      await until(() => spans.some(isIt))
      return spans.find(isIt)!
    },
  }
}

function read({ resourceSpans }: Sent): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map((span) => ({
        ...span,
        process: readAttributes(resource.attributes)['service.process'],
        attributes: readAttributes(span.attributes),
        links: span.links ?? [],
      })),
    ),
  )
}

function readAttributes(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}

/** The header `traceparent` of a caller that began the trace `traceId`, with its sampling decision. */
export function callerTrace(traceId: string, isSampled = true): { traceparent: string } {
  return { traceparent: `00-${traceId}-00f067aa0ba902b7-${isSampled ? '01' : '00'}` }
}
