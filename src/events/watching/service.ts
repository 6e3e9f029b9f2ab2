/**
 * Telling open pages that bookings or occupancy of their account changed, in any number of processes: each asks the
 * database once a second, and only while somebody watches. Nothing is added to the transactions that change things.
 */
import { isDataError, type Sql } from '../../platform/postgres/database.ts'
import { findChangedAccounts, readPosition, type WatchedAccount } from './queries.ts'

type Watcher = { accountId: number; since: string | null; tell: (position: string) => void }

export type ChangeWatch = {
  /**
   * Calls `tell` soon after whatever is committed behind the position `since`, once for all there was, with the
   * position to come back with; without a position, or with one that is none, once at the beginning. Ends with the
   * function that it gives.
   */
  watch(accountId: number, since: string | null, tell: (position: string) => void): Promise<() => void>
}

const intervalMilliseconds = 1000

/** @param failed is told of the first of several failures; what was missed meanwhile is told after them. */
export function createChangeWatch(sql: Sql, failed: (error: unknown) => void): ChangeWatch {
  const watchers = new Set<Watcher>()
  let running = false

  async function run() {
    running = true
    for (let failing = false; watchers.size > 0; ) {
      try {
        await look()
        failing = false
      } catch (error) {
        if (!failing) failed(error)
        failing = true
      }
      await new Promise((resolve) => setTimeout(resolve, intervalMilliseconds))
    }
    running = false
  }

  async function look() {
    const asked = [...watchers]
    const { position, changed } = await findChangedAccounts(sql, distinct(asked))
    for (const watcher of asked) {
      const isTold = watcher.since === null || changed.has(watcher.accountId)
      watcher.since = position
      if (isTold && watchers.has(watcher)) watcher.tell(position)
    }
  }

  return {
    async watch(accountId, since, tell) {
      const watcher = { accountId, since: since === null ? null : await parse(sql, since), tell }
      watchers.add(watcher)
      if (!running) void run()
      return () => watchers.delete(watcher)
    },
  }
}

/** Those who watch one account have the same position, but for newcomers. */
function distinct(watchers: Watcher[]): WatchedAccount[] {
  const known = new Map<string, WatchedAccount>()
  for (const { accountId, since } of watchers) {
    if (since !== null) known.set(`${accountId} ${since}`, { accountId, since })
  }
  return [...known.values()]
}

async function parse(sql: Sql, since: string): Promise<string | null> {
  try {
    return await readPosition(sql, since)
  } catch (error) {
    if (isDataError(error)) return null
    throw error
  }
}
