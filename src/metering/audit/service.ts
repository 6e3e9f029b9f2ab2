/**
 * Maintenance of usage: audits and repairs of totals, pruning of old entries, and retries of rejected
 * entries.
 */
import type { Logger } from 'pino'
import { upsertAudit } from '../../accounts/audits/service.ts'
import { forEachAccount } from '../../accounts/each-account.ts'
import { listAccounts } from '../../accounts/service.ts'
import { tryAgain } from '../../platform/async/try-again.ts'
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import { isDataError, isLockTimeout, isRetryable } from '../../platform/postgres/errors.ts'
import { type Days, type Entry, monthsOf } from '../model.ts'
import { insertReject, makePartitions } from '../store/queries.ts'
import { insertNoting } from '../store/storage.ts'
import { checkThresholds } from '../thresholds/service.ts'
import * as queries from './queries.ts'
import * as rejects from './reject-queries.ts'

export type { TotalDifference } from './queries.ts'
export { countRejects, listRejects, type RejectRow } from './reject-queries.ts'

/**
 * The totals of days that differ from their entries, and the totals of months that differ from their days. Entries can
 * be stored at the same time.
 */
export const auditUsage = queries.listTotalDifferences

/**
 * The most wrong totals that one transaction repairs, besides the totals of their months. Workers that store entries
 * of these totals wait for its commit.
 */
const repairedAtOnce = 200

/**
 * Computes these totals again from the entries and from the sums of pruned entries. Entries can be stored
 * meanwhile. Each transaction repairs some days and their months, so that days and months stay consistent.
 * After an error, the next audit finds the totals that are still wrong.
 */
export async function repairTotals(
  sql: Sql,
  accountId: number,
  differences: queries.TotalDifference[],
): Promise<void> {
  const inTurn = differences.toSorted((a, b) => compareText(monthOf(a), monthOf(b)))
  for (let first = 0; first < inTurn.length; first += repairedAtOnce)
    await repairSome(sql, accountId, inTurn.slice(first, first + repairedAtOnce))
}

/** The order of locks is the same everywhere: entries, days, months, thresholds, each in key order. */
async function repairSome(
  sql: Sql,
  accountId: number,
  differences: queries.TotalDifference[],
): Promise<void> {
  const days = differences.filter(({ kind }) => kind === 'day')
  const months = new Map(
    differences.map((found) => [
      `${monthOf(found)} ${found.meter}`,
      { meter: found.meter, day: monthOf(found) },
    ]),
  )
  await runWithRetries(sql, async (tx) => {
    await queries.blockPrunes(tx)
    await queries.lockDailyTotals(tx, accountId, days)
    await queries.recountDays(tx, accountId, days)
    await queries.lockMonthlyTotals(tx, accountId, [...months.values()])
    await queries.recountMonths(tx, accountId, [...months.values()])
    await checkThresholds(tx, accountId)
  })
}

/** The first day of the month of a wrong total. */
function monthOf({ day }: queries.TotalDifference): string {
  return `${day.slice(0, 7)}-01`
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

const maxTries = 5

/** Runs a prune or a repair in a transaction, and retries it after a conflict or a lock timeout. */
function runWithRetries<T>(sql: Sql, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const when = (error: unknown) => isRetryable(error) || isLockTimeout(error)
  return tryAgain(() => sql.begin(work) as Promise<T>, { tries: maxTries, when })
}

/**
 * Audits the totals of every live account for today (UTC), the `days` days before, and tomorrow, which has
 * begun in some time zones, and for every other day that has an entry which was accepted in this time.
 * @returns how many totals are wrong. Each of them is logged.
 * @throws as forEachAccount().
 */
export async function auditLastDays(sql: Sql, days: number, log: Logger): Promise<number> {
  const now = Date.now()
  const since = now - days * dayMs
  const last = Array.from({ length: days + 2 }, (_, index) => isoDay(since + index * dayMs))
  const accounts = (await listAccounts(sql)).map(({ id, slug }) => ({ accountId: id, slug }))
  return forEachAccount(accounts, {
    async work({ accountId, slug }) {
      const touched = await queries.listTouchedDays(sql, accountId, since)
      const differences = new Map<string, queries.TotalDifference>()
      // Audits each day separately, because a statement for all days of a large account would exceed the timeout.
      // A wrong total of a month is found once for each of its days; the map contains it once.
      for (const day of new Set([...last, ...touched])) {
        for (const found of await auditUsage(sql, accountId, { from: day, to: day } satisfies Days))
          differences.set(`${found.kind} ${found.day} ${found.meter}`, found)
      }
      for (const found of differences.values()) log.error({ account: slug, ...found }, 'usage total is wrong')
      await upsertAudit(sql, accountId, 'usage-totals', differences.size)
      return differences.size
    },
  })
}

const dayMs = 86_400_000

function isoDay(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10)
}

