/** Writing to the log. src/events/pump numbers what was written, and hands it on. */
import { noteForCommit, tellCommitted } from '../platform/postgres/commit-notes.ts'
import type { Queryable, Sql, Transaction } from '../platform/postgres/database.ts'
import type { NewEvent } from './event.ts'
import { insertEvents } from './queries.ts'

/** What a process learns of an event that one of its own transactions has committed. */
export type CommittedEvent = Pick<NewEvent, 'accountId' | 'type' | 'actor'>

// An import makes 100,000 timeslots: events go in statements of a size that a connection bears.
const eventsAtOnce = 5000

type EventNote = { events: readonly CommittedEvent[] }

/**
 * Appends events of any number of accounts, in this order, as part of the transaction that causes them. After the
 * commit, eventsAmong() gives them from its notes.
 */
export async function appendEvents(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  noteForCommit(tx, { events } satisfies EventNote)
  for (let start = 0; start < events.length; start += eventsAtOnce)
    await insertEvents(tx, events.slice(start, start + eventsAtOnce))
}

/** Notes events that a statement of a larger transaction has written itself. */
export function noteAppended(tx: Queryable, events: readonly CommittedEvent[]): void {
  if (events.length > 0) noteForCommit(tx, { events } satisfies EventNote)
}

/** Tells of events that a statement has written which was a transaction by itself, on this pool. */
export function tellAppended(pool: Sql, events: readonly CommittedEvent[]): void {
  tellCommitted(pool, { events } satisfies EventNote)
}

/** The events among the notes of a committed transaction. */
export function eventsAmong(notes: readonly unknown[]): CommittedEvent[] {
  return notes.flatMap((note) => (note as Partial<EventNote>).events ?? [])
}
