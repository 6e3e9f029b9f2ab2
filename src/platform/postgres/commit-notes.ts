/**
 * Notes that a write puts on its transaction and that the process reads after the commit, for example that
 * there is work for the worker. A note is lost when the process dies, so it may only speed up work that would
 * be done later anyway.
 */

type Notes = unknown[]
type NoteListener = (notes: readonly unknown[]) => void
/** The part of a pool and of a transaction that this module uses. */
type Pool = { begin(...given: never[]): Promise<unknown> }
type Savepoint = (...given: unknown[]) => Promise<unknown>

const notesKey = Symbol('notes')
type Collecting = { [notesKey]?: Notes; savepoint?: Savepoint }

const listeners = new WeakMap<object, NoteListener>()

/** Puts a note on a transaction, or on one of its savepoints. On anything else the note is dropped. */
export function noteForCommit(tx: object, note: unknown): void {
  const collecting: Collecting = tx
  collecting[notesKey]?.push(note)
}

/** Calls `listener` after each commit of this pool that has notes, before the promise of begin() resolves. */
export function listenForCommits(pool: object, listener: NoteListener): void {
  listeners.set(pool, listener)
}

/** Passes to the pool's listener a note about a statement that ran as a transaction of its own. */
export function reportCommitted(pool: object, note: unknown): void {
  listeners.get(pool)?.([note])
}

/** Makes the transactions of a pool collect notes. openDatabase() does so for every pool. */
export function collectingNotes<P extends Pool>(pool: P): P {
  const begin = pool.begin as (...given: unknown[]) => Promise<unknown>
  return Object.assign(pool, {
    async begin(...given: unknown[]) {
      let notes: Notes = []
      const work = given.pop() as (tx: object) => unknown
      const result = await begin(...given, (tx: object) => {
        notes = []
        collect(tx, notes)
        return work(tx)
      })
      if (notes.length > 0) listeners.get(pool)?.(notes)
      return result
    },
  })
}

function collect(tx: Collecting, notes: Notes): void {
  tx[notesKey] = notes
  const { savepoint } = tx
  if (!savepoint) return
  // The constant matters: if a function literal is assigned directly to a property, V8 allocates it in the
  // old generation, together with everything that it refers to.
  const collecting: Savepoint = (...given) => {
    const work = given.pop() as (point: object) => unknown
    const before = notes.length
    return savepoint(...given, (point: object) => {
      collect(point, notes)
      return work(point)
    }).catch((error) => {
      // A savepoint that is rolled back loses its notes.
      notes.length = before
      throw error
    })
  }
  tx.savepoint = collecting
}
