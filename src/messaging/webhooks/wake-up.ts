/** How a worker hears that there may be something to send: a note on the transaction, of which accounts. */
import type { EventConsumer } from '../../events/pump/pump.ts'
import { noteForCommit } from '../../platform/postgres/commit-notes.ts'
import type { Transaction } from '../../platform/postgres/database.ts'

type DeliveriesNote = { deliveriesOf: readonly number[] }

export function noteDeliveries(tx: Transaction, accountIds: readonly number[]): void {
  noteForCommit(tx, { deliveriesOf: accountIds } satisfies DeliveriesNote)
}

/** Notes which accounts have events with numbers that they had not before. */
export const noteNumbered: EventConsumer = async (tx, events) => {
  noteDeliveries(tx, [...new Set(events.map(({ accountId }) => accountId))])
}

/** The accounts among the notes of a committed transaction. */
export function deliveriesAmong(notes: readonly unknown[]): number[] {
  return notes.flatMap((note) => (note as Partial<DeliveriesNote>).deliveriesOf ?? [])
}
