/**
 * Stores accepted entries and adds them to the totals. All entries come through this module: from the queue,
 * directly from a web process, from an event of the log, or from the rejected entries when they are retried.
 * Storing the same entry again, or twice at once, changes nothing.
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

const maxTries = 5

/**
 * When it resolves, every entry is either stored and in the totals, or in usage_rejects with the error of the database.
 * @returns how many entries were new.
 * @throws if PostgreSQL is out of reach, or if conflicts persist. Some entries may have been stored. The caller must
 * pass all entries again.
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
 * Stores all entries or none. The first try assumes that all entries are new, which is nearly always true.
 * After a conflict, it tries again, up to five times in total. It also tries again if the first try found no
 * partition, which it then makes, or lost its connection, perhaps during COMMIT.
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
      else if (tried >= maxTries) throw error
    }
  }
}

/**
 * Stores a few entries like storeEntries(), but inside a transaction of the caller. Only an entry that the database
 * rejects goes to usage_rejects; the others are stored.
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

/** Makes partitions only if one is missing, because making one takes a lock until the commit. */
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
