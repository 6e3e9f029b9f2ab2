/**
 * Runs a use case as one transaction that happens at most once for each idempotency key, and again when the
 * database asks for it. For single requests; what comes in masses claims its keys in batches.
 */

import { tryAgain } from '../async/try-again.ts'
import type { Sql, Transaction } from './database.ts'
import { isConnectionLost, isRetryable } from './errors.ts'
import { answerKeys, type Claim, claimKeys, hashBody } from './idempotency.ts'

export type OnceRequest = {
  operation: string
  accountId: number
  apiKeyId: number
  /** Undefined when the caller gave none: then a retry of the caller's is a new request. */
  idempotencyKey: string | undefined
  /** The parsed body, and whatever else of the request its meaning depends on. */
  body: unknown
  /** The error for a key that stands for another body. */
  reused: () => Error
  /** Whether somebody still waits for the answer. If not, what was done is undone. */
  isAwaited: () => boolean
}

// A booking that others move all the time has moved again at most tries to lock it: three were too few for six users.
const mostTries = 10
// By the end of a try that begins later nobody waits for its answer.
const lastTryMs = 8000

/**
 * The work's answer, committed together with all it did; `replayed` when the key had been answered before. An
 * error of the work undoes everything and gives the key up, so that a retry is a new attempt. A connection that
 * broke, perhaps during COMMIT, is tried again only with a key, which tells what was done; what took too long is not. When the work is done and
 * nobody waits for its answer any more, all of it is undone: its caller cannot tell it from a failure.
 */
export function runOnce<T extends object>(
  sql: Sql,
  request: OnceRequest,
  work: (tx: Transaction) => Promise<T>,
): Promise<{ answer: T; replayed: boolean }> {
  return runInSteps(sql, request, async (tx) => ({ answer: await work(tx), unfinished: false }))
}

/** What a step has added to the answer of those before it, and whether another has to follow. */
export type Step<T> = { answer: T; unfinished: boolean }

/**
 * The same for work that would hold too much in one transaction: each step has one of its own, and is given the answer
 * so far, null at first. An error ends it, as does a client that is gone: what was committed stays. With a key, the answer
 * so far is kept under it, so that a retry goes on from there.
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
    const step: KeptStep<T> = await commitStep(sql, request, claim, (tx) =>
      transact(tx, request, { claim, before: given }, work),
    )
    if (first) replayed = step.replayed
    if (!step.unfinished) return { answer: step.answer, replayed }
    before = step.answer
  }
}

type KeptStep<T> = Step<T> & { replayed: boolean }

async function commitStep<T>(
  sql: Sql,
  { isAwaited }: OnceRequest,
  claim: Claim | null,
  work: (tx: Transaction) => Promise<KeptStep<T>>,
): Promise<KeptStep<T>> {
  const began = performance.now()
  let broken = false
  for (let tried = 1; ; tried++) {
    try {
      const step = (await sql.begin(work)) as KeptStep<T>
      // What an earlier try of ours had committed is not a replay to the caller.
      return { ...step, replayed: step.replayed && !broken }
    } catch (error) {
      const lost = isConnectionLost(error)
      const isFinal = tried === mostTries || !isAwaited() || performance.now() - began > lastTryMs
      if (isFinal || !(isRetryable(error) || (lost && claim))) throw error
      broken ||= lost
    }
  }
}

/** The same without an idempotency key: for what is safe to do again, such as a change to a stated value. */
export function runAgain<T>(sql: Sql, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const began = performance.now()
  return tryAgain(() => sql.begin(work) as Promise<T>, {
    tries: mostTries,
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
): Promise<KeptStep<T>> {
  // It may have waited long for its connection.
  if (!isAwaited()) throw notAwaited()
  let kept: Step<T> | null = null
  if (claim) {
    const [claimed] = await claimKeys(tx, operation, [claim])
    kept = claimed!.response === null ? null : readKept<T>(claimed!.response)
    if (kept && !claimed!.bodyHash.equals(claim.bodyHash)) throw reused()
    if (kept && !kept.unfinished) return { ...kept, replayed: true }
  }
  const step = await work(tx, kept?.answer ?? before)
  if (!isAwaited()) throw notAwaited()
  if (claim) await answerKeys(tx, operation, [{ ...claim, response: toKept(step) }])
  return { ...step, replayed: kept !== null }
}

type KeptUnfinished<T> = { unfinished: T }

/** An answer that is finished is kept as it is. */
function toKept<T extends object>({ answer, unfinished }: Step<T>): T | KeptUnfinished<T> {
  return unfinished ? { unfinished: answer } : answer
}

function readKept<T extends object>(response: unknown): Step<T> {
  const kept = response as T | KeptUnfinished<T>
  return 'unfinished' in kept
    ? { answer: kept.unfinished, unfinished: true }
    : { answer: kept, unfinished: false }
}

/** A code of its own would need a status, and nobody reads the answer. */
function notAwaited(): Error {
  return Object.assign(new Error('The client is gone'), { code: 'ETIMEDOUT' })
}
