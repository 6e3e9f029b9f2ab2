/**
 * Notes that are left on a transaction and read once it is committed: how a write tells its process what it did,
 * such as that there is work for a worker. A note is lost when the process dies, so it may only speed things up.
 */

type Notes = unknown[]
type NoteListener = (notes: readonly unknown[]) => void
/** The part of a pool and of a transaction that is used here. */
type Pool = { begin(...given: never[]): Promise<unknown> }
type Savepoint = (...given: unknown[]) => Promise<unknown>

const left = Symbol('notes')
type Collecting = { [left]?: Notes; savepoint?: Savepoint }

const listeners = new WeakMap<object, NoteListener>()

/** Leaves a note on a transaction, or on a savepoint of it. On anything else the note is dropped. */
export function noteForCommit(tx: object, note: unknown): void {
  const collecting: Collecting = tx
  collecting[left]?.push(note)
}

/** Calls `listener` after each commit of this pool that has notes, before the caller of begin() goes on. */
export function listenForCommits(pool: object, listener: NoteListener): void {
  listeners.set(pool, listener)
}

/** Tells the listener of a pool what a statement has done that was a transaction by itself. */
export function tellCommitted(pool: object, note: unknown): void {
  listeners.get(pool)?.([note])
}

/** Has the transactions of a pool collect notes. Every pool that openDatabase() gives does. */
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
  tx[left] = notes
  const { savepoint } = tx
  if (!savepoint) return
  // A constant first: V8 allocates a function that is assigned to a property as old, and all that it holds stays.
  const collecting: Savepoint = (...given) => {
    const work = given.pop() as (point: object) => unknown
    const before = notes.length
    return savepoint(...given, (point: object) => {
      collect(point, notes)
      return work(point)
    }).catch((error) => {
      // What a savepoint undoes takes its notes with it.
      notes.length = before
      throw error
    })
  }
  tx.savepoint = collecting
}
