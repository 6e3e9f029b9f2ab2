/**
 * Puts a note on a transaction: the accounts that have something to deliver. A worker is woken for them after
 * the commit.
 */
import type { EventConsumer } from '../../events/pump/pump.ts'
import { noteForCommit } from '../../platform/postgres/commit-notes.ts'
import type { Transaction } from '../../platform/postgres/database.ts'

type DeliveriesNote = { deliveriesOf: readonly number[] }

export function noteDeliveries(tx: Transaction, accountIds: readonly number[]): void {
  noteForCommit(tx, { deliveriesOf: accountIds } satisfies DeliveriesNote)
}

/** Notes the accounts of newly numbered events. */
export const noteNumbered: EventConsumer = async (tx, events) => {
  noteDeliveries(tx, [...new Set(events.map(({ accountId }) => accountId))])
}

/** The accounts among the notes of a committed transaction. */
export function deliveriesAmong(notes: readonly unknown[]): number[] {
  return notes.flatMap((note) => (note as Partial<DeliveriesNote>).deliveriesOf ?? [])
}
