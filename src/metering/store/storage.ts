/**
 * Stores accepted entries and adds them to the totals. All entries come through this module: from the queue,
 * directly from a web process, or from an event of the log. Storing the same entry again, or twice at once,
 * changes nothing.
 */
import { noteAppended, reportAppended } from '../../events/append.ts'
import type { Queryable, Sql } from '../../platform/postgres/database.ts'
import {
  isConnectionLost,
  isDataError,
  isPartitionMissing,
  isRetryable,
  isTaken,
} from '../../platform/postgres/errors.ts'
import { type Entry, monthsOf } from '../model.ts'
import { crossingEvents } from '../thresholds/model.ts'
import { insertEntries, insertReject, makePartitions } from './queries.ts'

const mostTries = 5

/**
 * When it resolves, every entry is either stored and in the totals, or in usage_rejects with the reason of
 * the database.
 * @returns how many were new.
 * @throws when PostgreSQL is out of reach; some may have been stored, and the caller must pass all of them
 * again.
 */
export async function storeEntries(sql: Sql, entries: readonly Entry[]): Promise<number> {
  if (entries.length === 0) return 0
  try {
    return await storeAll(sql, entries)
  } catch (error) {
    if (!isDataError(error)) throw error
    if (entries.length > 1) {
      const half = entries.length >> 1
      const first = await storeEntries(sql, entries.slice(0, half))
      return first + (await storeEntries(sql, entries.slice(half)))
    }
    await insertReject(sql, entries[0]!, (error as Error).message)
    return 0
  }
}

/**
 * All or nothing. The first try assumes that all entries are new, as they nearly always are. After a lost
 * connection, perhaps during COMMIT, it tries once more.
 */
async function storeAll(sql: Sql, entries: readonly Entry[]): Promise<number> {
  for (let tried = 1; ; tried++) {
    try {
      const { stored, crossedIn } = await insertEntries(sql, entries, { skipStored: tried > 1 })
      if (crossedIn.length > 0) reportAppended(sql, crossingEvents(crossedIn))
      return stored
    } catch (error) {
      if (isPartitionMissing(error) && tried === 1) await makePartitions(sql, monthsOf(entries))
      else if (isTaken(error) && tried === 1) continue
      else if (!isRetryable(error) && !(isConnectionLost(error) && tried === 1)) throw error
      else if (tried >= mostTries) throw error
    }
  }
}

/**
 * The same inside a transaction of the caller, for a few entries. An entry that the database rejects is set
 * aside alone.
 */
export async function storeWithin(tx: Savepoints, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return
  try {
    await insertWithin(tx, entries)
  } catch (error) {
    if (!isDataError(error)) throw error
    if (entries.length === 1) await insertReject(tx, entries[0]!, (error as Error).message)
    else for (const entry of entries) await storeWithin(tx, [entry])
  }
}

/** Makes partitions only when one is missing, because that takes a lock until the commit. */
async function insertWithin(tx: Savepoints, entries: readonly Entry[]): Promise<void> {
  try {
    await tx.savepoint((point) => insertNoting(point, entries, { skipStored: false }))
  } catch (error) {
    const isMissing = isPartitionMissing(error)
    if (!isMissing && !isTaken(error)) throw error
    await tx.savepoint(async (point) => {
      if (isMissing) await makePartitions(point, monthsOf(entries))
      await insertNoting(point, entries, { skipStored: true })
    })
  }
}

/** insertEntries() inside a transaction, with a note of the events that it wrote. */
export async function insertNoting(
  point: Queryable,
  entries: readonly Entry[],
  options: { skipStored: boolean },
): Promise<void> {
  const { crossedIn } = await insertEntries(point, entries, options)
  noteAppended(point, crossingEvents(crossedIn))
}

type Savepoints = Queryable & { savepoint<T>(work: (point: Queryable) => Promise<T>): Promise<unknown> }
