/**
 * Sends the e-mails that are due. A worker claims an e-mail by a lease and commits. Outside any transaction, it
 * composes the e-mail and hands it over to the mail server, and then marks it. If the worker dies, the e-mail is
 * due again when its lease ends. If the server had accepted it already, the recipient gets it twice, with the same
 * Message-ID.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isTestAccount } from '../../accounts/model.ts'
import { within } from '../../platform/async/deadline.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { isConnectionLost, isDataError, isRetryable, isTimeout } from '../../platform/postgres/errors.ts'
import { inSpan, traceContext } from '../../platform/tracing/tracing.ts'
import { composeEmail } from './composing.ts'
import { composeLimitMs, handoverLimitMs, leaseMs } from './lease.ts'
import * as queries from './lease-queries.ts'
import { markAccepted, markFailedTry, markUnsent, type SendingOutcome } from './marking.ts'
import { type EmailMessage, secondsUntilRetry, toHeader } from './model.ts'
import { type RenderBudget, sendingToleranceMs } from './render-budget.ts'
import { isRefusal, type MailTransport, type MailTransports, openTransports } from './transport.ts'

export type SendingOptions = {
  sql: Sql
  log: Logger
  config: Config
  renders: RenderBudget
  /** `draining` becomes true when the process begins to stop. */
  state: { draining: boolean }
  /**
   * Called with the outcome of each claimed e-mail of a live account: after its commit, or with `lost` if nothing was
   * committed.
   */
  processed?: (outcome: SendingOutcome) => void
  /** The time limits of one hand-over and of composing; at most `handoverLimitMs` and `composeLimitMs`. */
  handoverMs?: number
  composeMs?: number
}

export type SendingCounts = Partial<Record<SendingOutcome, number>>

const maxAtOnce = 5
const refusedReason = 'The outcome could not be stored: PostgreSQL rejected the data.'
const brokenReason = 'The service failed to send it: its log has the cause.'
const slowReason = 'The service took too long to read or store its data.'

/**
 * Returns the job that sends due e-mails, several at once. A call of the job while another call runs starts
 * only as many senders as are free, so that a slow hand-over does not delay other e-mails.
 */
export function createSending(options: SendingOptions): () => Promise<SendingCounts> {
  const { config, state } = options
  const claimNext = createClaiming(options.sql)
  let transports: MailTransports | null = null
  let busy = 0

  async function work(counts: SendingCounts): Promise<void> {
    busy++
    try {
      transports ??= openTransports(config, maxAtOnce)
      const open = transports
      while (!state.draining) {
        const claimedAt = performance.now()
        const email = await claimNext()
        if (!email) break
        const outcome = await sendTraced(open.of(email.accountId), email, claimedAt, options)
        counts[outcome] = (counts[outcome] ?? 0) + 1
        // E-mails of test accounts become files. Their successes would hide failures of the mail server.
        if (!isTestAccount(email.accountId)) options.processed?.(outcome)
      }
    } finally {
      busy--
      if (busy === 0) {
        transports?.close()
        transports = null
      }
    }
  }

  return async () => {
    const counts: SendingCounts = {}
    await Promise.all(Array.from({ length: maxAtOnce - busy }, () => work(counts)))
    return counts
  }
}

/**
 * Runs the claims of a process in sequence, so that each claim begins after the account of the previous claim.
 */
function createClaiming(sql: Sql): () => Promise<queries.Email | null> {
  let after = queries.beforeAllAccounts
  let last: Promise<unknown> = Promise.resolve()
  async function claim() {
    const email = await queries.claimEmail(sql, { after, leaseMs })
    if (email) after = email.accountId
    return email
  }
  return () => {
    const claimed = last.then(claim)
    last = claimed.catch(() => {})
    return claimed
  }
}

/** Sends an e-mail as a span of the trace that caused it. */
function sendTraced(
  transport: MailTransport,
  email: queries.Email,
  claimedAt: number,
  options: SendingOptions,
): Promise<SendingOutcome> {
  const traced = {
    parent: email.traceContext,
    links: [traceContext()],
    attributes: { 'account.id': email.accountId, 'email.kind': email.kind },
  }
  return inSpan('email', traced, async (span) => {
    const outcome = await sendClaimed(transport, email, claimedAt, options)
    span?.set({ 'email.outcome': outcome })
    return outcome
  })
}

