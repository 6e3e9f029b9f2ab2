/**
 * Runs a use case as one transaction, at most once for each idempotency key, and retries conflicts. For
 * single requests; requests in batches claim their keys in batches.
 */

import { tryAgain } from '../async/try-again.ts'
import type { Sql, Transaction } from './database.ts'
import { isConnectionLost, isRetryable } from './errors.ts'
import { type Claim, claimKeys, hashBody, storeResponses } from './idempotency.ts'

export type OnceRequest = {
  operation: string
  accountId: number
  apiKeyId: number
  /** Undefined when the caller sent none: then a retry is a new request. */
  idempotencyKey: string | undefined
  /**
   * The body that the idempotency key is bound to, with anything else of the request that changes its
   * meaning.
   */
  body: unknown
  /** The error when the key was used with another body. */
  reused: () => Error
  /** Whether a client still waits for the response. If not, the work is rolled back. */
  isAwaited: () => boolean
}

// When several users keep changing a booking, it changes before most tries lock it. Three tries were too few
// for six users.
const maxTries = 10
// After this time no further try begins, because it would end when no client waits any more.
const lastTryMs = 8000

/**
 * Commits the work and its response together, and returns the response; `replayed` when the key already had
 * one. An error rolls everything back and gives the key up, so a retry is a new attempt. After a lost
 * connection, perhaps during COMMIT, only work with a key is tried again, because the key shows whether it
 * was committed. A timeout is not tried again. If no client waits when the work is done, it is rolled back:
 * to the client it is a failure in any case.
 */
export function runOnce<T extends object>(
  sql: Sql,
  request: OnceRequest,
  work: (tx: Transaction) => Promise<T>,
): Promise<{ answer: T; replayed: boolean }> {
  return runInSteps(sql, request, async (tx) => ({ answer: await work(tx), unfinished: false }))
}

/** The response up to and including this step, and whether another step must follow. */
export type Step<T> = { answer: T; unfinished: boolean }

/**
 * Like runOnce(), for work that is too large for one transaction. Each step has its own transaction and gets
 * the response of the steps before, null at first. If a step fails or the client disconnects, the work ends,
 * and committed steps stay. With a key, each step stores its response, so that a retry continues from there.
 */
export async function runInSteps<T extends object>(
  sql: Sql,
  request: OnceRequest,
  work: (tx: Transaction, before: T | null) => Promise<Step<T>>,
): Promise<{ answer: T; replayed: boolean }> {
  const claim = toClaim(request)
  let before: T | null = null
  for (let replayed = false, first = true; ; first = false) {
    const given: T | null = before
    const step: StoredStep<T> = await commitStep(sql, request, claim, (tx) =>
      transact(tx, request, { claim, before: given }, work),
    )
    if (first) replayed = step.replayed
    if (!step.unfinished) return { answer: step.answer, replayed }
    before = step.answer
  }
}

type StoredStep<T> = Step<T> & { replayed: boolean }

async function commitStep<T>(
  sql: Sql,
  { isAwaited }: OnceRequest,
  claim: Claim | null,
  work: (tx: Transaction) => Promise<StoredStep<T>>,
): Promise<StoredStep<T>> {
  const began = performance.now()
  let broken = false
  for (let tried = 1; ; tried++) {
    try {
      const step = (await sql.begin(work)) as StoredStep<T>
      // If an earlier try of this call was committed, the response is new to the caller, and not a replay.
      return { ...step, replayed: step.replayed && !broken }
    } catch (error) {
      const lost = isConnectionLost(error)
      const isFinal = tried === maxTries || !isAwaited() || performance.now() - began > lastTryMs
      if (isFinal || !(isRetryable(error) || (lost && claim))) throw error
      broken ||= lost
    }
  }
}

/** Runs work in a transaction without an idempotency key, and retries conflicts. For work that may be repeated. */
export function runAgain<T>(sql: Sql, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const began = performance.now()
  return tryAgain(() => sql.begin(work) as Promise<T>, {
    tries: maxTries,
    when: (error) => isRetryable(error) && performance.now() - began <= lastTryMs,
  })
}

function toClaim({ accountId, apiKeyId, idempotencyKey, body }: OnceRequest): Claim | null {
  return idempotencyKey === undefined
    ? null
    : { accountId, apiKeyId, key: idempotencyKey, bodyHash: hashBody(body) }
}

async function transact<T extends object>(
  tx: Transaction,
  { operation, reused, isAwaited }: OnceRequest,
  { claim, before }: { claim: Claim | null; before: T | null },
  work: (tx: Transaction, before: T | null) => Promise<Step<T>>,
): Promise<StoredStep<T>> {
  // The work may have waited long for its connection.
  if (!isAwaited()) throw notAwaited()
  let kept: Step<T> | null = null
  if (claim) {
    const [claimed] = await claimKeys(tx, operation, [claim])
    kept = claimed!.response === null ? null : readStored<T>(claimed!.response)
    if (kept && !claimed!.bodyHash.equals(claim.bodyHash)) throw reused()
    if (kept && !kept.unfinished) return { ...kept, replayed: true }
  }
  const step = await work(tx, kept?.answer ?? before)
  if (!isAwaited()) throw notAwaited()
  if (claim) await storeResponses(tx, operation, [{ ...claim, response: toStored(step) }])
  return { ...step, replayed: kept !== null }
}

type StoredUnfinished<T> = { unfinished: T }

/** A finished response is stored as it is. */
function toStored<T extends object>({ answer, unfinished }: Step<T>): T | StoredUnfinished<T> {
  return unfinished ? { unfinished: answer } : answer
}

function readStored<T extends object>(response: unknown): Step<T> {
  const kept = response as T | StoredUnfinished<T>
  return 'unfinished' in kept
    ? { answer: kept.unfinished, unfinished: true }
    : { answer: kept, unfinished: false }
}

/** Uses the code of a timeout: the client has disconnected, so nobody reads the response. */
function notAwaited(): Error {
  return Object.assign(new Error('The client is gone'), { code: 'ETIMEDOUT' })
}
