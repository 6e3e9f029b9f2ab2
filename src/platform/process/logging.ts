/**
 * The log: pino's JSON lines on standard output, for people when that is a terminal. Nothing that opens a door or
 * names a person is in it.
 */
import { type DestinationStream, type Logger, pino } from 'pino'

// Only a terminal needs it: other processes do not load it.
const pretty = process.stdout.isTTY ? (await import('pino-pretty')).default : null

/** Nothing of the kind is logged on purpose; these catch what slips in. */
const redact = ['authorization', 'headers.authorization', 'headers.cookie', '*.password', '*.email']

const serializers = {
  err: describeError,
  // What Fastify would log of these, at whatever level, has addresses with their queries.
  req: ({ method }: { method?: string }) => ({ method }),
  res: ({ statusCode }: { statusCode?: number }) => ({ statusCode }),
}

/** @param destination left out, standard output. */
export function createLogger(level: string, name: string, destination?: DestinationStream): Logger {
  const options = { level, name, redact, serializers }
  if (destination) return pino(options, destination)
  return pretty ? pino(options, pretty({ ignore: 'pid,hostname' })) : pino(options)
}

type Described = { type: string; message: string; stack?: string; [field: string]: unknown }

/** Fields of PostgreSQL’s errors that say where, and not what. */
const kept = ['code', 'severity', 'constraint_name', 'constraint', 'table_name', 'table', 'routine'] as const

/**
 * What of an error may be logged. Those of stores carry more than they say: the row that PostgreSQL refused, and the
 * command that Redis did, be it the one with its password.
 */
export function describeError(error: unknown): Described {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an Error' }
  const fields = error as Error & Record<(typeof kept)[number], unknown> & { errors?: unknown }
  return {
    type: error.constructor.name,
    message: messageOf(error.message, fields.code),
    ...Object.fromEntries(kept.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]]))),
    // Its first lines repeat the message.
    stack: error.stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n'),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
    ...(Array.isArray(fields.errors) && { errors: fields.errors.map(describeError) }),
  }
}

/** A value that PostgreSQL cannot read (class 22) stands in its message, between quotes. */
function messageOf(message: string, code: unknown): string {
  return typeof code === 'string' && code.startsWith('22') ? message.replace(/".*"/s, '"…"') : message
}
