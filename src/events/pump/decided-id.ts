/**
 * Finds the highest id up to which all events are decided: each transaction that drew such an id has ended,
 * so its event is committed or never will be. Each check notes the last drawn id and the transactions that
 * write at that moment. When all of these have ended, every id up to the noted one is decided. A transaction
 * that writes no events delays nothing.
 */
import type { Queryable } from '../../platform/postgres/database.ts'
import { listWriters, readLastId } from './queries.ts'

/**
 * Valid for one server and timeline only: after a failover that loses commits, the ids of lost events are
 * drawn again.
 */
export type DecidedId = { id: number; server: string }

/** Returns a function that checks, and returns the highest id that is known to be decided. */
export function createDecidedId(sql: Queryable): () => Promise<DecidedId> {
  let decided: DecidedId = { id: 0, server: '' }
  let noted: { id: number; writers: Set<string> } | null = null
  let last: Promise<unknown> = Promise.resolve()

  async function look(): Promise<DecidedId> {
    // In this order: a writer that draws an id later is not among those up to it.
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

  // One check at a time: writers are compared with those of an earlier check, never of a later one.
  return () => {
    const looked = last.then(look)
    last = looked.catch(() => {})
    return looked
  }
}
