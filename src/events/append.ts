/** Writes to the log. src/events/pump numbers the events and passes them on. */
import { noteForCommit, reportCommitted } from '../platform/postgres/commit-notes.ts'
import type { Queryable, Sql, Transaction } from '../platform/postgres/database.ts'
import type { NewEvent } from './event.ts'
import { insertEvents } from './queries.ts'

/** The fields of an event that reportCommitted() and noteForCommit() pass on after the commit. */
export type CommittedEvent = Pick<NewEvent, 'accountId' | 'type' | 'actor'>

// The maximum number of events in one statement. The limit is needed because an import can append 100,000
// events.
const eventsAtOnce = 5000

type EventNote = { events: readonly CommittedEvent[] }

/**
 * Appends events of any number of accounts, in this order, in the transaction that causes them. It also puts
 * the events into the notes of the transaction, where eventsAmong() finds them after the commit.
 */
export async function appendEvents(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  noteForCommit(tx, { events } satisfies EventNote)
  for (let start = 0; start < events.length; start += eventsAtOnce)
    await insertEvents(tx, events.slice(start, start + eventsAtOnce))
}

/**
 * Puts events into the notes of a transaction. Call it for events that a statement inserted without
 * appendEvents().
 */
export function noteAppended(tx: Queryable, events: readonly CommittedEvent[]): void {
  if (events.length > 0) noteForCommit(tx, { events } satisfies EventNote)
}

/** Reports events that a single statement inserted and committed on this pool, outside of a transaction. */
export function reportAppended(pool: Sql, events: readonly CommittedEvent[]): void {
  reportCommitted(pool, { events } satisfies EventNote)
}

/** The events among the notes of a committed transaction. */
export function eventsAmong(notes: readonly unknown[]): CommittedEvent[] {
  return notes.flatMap((note) => (note as Partial<EventNote>).events ?? [])
}