/**
 * The age in days that entries must have before they are dropped. At this age, no retry and no job can store
 * them again.
 */
export const pruneAfterDays = 35

/** How many rejected entries are read at once. */
const rejectsAtOnce = 1000

/**
 * All entries that were rejected before this call, in the order of their keys. Entries that are rejected meanwhile are
 * left out, so that the caller's loop ends even if entries are rejected all the time.
 */
async function* readRejects(sql: Sql): AsyncGenerator<rejects.RejectRow> {
  const until = await rejects.readClock(sql)
  let after = rejects.beforeAllRejects
  for (;;) {
    const page = await rejects.listRejectsAfter(sql, { after, until, limit: rejectsAtOnce })
    yield* page
    if (page.length < rejectsAtOnce) return
    after = page.at(-1)!
  }
}

export type Pruned = { month: string; entries: number }

/** A refused request to prune. The message is for the user. */
export class PruneError extends Error {}

/**
 * Drops the entries accepted in the months before `before` (the first day of a month, UTC). Each month is
 * dropped in a transaction of its own. Totals do not change, and audits still agree with them.
 * @throws PruneError if the last of these months ended less than 35 days ago, or if rejected entries were
 *   accepted in these months: without the partition of their month they could never be stored.
 */
export async function pruneEntries(sql: Sql, before: string): Promise<Pruned[]> {
  if (!(await queries.isOlderThan(sql, before, pruneAfterDays)))
    throw new PruneError(`entries are kept for ${pruneAfterDays} days after the month they were accepted in`)
  const months = await queries.listPartitions(sql, before)
  let lost = 0
  for await (const { entry } of readRejects(sql))
    if (months.includes(monthsOf([JSON.parse(entry) as Entry])[0]!)) lost++
  if (lost > 0)
    throw new PruneError(
      `${lost} rejected ${lost === 1 ? 'entry was' : 'entries were'} accepted in these months: run usage rejects retry first`,
    )
  const pruned: Pruned[] = []
  for (const month of months) {
    pruned.push({ month, entries: await runWithRetries(sql, (tx) => queries.dropPartition(tx, month)) })
  }
  return pruned
}

/**
 * Tries rejected entries once more. One transaction for each entry stores it and deletes it from the rejects, so if the
 * process dies, the next retry finds the entries that are not stored yet.
 * @param only retries the `most` oldest rejected entries of one account; without it, all entries of all accounts.
 * @returns how many were stored, and how many are still refused.
 */
export async function retryRejects(
  sql: Sql,
  only?: { accountId: number; most: number },
): Promise<{ stored: number; refused: number }> {
  const counts = { stored: 0, refused: 0 }
  const found = only ? await rejects.listRejects(sql, only.most, only.accountId) : readRejects(sql)
  for await (const { accountId, id } of found) {
    const stored = await retryReject(sql, accountId, id)
    if (stored !== null) counts[stored ? 'stored' : 'refused']++
  }
  return counts
}

function retryReject(sql: Sql, accountId: number, id: number): Promise<boolean | null> {
  return sql.begin(async (tx) => {
    const reject = await rejects.lockReject(tx, accountId, id)
    if (!reject) return null
    const entry = JSON.parse(reject.entry) as Entry
    try {
      await tx.savepoint(async (point) => {
        await makePartitions(point, monthsOf([entry]))
        await insertNoting(point, [entry], { skipStored: true })
      })
      await rejects.deleteReject(tx, accountId, id)
      return true
    } catch (error) {
      if (!isDataError(error)) throw error
      await insertReject(tx, entry, (error as Error).message)
      return false
    }
  })
}
