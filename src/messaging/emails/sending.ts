/**
 * Hands the e-mails that are due to the transport, each while its row is locked, and marks it in the same
 * transaction: so two workers never send one, and what dies in between is sent again under the same Message-ID.
 */
import type { Logger } from 'pino'
import type { Config } from '../../platform/config/config.ts'
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import { composeEmail } from './composing.ts'
import { type EmailMessage, secondsUntilRetry, toHeader } from './model.ts'
import * as queries from './queries.ts'
import { isRefusal, type MailTransport, openTransport } from './transport.ts'

export type SendingOptions = {
  sql: Sql
  log: Logger
  config: Config
  /** `draining` turns true when the process begins to stop. */
  state: { draining: boolean }
  /** Called when an e-mail was sent, which may have left a platform event to be recorded. */
  wakeEvents: () => void
  /** Told what became of each that was due, once it is committed. */
  processed?: (outcome: SendingOutcome) => void
  /** Longest time that one handover takes; well within that of an idle transaction. */
  handoverMilliseconds?: number
}

export const outcomes = ['sent', 'retried', 'failed', 'dropped', 'waiting'] as const
type SendingOutcome = (typeof outcomes)[number]
export type SendingCounts = Partial<Record<SendingOutcome, number>>

const mostAtOnce = 5
const waitSeconds = 300

/**
 * Gives the job that sends what is due, several at once. Calls that come meanwhile add hands where some are free:
 * a handover that takes long holds up no other.
 */
export function createSending(options: SendingOptions): () => Promise<SendingCounts> {
  const { sql, config, state } = options
  // Each keeps a connection to the database for as long as it takes.
  const most = Math.min(mostAtOnce, Math.max(1, Math.floor(config.DATABASE_POOL_SIZE / 2)))
  let transport: MailTransport | null = null
  let busy = 0

  async function work(counts: SendingCounts): Promise<void> {
    busy++
    try {
      transport ??= openTransport(config, most)
      const open = transport
      while (!state.draining) {
        const outcome = await sql.begin((tx) => sendNext(tx, open, options))
        if (!outcome) break
        counts[outcome] = (counts[outcome] ?? 0) + 1
        options.processed?.(outcome)
        if (outcome === 'sent') options.wakeEvents()
      }
    } finally {
      busy--
      if (busy === 0) {
        transport?.close()
        transport = null
      }
    }
  }

  return async () => {
    const counts: SendingCounts = {}
    await Promise.all(Array.from({ length: most - busy }, () => work(counts)))
    return counts
  }
}

/** What became of the e-mail that was due first; null when none is. */
async function sendNext(
  tx: Transaction,
  transport: MailTransport,
  { config, log, handoverMilliseconds = 30_000 }: SendingOptions,
): Promise<SendingOutcome | null> {
  const email = await queries.lockDueEmail(tx)
  if (!email) return null
  const verdict = await composeEmail(tx, email, config)
  if (verdict.kind !== 'message') return setAside(tx, email, verdict, log)
  const tried = { ...email, attempts: email.attempts + 1 }
  const error = await handOver(transport, verdict.message, handoverMilliseconds)
  if (!error) {
    await queries.markSent(tx, tried, meteredAs(email))
    return 'sent'
  }
  const reason = toHeader(error.message)
  const seconds = isRefusal(error) ? null : secondsUntilRetry(tried.attempts)
  // The server's words may hold an address; they are for the operator, not for the log.
  log.warn({ email: email.id, kind: email.kind, tries: tried.attempts, final: !seconds }, 'e-mail not sent')
  if (seconds === null) {
    await queries.markEnded(tx, tried, 'failed', reason)
    return 'failed'
  }
  await queries.postpone(tx, tried, seconds, reason)
  return 'retried'
}

async function setAside(
  tx: Transaction,
  email: queries.Email,
  { kind, reason }: { kind: 'drop' | 'fail' | 'wait' | 'rearm'; reason: string },
  log: SendingOptions['log'],
): Promise<SendingOutcome> {
  if (kind === 'wait') {
    log.warn({ email: email.id, kind: email.kind, reason }, 'e-mail waits')
    await queries.postpone(tx, email, waitSeconds, reason)
    return 'waiting'
  }
  if (kind === 'fail') log.warn({ email: email.id, kind: email.kind }, 'e-mail cannot be written')
  if (kind === 'rearm') await queries.deleteRun(tx, email)
  const status = kind === 'fail' ? 'failed' : 'dropped'
  await queries.markEnded(tx, email, status, reason)
  return status
}

/** Null when the message was taken on. */
async function handOver(
  transport: MailTransport,
  message: EmailMessage,
  milliseconds: number,
): Promise<Error | null> {
  const signal = AbortSignal.timeout(milliseconds)
  try {
    await transport.send(message, signal)
    return null
  } catch (error) {
    return signal.aborted ? new Error('The server did not take it in time.') : (error as Error)
  }
}

/** The platform event that an e-mail causes when it has been handed over; the interface names two. */
function meteredAs({ kind, waitlistEntryId, bookingId }: queries.Email): queries.MailEvent | null {
  if (kind === 'workflow') return { meter: 'workflow-email-sent', extraInfo: {} }
  if (kind === 'waitlist-offer')
    return {
      meter: 'waitlist-notified',
      extraInfo: { WaitlistID: waitlistEntryId!, MultiBookingID: bookingId! },
    }
  return null
}
