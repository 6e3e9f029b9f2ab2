/**
 * Records when each key was last used, with a precision of a few minutes. The time is only shown to users: no
 * code depends on it, and no request waits until it is written.
 */
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { atMost } from '../platform/async/at-most.ts'
import { createLaterWrites } from '../platform/async/write-later.ts'
import type { Sql } from '../platform/postgres/database.ts'
import type { Caller } from './model.ts'
import { touchKeys } from './queries.ts'

export type KeyUse = {
  /** Notes that a key was used. For a key noted in the last 5 minutes, this only reads a map. */
  note(caller: Caller): void
  close(): Promise<void>
}

const notedMs = 5 * 60_000
const gatherSeconds = 5

export function createKeyUse(sql: Sql, log: Logger): KeyUse {
  const noted = new LRUCache<number, true>({ ...atMost(10_000), ttl: notedMs })
  const used = new Map<number, Caller>()
  const writes = createLaterWrites(log, {
    seconds: gatherSeconds,
    async write() {
      const callers = [...used.values()]
      await touchKeys(sql, callers)
      for (const { keyId } of callers) used.delete(keyId)
    },
  })
  return {
    note(caller) {
      if (noted.has(caller.keyId)) return
      noted.set(caller.keyId, true)
      used.set(caller.keyId, caller)
      writes.due()
    },
    close: () => writes.close(),
  }
}
