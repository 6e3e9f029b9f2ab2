/**
 * Notifies open pages of changes in their account, in any number of processes. While pages are open, a
 * process reads the last numbers of their logs once a second. The transactions that make changes do no extra
 * work.
 */
import type { Sql } from '../../platform/postgres/database.ts'
import { readLastNumbers } from './queries.ts'

type Watcher = { accountId: number; since: string | null; notify: (position: string) => void }

export type ChangeWatch = {
  /**
   * Calls `notify` with the new position when the end of the log differs from the previous position, which is
   * `since` at first. It calls `notify` at most once a second, even for several events. If `since` is null,
   * it also calls `notify` once at the beginning. The returned function stops the watch.
   */
  watch(accountId: number, since: string | null, notify: (position: string) => void): () => void
}

const intervalMs = 1000

/**
 * @param failed called with the first error of an outage of the database, and not with its later errors.
 * After the outage, watchers are notified of the changes during it.
 */
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
      await new Promise((resolve) => setTimeout(resolve, intervalMs))
    }
    running = false
  }

  async function look() {
    const asked = [...watchers]
    const numbers = await readLastNumbers(sql, [...new Set(asked.map(({ accountId }) => accountId))])
    for (const watcher of asked) {
      const position = String(numbers.get(watcher.accountId) ?? 0)
      // After a restore, the position may be lower; that is a change too.
      const hasMoved = watcher.since !== position
      watcher.since = position
      if (hasMoved && watchers.has(watcher)) watcher.notify(position)
    }
  }

  return {
    watch(accountId, since, notify) {
      const watcher = { accountId, since, notify }
      watchers.add(watcher)
      if (!running) void run()
      return () => watchers.delete(watcher)
    },
  }
}
