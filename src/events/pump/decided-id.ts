/**
 * Finds an event id up to which all ids are decided. An id is decided when the transaction that drew
 * it has ended, by commit or rollback. A check notes the last drawn id and the transactions that write events
 * at that moment. Later checks use this note until all of these transactions have ended; then every id up to
 * the noted id is decided. A check does not wait for transactions that write no events.
 */
import type { Queryable } from '../../platform/postgres/database.ts'
import { listWriters, readLastId } from './queries.ts'

/**
 * Valid for one server and timeline only: after a failover that lost commits, new events draw the ids of lost
 * events again.
 */
export type DecidedId = { id: number; server: string }

/** Returns a function that makes a check and resolves with an id up to which all ids are decided. */
export function createDecidedId(sql: Queryable): () => Promise<DecidedId> {
  let decided: DecidedId = { id: 0, server: '' }
  let noted: { id: number; writers: Set<string> } | null = null
  let last: Promise<unknown> = Promise.resolve()

  async function check(): Promise<DecidedId> {
    // The id is read first, so every transaction that drew an id up to it has ended or is among the writers.
    const { id, server } = await readLastId(sql)
    const writers = await listWriters(sql)
    if (server !== decided.server) {
      decided = { id: 0, server }
      noted = null
    }
    if (writers.length === 0) {
      noted = null
      decided = { id, server }
    } else if (noted && !writers.some((writer) => noted?.writers.has(writer))) {
      decided = { id: noted.id, server }
      noted = null
    }
    if (writers.length > 0) noted ??= { id, writers: new Set(writers) }
    return decided
  }

  // Checks run one at a time, so that the writers of a check are compared only with those of an earlier
  // check.
  return () => {
    const looked = last.then(check)
    last = looked.catch(() => {})
    return looked
  }
}
