/**
 * How scheduled jobs process the accounts: several at once. A failure in the work of one account does not
 * stop the others.
 */
import { groupBy } from '../platform/collections/group-by.ts'
import { isOutOfReach, isTimeout } from '../platform/postgres/errors.ts'

/** The first error of an account, and how many it had. */
export type AccountFailure = { accountId: number; error: unknown; errors: number }

/** Thrown after all accounts were processed, if the work of some of them failed. */
export class AccountsFailed extends Error {
  readonly failures: readonly AccountFailure[]

  constructor(failures: readonly AccountFailure[], accounts: number) {
    super(`the job failed for ${failures.length} of ${accounts} accounts`, { cause: failures[0]?.error })
    this.failures = failures
  }
}

type EachOptions<T> = {
  /**
   * Processes one item, and returns how many rows it processed. Must be safe to repeat, because a later run
   * may repeat it.
   */
  work: (item: T) => Promise<number>
  /**
   * After this time, the remaining items of an account wait for the next run. Its first item always runs.
   * Without a limit, all items run.
   */
  limitMs?: number
}

const accountsAtOnce = 4

/**
 * Processes the items of one account in their order, and several accounts at once. An item that fails does
 * not stop the others, except that a timeout ends the turn of its account.
 * @returns the sum of the results.
 * @throws AccountsFailed after all accounts had their turn; the connection error as soon as PostgreSQL is out
 * of reach.
 */
export async function forEachAccount<T extends { accountId: number }>(
  items: readonly T[],
  { work, limitMs = Number.POSITIVE_INFINITY }: EachOptions<T>,
): Promise<number> {
  const accounts = groupBy(items, 'accountId')
  const failures: AccountFailure[] = []
  const waiting = accounts.entries()
  let done = 0
  let away: { error: unknown } | undefined

  async function takeTurn(accountId: number, pieces: readonly T[]): Promise<void> {
    const errors: unknown[] = []
    const begun = performance.now()
    for (const [index, piece] of pieces.entries()) {
      if (away || (index > 0 && performance.now() - begun >= limitMs)) break
      try {
        const count = await work(piece)
        done += count
      } catch (error) {
        if (isOutOfReach(error) && !isTimeout(error)) {
          away ??= { error }
          break
        }
        errors.push(error)
        if (isTimeout(error)) break
      }
    }
    if (errors.length > 0) failures.push({ accountId, error: errors[0], errors: errors.length })
  }

  const lane = async () => {
    for (const [accountId, pieces] of waiting) await takeTurn(accountId, pieces)
  }
  await Promise.all(Array.from({ length: accountsAtOnce }, lane))
  if (away) throw away.error
  if (failures.length > 0) throw new AccountsFailed(failures, accounts.size)
  return done
}
