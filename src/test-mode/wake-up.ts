/** Which events of a live account its test account follows, and how a worker is woken for them. */
import { isTestAccount } from '../accounts/model.ts'
import type { NumberedEvent } from '../events/pump/pump.ts'
import { eventTypes } from '../events/types.ts'
import { noteForCommit } from '../platform/postgres/commit-notes.ts'
import type { Transaction } from '../platform/postgres/database.ts'

type FollowedNote = { followed: readonly number[] }

/** The types of events that report changes of the catalogue. */
export const followedTypes: readonly string[] = Object.keys(eventTypes).filter((type) =>
  /^(product|timeslot|partner-terms|promotion)\./.test(type),
)

/**
 * Attaches a note to the transaction. The note lists the live accounts with events to follow, and is read
 * after the commit.
 */
export async function noteFollowed(tx: Transaction, events: readonly NumberedEvent[]): Promise<void> {
  const ours = events.filter(
    ({ accountId, type }) => !isTestAccount(accountId) && followedTypes.includes(type),
  )
  const accounts = new Set(ours.map(({ accountId }) => accountId))
  if (accounts.size > 0) noteForCommit(tx, { followed: [...accounts] } satisfies FollowedNote)
}

/** The live accounts among the notes of a committed transaction. */
export function followedAmong(notes: readonly unknown[]): number[] {
  return notes.flatMap((note) => (note as Partial<FollowedNote>).followed ?? [])
}
