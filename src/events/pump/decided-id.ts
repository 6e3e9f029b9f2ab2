/**
 * Up to which id events are decided: the transaction that drew the id has ended, so that the event is committed or
 * will never be. Each look notes the last id that was drawn and who writes at that moment; once none of those writes
 * any more, every id up to the noted one is decided. A transaction elsewhere, which writes no events, delays nothing.
 */
import type { Queryable } from '../../platform/postgres/database.ts'
import { listWriters, readLastId } from './queries.ts'

/** Holds for one server and timeline only: a failover that loses commits draws the ids of lost events again. */
export type DecidedId = { id: number; server: string }

/** Gives a function that looks, and returns the highest id that is known to be decided. */
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

  // One after the other: writers are compared with those of an earlier look, never of a later one.
  return () => {
    const looked = last.then(look)
    last = looked.catch(() => {})
    return looked
  }
}
