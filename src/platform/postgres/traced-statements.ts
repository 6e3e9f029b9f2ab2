/** Spans of SQL statements, by operation and table. They have neither the text nor the values of a statement. */
import { activeSpan, errorType, startSpan, type TracedSpan } from '../tracing/tracing.ts'

/** The parts of postgres.js’s query that this module uses. */
type DriverQuery = {
  strings: readonly string[]
  executed: boolean
  handle(): unknown
  resolve(result: unknown): void
  reject(error: unknown): void
}
type Handle = (this: DriverQuery) => unknown

const patched = new WeakSet<object>()

/**
 * Traces the statements of all pools. Each way to wait for a query first calls `handle`, which sends the
 * statement. A statement outside of any span is not traced, for example the periodic checks of a process.
 */
export function traceStatements(sql: (strings: TemplateStringsArray) => unknown): void {
  const prototype = Object.getPrototypeOf(sql`select`) as DriverQuery
  if (patched.has(prototype)) return
  patched.add(prototype)
  const { handle } = prototype
  const traced: Handle = function () {
    if (!this.executed && activeSpan()?.isSampled) traceStatement(this)
    return handle.call(this)
  }
  prototype.handle = traced
}

function traceStatement(query: DriverQuery): void {
  const { operation, table } = describeStatement(query.strings)
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    ...(table && { 'db.collection.name': table }),
  }
  const span: TracedSpan | null = startSpan(table ? `${operation} ${table}` : operation, {
    kind: 'client',
    attributes,
  })
  if (!span) return
  const { resolve, reject } = query
  query.resolve = (result) => {
    span.end()
    resolve(result)
  }
  query.reject = (error) => {
    span.fail(errorType(error))
    span.end()
    reject(error)
  }
}

type StatementName = { operation: string; table: string | null }

/** Names by template: JavaScript passes the same array of strings each time a template is used. */
const described = new WeakMap<readonly string[], StatementName>()

/**
 * The operation and the first table of a statement; for a statement that writes, those of its first write.
 * Exported for its test.
 */
export function describeStatement(strings: readonly string[]): StatementName {
  const known = described.get(strings)
  if (known) return known
  const text = strings.join(' ? ')
  const write =
    /\b(insert) into (\w+)|\b(update) (?!of\b|skip\b|nowait\b)(\w+)\b|\b(delete) from (\w+)/i.exec(text)
  const [verb, table] = write?.slice(1).filter(Boolean) ?? [
    /^\s*(?:with\b.*?\b(?=select\b))?(\w+)/is.exec(text)?.[1] ?? 'select',
    /\bfrom\s+(?!unnest\b|lateral\b)(\w+)/i.exec(text)?.[1],
  ]
  const description = { operation: verb!.toUpperCase(), table: table ?? null }
  described.set(strings, description)
  return description
}
