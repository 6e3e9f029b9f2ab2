/** E-mails that are left to be sent: a note on the transaction, so that after its commit a worker is woken. */
import { noteForCommit } from '../../platform/postgres/commit-notes.ts'
import type { Transaction } from '../../platform/postgres/database.ts'

type EmailNote = { emailsLeft: true }

export function noteEmails(tx: Transaction): void {
  noteForCommit(tx, { emailsLeft: true } satisfies EmailNote)
}

/** Whether a committed transaction left e-mails to be sent. */
export function hasLeftEmails(notes: readonly unknown[]): boolean {
  return notes.some((note) => (note as Partial<EmailNote>).emailsLeft)
}
