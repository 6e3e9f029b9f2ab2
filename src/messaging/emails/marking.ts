/** Stores the outcome of a claimed e-mail, as long as its lease is held. */
import type { Logger } from 'pino'
import { isTestAccount } from '../../accounts/model.ts'
import { theService } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { tryAgain } from '../../platform/async/try-again.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { isRetryable, isTimeout } from '../../platform/postgres/errors.ts'
import type { ComposeResult } from './composing.ts'
import * as queries from './lease-queries.ts'
import { type EmailMessage, toHeader } from './model.ts'

/** What became of a claimed e-mail; `lost` if its lease had ended before it was marked. */
export const outcomes = ['sent', 'retried', 'failed', 'dropped', 'waiting', 'lost'] as const
export type SendingOutcome = (typeof outcomes)[number]

const waitSeconds = 300

/**
 * Marks an e-mail after a failed try. It is tried again after `seconds`; if `seconds` is null, it is marked as
 * failed. Returns null when the lease was lost.
 */
export async function markFailedTry(
  sql: Sql,
  tried: queries.Email,
  seconds: number | null,
  reason: string,
): Promise<SendingOutcome | null> {
  if (seconds === null) return (await queries.markEnded(sql, tried, 'failed', reason)) ? 'failed' : null
  return (await queries.postpone(sql, tried, seconds, reason)) ? 'retried' : null
}

/**
 * Marks an e-mail that is not handed over: it waits, is due at another time, is dropped or fails. Returns
 * null when the lease was lost.
 */
export async function markUnsent(
  sql: Sql,
  email: queries.Email,
  { kind, reason: text }: Exclude<ComposeResult, { kind: 'message' }>,
  log: Logger,
): Promise<SendingOutcome | null> {
  const reason = toHeader(text)
  if (kind === 'wait') {
    log.warn({ email: email.id, kind: email.kind, reason }, 'e-mail waits')
    return (await queries.postpone(sql, email, waitSeconds, reason)) ? 'waiting' : null
  }
  if (kind === 'fail') {
    log.warn({ email: email.id, kind: email.kind }, 'e-mail cannot be written')
    return (await queries.markEnded(sql, email, 'failed', reason)) ? 'failed' : null
  }
  const isMarked =
    kind === 'reschedule'
      ? await queries.reschedule(sql, email, reason)
      : await queries.markEnded(sql, email, 'dropped', reason)
  return isMarked ? 'dropped' : null
}

/**
 * Marks an e-mail that the server accepted, and appends its event. It retries after a timeout or a conflict,
 * because an e-mail that is not marked would be sent twice. Returns false when the lease was lost.
 */
export function markAccepted(sql: Sql, email: queries.Email, message: EmailMessage): Promise<boolean> {
  const when = (error: unknown) => isTimeout(error) || isRetryable(error)
  return tryAgain(() => markSent(sql, email, message), { tries: 3, when, pauseMs: 1000 })
}

function markSent(
  sql: Sql,
  email: queries.Email,
  { subject: Subject, text: Text }: EmailMessage,
): Promise<boolean> {
  const testMessage = isTestAccount(email.accountId) ? { Subject, Text } : null
  return sql.begin(async (tx) => {
    if (!(await queries.markSent(tx, email, { subject: Subject, testMessage }))) return false
    const { accountId, id: emailId, kind, waitlistEntryId, bookingId } = email
    const subject = { emailId, ...(waitlistEntryId !== null && { waitlistEntryId }) }
    const details = { Kind: kind, ...(bookingId !== null && { BookingID: bookingId }) }
    await appendEvents(tx, [{ accountId, actor: theService, ...subject, type: 'email.sent', details }])
    return true
  })
}
