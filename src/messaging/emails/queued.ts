/** Puts a note on a transaction that queued e-mails, so that a worker is woken after the commit. */
import { noteForCommit } from '../../platform/postgres/commit-notes.ts'
import type { Transaction } from '../../platform/postgres/database.ts'

type EmailNote = { emailsQueued: true }

export function noteQueued(tx: Transaction): void {
  noteForCommit(tx, { emailsQueued: true } satisfies EmailNote)
}

/** Whether a committed transaction queued e-mails. */
export function hasQueuedEmails(notes: readonly unknown[]): boolean {
  return notes.some((note) => (note as Partial<EmailNote>).emailsQueued)
}
