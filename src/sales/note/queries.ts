/** The SQL of the operator's internal notes on bookings. */
import { liveAccountOf } from '../../accounts/model.ts'
import type { Actor } from '../../events/actor.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'

export type NotedBooking = { id: number; isErased: boolean }

/**
 * Locks a booking, so that its customer is not erased and its notes do not change meanwhile. Null for an unknown
 * reference.
 */
export async function lockNoted(
  tx: Transaction,
  accountId: number,
  reference: string,
): Promise<NotedBooking | null> {
  const [booking] = await tx<NotedBooking[]>`
    select id, erasure_id is not null as "isErased" from bookings
    where account_id = ${accountId} and reference = ${reference}
    for no key update`
  return booking ?? null
}

export async function lockNote(
  tx: Transaction,
  accountId: number,
  bookingId: number,
): Promise<string | null> {
  const [found] = await tx<{ note: string }[]>`
    select note from booking_notes where account_id = ${accountId} and booking_id = ${bookingId} for update`
  return found?.note ?? null
}

export async function upsertNote(
  tx: Transaction,
  { accountId, bookingId, actor }: { accountId: number; bookingId: number; actor: Actor },
  note: string,
): Promise<void> {
  await tx`
    insert into booking_notes (account_id, booking_id, note, actor, actor_id)
    values (${accountId}, ${bookingId}, ${note}, ${actor.kind}, ${actor.id ?? null})
    on conflict (account_id, booking_id) do update
      set note = excluded.note, actor = excluded.actor, actor_id = excluded.actor_id, written_at = app_now()`
}

export async function deleteNote(tx: Transaction, accountId: number, bookingId: number): Promise<void> {
  await tx`delete from booking_notes where account_id = ${accountId} and booking_id = ${bookingId}`
}

export type NoteRow = {
  note: string
  actor: Actor['kind']
  actorId: number | null
  actorName: string | null
  writtenAt: Date
}

/** The notes on a booking, and who wrote them last; null while there are none. */
export async function findNote(
  sql: Queryable,
  accountId: number,
  reference: string,
): Promise<NoteRow | null> {
  const [found] = await sql<NoteRow[]>`
    select note, actor, actor_id as "actorId", users.email as "actorName", written_at as "writtenAt"
    from bookings
    join booking_notes on booking_notes.account_id = bookings.account_id and booking_id = bookings.id
    left join users on actor = 'user' and users.account_id = ${liveAccountOf(accountId)} and users.id = actor_id
    where bookings.account_id = ${accountId} and reference = ${reference}`
  return found ?? null
}
