/**
 * Up to which id events are decided: the transaction that drew the id has ended, so that the event is committed or
 * will never be. Each look notes the last id that was drawn and who writes at that moment; once none of those writes
 * any more, every id up to the noted one is decided. A transaction elsewhere, which writes no events, delays nothing.
 */
import type { Queryable } from '../../platform/postgres/database.ts'
import { listWriters, readLastId } from './queries.ts'

/** Gives a function that looks, and returns the highest id that is known to be decided. */
export function createDecidedId(sql: Queryable): () => Promise<number> {
  let decidedId = 0
  let noted: { id: number; writers: Set<string> } | null = null
  return async () => {
    // In this order: a writer that draws an id later is not among those up to it.
    const id = await readLastId(sql)
    const writers = await listWriters(sql)
    if (writers.length === 0) {
      noted = null
      decidedId = id
      return decidedId
    }
    if (noted && !writers.some((writer) => noted?.writers.has(writer))) {
      decidedId = noted.id
      noted = null
    }
    noted ??= { id, writers: new Set(writers) }
    return decidedId
  }
}
