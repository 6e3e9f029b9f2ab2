/**
 * The log: pino's JSON lines on standard output, formatted for people when that is a terminal. It contains no
 * credentials and no personal data.
 */
import { type DestinationStream, type Logger, pino } from 'pino'
import { activeSpan, isTracing } from '../tracing/tracing.ts'

// Loaded only for a terminal.
const pretty = process.stdout.isTTY ? (await import('pino-pretty')).default : null

/** Fields that the logger removes. No code logs them on purpose; this is for mistakes. */
const redact = ['authorization', 'headers.authorization', 'headers.cookie', '*.password', '*.email']

const serializers = {
  err: describeError,
  // Fastify would log addresses with their query strings here.
  req: ({ method }: { method?: string }) => ({ method }),
  res: ({ statusCode }: { statusCode?: number }) => ({ statusCode }),
}

/** @param destination standard output when left out. */
export function createLogger(level: string, name: string, destination?: DestinationStream): Logger {
  const options = { level, name, redact, serializers, ...(isTracing() && { mixin: idsOfSpan }) }
  if (destination) return pino(options, destination)
  return pretty ? pino(options, pretty({ ignore: 'pid,hostname' })) : pino(options)
}

/** The ids of the active span, by which a log line is found from its trace and the other way round. */
function idsOfSpan(): object {
  const span = activeSpan()
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {}
}

type Described = { type: string; message: string; stack?: string; [field: string]: unknown }

/** Fields of PostgreSQL’s errors that say where the error occurred, without data. */
const loggedFields = [
  'code',
  'severity',
  'constraint_name',
  'constraint',
  'table_name',
  'table',
  'routine',
] as const

/**
 * The parts of an error that may be logged. Errors of stores contain data: the row that PostgreSQL refused,
 * or the command that Redis refused, which may contain a password.
 */
export function describeError(error: unknown): Described {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an Error' }
  const fields = error as Error & Record<(typeof loggedFields)[number], unknown> & { errors?: unknown }
  return {
    type: error.constructor.name,
    message: messageOf(error.message, fields.code),
    ...Object.fromEntries(
      loggedFields.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])),
    ),
    // The first lines of the stack repeat the message.
    stack: error.stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n'),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
    ...(Array.isArray(fields.errors) && { errors: fields.errors.map(describeError) }),
  }
}

/** Removes a value that PostgreSQL cannot read (class 22), which is between quotes in the message. */
function messageOf(message: string, code: unknown): string {
  return typeof code === 'string' && code.startsWith('22') ? message.replace(/".*"/s, '"…"') : message
}
