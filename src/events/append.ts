/** Writes to the log. src/events/pump numbers the events and passes them on. */
import { noteForCommit, reportCommitted } from '../platform/postgres/commit-notes.ts'
import type { Queryable, Sql, Transaction } from '../platform/postgres/database.ts'
import type { NewEvent } from './event.ts'
import { insertEvents } from './queries.ts'

/** What a process reads from its notes about an event that one of its transactions committed. */
export type CommittedEvent = Pick<NewEvent, 'accountId' | 'type' | 'actor'>

// An import makes 100,000 timeslots. More events than this are written by several statements.
const eventsAtOnce = 5000

type EventNote = { events: readonly CommittedEvent[] }

/**
 * Appends events of any number of accounts, in this order, in the transaction that causes them. After the
 * commit, eventsAmong() returns them from its notes.
 */
export async function appendEvents(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  noteForCommit(tx, { events } satisfies EventNote)
  for (let start = 0; start < events.length; start += eventsAtOnce)
    await insertEvents(tx, events.slice(start, start + eventsAtOnce))
}

/** Notes events that a statement of a larger transaction wrote itself. */
export function noteAppended(tx: Queryable, events: readonly CommittedEvent[]): void {
  if (events.length > 0) noteForCommit(tx, { events } satisfies EventNote)
}

/** Reports events that a statement wrote on this pool, where the statement was a transaction by itself. */
export function reportAppended(pool: Sql, events: readonly CommittedEvent[]): void {
  reportCommitted(pool, { events } satisfies EventNote)
}

/** The events among the notes of a committed transaction. */
export function eventsAmong(notes: readonly unknown[]): CommittedEvent[] {
  return notes.flatMap((note) => (note as Partial<EventNote>).events ?? [])
}
