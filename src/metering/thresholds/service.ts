/** Use cases of thresholds: to set and remove them, and to compare them with totals. */
import { forEachAccount } from '../../accounts/each-account.ts'
import { lockAccount } from '../../accounts/service.ts'
import { noteAppended } from '../../events/append.ts'
import { problems } from '../../http/problems.ts'
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import { runAgain } from '../../platform/postgres/run-once.ts'
import { crossingEvents, maxThresholds } from './model.ts'
import * as queries from './queries.ts'

export { listThresholds, type ThresholdRow } from './queries.ts'

/**
 * Sets a threshold. If the current total has reached it already, it is crossed at once.
 * @throws Problem threshold-exists; account-limit-reached.
 */
export async function setThreshold(
  tx: Transaction,
  accountId: number,
  input: queries.ThresholdInput,
): Promise<queries.ThresholdRow> {
  // If two requests set thresholds at the same time, the lock makes the second request count both.
  await lockAccount(tx, accountId)
  const { id, isNew } = await queries.insertThreshold(tx, accountId, input)
  if (!isNew) throw problems.thresholdExists(id)
  if ((await queries.countThresholds(tx, accountId)) > maxThresholds)
    throw problems.accountLimitReached('thresholds', maxThresholds)
  await checkThresholds(tx, accountId)
  return (await queries.findThreshold(tx, accountId, id))!
}

/** Returns the removed threshold. @throws Problem not-found. */
export async function removeThreshold(
  tx: Transaction,
  accountId: number,
  id: number,
): Promise<queries.ThresholdRow> {
  const existing = await queries.findThreshold(tx, accountId, id)
  if (!existing) throw problems.thresholdNotFound()
  await queries.deleteThreshold(tx, accountId, id)
  return existing
}

/**
 * Compares an account's thresholds with its current totals, and writes the missing crossings. A crossing can be
 * missing because the threshold is new, because a repair changed the totals, or because an earlier version of the
 * service stored the usage. Returns how many were missing.
 */
export async function checkThresholds(tx: Transaction, accountId: number): Promise<number> {
  if ((await queries.lockOverall(tx, accountId)) > 0) await queries.recountOverall(tx, accountId)
  const crossed = await queries.insertMissingCrossings(tx, accountId)
  if (crossed > 0) noteAppended(tx, crossingEvents([accountId]))
  return crossed
}

/**
 * Runs checkThresholds() for every account that has thresholds, and returns how many crossings were missing.
 * @throws as forEachAccount().
 */
export async function checkAllThresholds(sql: Sql): Promise<number> {
  const accounts = await queries.listWatchedAccounts(sql)
  return forEachAccount(
    accounts.map((accountId) => ({ accountId })),
    { work: ({ accountId }) => runAgain(sql, (tx) => checkThresholds(tx, accountId)) },
  )
}
