/** The log: pino's JSON lines on standard output, for people when that is a terminal. */
import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

/** Nothing that opens a door or names a person is logged on purpose; these catch what slips in. */
const redact = [
  'req.headers.authorization',
  'headers.authorization',
  'authorization',
  '*.password',
  '*.email',
]

export function createLogger(level: string, name: string): Logger {
  const options = { level, name, redact }
  return process.stdout.isTTY ? pino(options, pretty({ ignore: 'pid,hostname' })) : pino(options)
}
