/**
 * Runs a use case as one transaction that happens at most once for each idempotency key, and again when the
 * database asks for it. For single requests; what comes in masses claims its keys in batches.
 */

import { tryAgain } from '../async/try-again.ts'
import { isConnectionLost, isRetryable, type Sql, type Transaction } from './database.ts'
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
}

const mostTries = 3
// By the end of a try that begins later nobody waits for its answer.
const lastTryMilliseconds = 8000

/**
 * The work's answer, committed together with all it did; `replayed` when the key had been answered before. An
 * error of the work undoes everything and gives the key up, so that a retry is a new attempt. A connection that
 * broke, perhaps during COMMIT, is tried again only with a key, which tells what was done; what took too long is not.
 */
export async function runOnce<T extends object>(
  sql: Sql,
  request: OnceRequest,
  work: (tx: Transaction) => Promise<T>,
): Promise<{ answer: T; replayed: boolean }> {
  const claim = toClaim(request)
  const began = performance.now()
  let broken = false
  for (let tried = 1; ; tried++) {
    try {
      const { answer, replayed } = await sql.begin((tx) => transact(tx, request, claim, work))
      // What an earlier try of ours had committed is not a replay to the caller.
      return { answer, replayed: replayed && !broken }
    } catch (error) {
      const lost = isConnectionLost(error)
      const late = performance.now() - began > lastTryMilliseconds
      if (tried === mostTries || late || !(isRetryable(error) || (lost && claim))) throw error
      broken ||= lost
    }
  }
}

/** The same without an idempotency key: for what is safe to do again, such as a change to a stated value. */
export function runAgain<T>(sql: Sql, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return tryAgain(() => sql.begin(work) as Promise<T>, { tries: mostTries, when: isRetryable })
}

function toClaim({ accountId, apiKeyId, idempotencyKey, body }: OnceRequest): Claim | null {
  return idempotencyKey === undefined
    ? null
    : { accountId, apiKeyId, key: idempotencyKey, bodyHash: hashBody(body) }
}

async function transact<T extends object>(
  tx: Transaction,
  { operation, reused }: OnceRequest,
  claim: Claim | null,
  work: (tx: Transaction) => Promise<T>,
): Promise<{ answer: T; replayed: boolean }> {
  if (!claim) return { answer: await work(tx), replayed: false }
  const [claimed] = await claimKeys(tx, operation, [claim])
  if (claimed!.response !== null) {
    if (!claimed!.bodyHash.equals(claim.bodyHash)) throw reused()
    return { answer: claimed!.response as T, replayed: true }
  }
  const answer = await work(tx)
  await answerKeys(tx, operation, [{ ...claim, response: answer }])
  return { answer, replayed: false }
}