async function sendClaimed(
  transport: MailTransport,
  email: queries.Email,
  claimedAt: number,
  options: SendingOptions,
): Promise<SendingOutcome> {
  const { sql, log } = options
  const about = { email: email.id, kind: email.kind }
  const tried = { ...email, attempts: email.attempts + 1 }
  let outcome: SendingOutcome | null
  let isAccepted = false
  try {
    const result = await composeAndSend(transport, email, claimedAt, options)
    if (result !== null && typeof result === 'object') {
      isAccepted = true
      outcome = (await markAccepted(sql, tried, result)) ? 'sent' : null
    } else outcome = result
  } catch (error) {
    // An outage does not count as a try, and the e-mail is due again when its lease ends. A timeout before
    // the hand-over counts as a try, because this e-mail alone may cause it. A timeout after the server
    // accepted the e-mail does not.
    if (isConnectionLost(error) || isRetryable(error) || (isAccepted && isTimeout(error))) throw error
    log.error({ ...about, err: error }, 'an e-mail failed because of an error of the service')
    const seconds = isDataError(error) ? null : secondsUntilRetry(tried.attempts)
    const reason = isDataError(error) ? refusedReason : isTimeout(error) ? slowReason : brokenReason
    outcome = await markFailedTry(sql, tried, seconds, reason)
  }
  if (!outcome) log.warn(about, 'an e-mail was not marked: its lease was lost, or too little of it was left')
  return outcome ?? 'lost'
}

/**
 * Returns the message if the server accepted it; it is not marked yet. Null when nothing was marked, because the lease
 * was lost, or because too little of it was left for a hand-over.
 */
async function composeAndSend(
  transport: MailTransport,
  email: queries.Email,
  claimedAt: number,
  { sql, config, log, renders, handoverMs = handoverLimitMs, composeMs = composeLimitMs }: SendingOptions,
): Promise<SendingOutcome | EmailMessage | null> {
  // The lease must not end before a slow try is counted: the e-mail would be claimed again, and never fail.
  const composing = composeEmail(sql, email, { settings: config, renders })
  const verdict = await within(composeMs + handoverMs, composing, composedTooLate)
  const isSlow = performance.now() - claimedAt > composeMs
  // The rest of the lease would be too short for a hand-over. The queries took the time, so it is a failed try.
  const tried = { ...email, attempts: email.attempts + 1 }
  if (isSlow && verdict.kind === 'message')
    return markFailedTry(sql, tried, secondsUntilRetry(tried.attempts), slowReason)
  // The sender keeps the lease while it waits. So an account with slow templates occupies at most two senders
  // (`maxLeasesPerAccount`), which use no processor time while they wait. After slow queries too little of the lease
  // is left to wait.
  const restMs = isSlow ? 0 : renders.owedMs(email.accountId) - sendingToleranceMs
  if (restMs > 0) await delay(restMs)
  if (verdict.kind !== 'message') return markUnsent(sql, email, verdict, log)
  // After a long pause for the templates of the account, too little of the lease is left. This does not count
  // as a try.
  if (performance.now() - claimedAt > composeLimitMs) return null
  const error = await handOver(transport, verdict.message, handoverMs)
  if (!error) return verdict.message
  const reason = toHeader(error.message)
  const seconds = isRefusal(error) ? null : secondsUntilRetry(tried.attempts)
  // The server's message may contain an address: the operator sees it, but it is not logged.
  log.warn({ email: email.id, kind: email.kind, tries: tried.attempts, final: !seconds }, 'e-mail not sent')
  return markFailedTry(sql, tried, seconds, reason)
}

/** Counts as a timeout of PostgreSQL: most of the time was spent on queries. */
function composedTooLate(): Error {
  return Object.assign(new Error('Composing the e-mail took too long'), { code: '57014' })
}

/** Null when the server accepted the message. */
async function handOver(
  transport: MailTransport,
  message: EmailMessage,
  milliseconds: number,
): Promise<Error | null> {
  const signal = AbortSignal.timeout(milliseconds)
  try {
    await inSpan('send email', { kind: 'client' }, () => transport.send(message, signal))
    return null
  } catch (error) {
    return signal.aborted ? new Error('The server did not accept it in time.') : (error as Error)
  }
}
