/** The use case of the notes that the operator's users write on bookings for each other. */
import { problems } from '../../http/problems.ts'
import { requireVersion } from '../../http/versions.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import type { Subject } from '../booking/changes/locking.ts'
import * as queries from './queries.ts'

export { findNote, type NoteRow } from './queries.ts'

/**
 * Replaces the notes on a booking, in any status. Null or blank text removes them.
 * @param seen the version of the text that the writer saw, if given.
 * @throws Problem not-found, customer-erased or edited-meanwhile.
 */
export async function writeNote(
  tx: Transaction,
  { accountId, reference, actor }: Subject,
  { note, seen }: { note: string | null; seen?: string | undefined },
): Promise<void> {
  const booking = await queries.lockNoted(tx, accountId, reference)
  if (!booking) throw problems.bookingNotFound()
  requireVersion(seen, await queries.lockNote(tx, accountId, booking.id))
  const text = note?.trim() ?? ''
  if (text === '') return queries.deleteNote(tx, accountId, booking.id)
  // The customer was erased before, so a note that is written now would never be erased.
  if (booking.isErased) throw problems.customerErased()
  return queries.upsertNote(tx, { accountId, bookingId: booking.id, actor }, text)
}
