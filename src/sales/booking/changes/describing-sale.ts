/** Changes the customer of a booking, and of the other bookings of its sale that have the same contact. */
import { changeBookings, lockBasket } from '../../../inventory/service.ts'
import type { Sql } from '../../../platform/postgres/database.ts'
import { changedMeanwhile } from '../../../platform/postgres/errors.ts'
import { runAgain } from '../../../platform/postgres/run-once.ts'
import type { BookingRecord } from '../desk/schemas.ts'
import { listRecords } from '../desk/service.ts'
import { describeLocked, readShown, requireShown, type ShownDescription } from './describing.ts'
import { readUnlocked, type Subject } from './locking.ts'
import { changedFields } from './model.ts'
import * as queries from './queries.ts'
import type { DescriptionRequest } from './schemas.ts'

/**
 * Lists the other bookings of the sale that have the same contact as this booking and whose customer can be
 * changed, in the order in which they were made. There are none for a partner's booking, which has no sale.
 * The version in the form for editing a customer is computed from `state`. Call this before reading other
 * content of the form, so that the version is never newer than the content.
 * @throws Problem not-found.
 */
export async function listSharing(
  sql: Sql,
  { accountId, reference }: Pick<Subject, 'accountId' | 'reference'>,
): Promise<{ others: BookingRecord[]; state: ShownDescription }> {
  const { id } = await readUnlocked(sql, { accountId, reference })
  const state = await readShown(sql, accountId, id)
  const ids = state.sharingIds
  const records = await listRecords(
    sql,
    ids.map((id) => ({ accountId, id })),
  )
  return { others: ids.flatMap((id) => records.get(`${accountId} ${id}`) ?? []), state }
}

/**
 * Changes a booking like describeBooking(). If that changes the customer, it also writes the new customer on
 * the other bookings of the sale that had the same contact before, in the same transaction. Each changed
 * booking gets its own event. Answers change only on this booking.
 * @throws as describeBooking().
 */
export function describeWithSale(
  sql: Sql,
  subject: Subject,
  request: DescriptionRequest,
  seen?: string,
): Promise<void> {
  const { accountId, actor } = subject
  return runAgain(sql, async (tx) => {
    const { id, basketId } = await readUnlocked(tx, subject)
    const locked = await lockBasket(tx, accountId, basketId)
    const booking = locked?.lines.find((line) => line.id === id)
    if (!booking) throw changedMeanwhile('a booking')
    await requireShown(tx, booking, request, seen)
    const sharing = new Set(await queries.listSharing(tx, accountId, id))
    const { from, to } = await describeLocked(tx, actor, booking, request)
    // Only the contact is compared: the others keep their own answers.
    const fields = changedFields(from, { ...to, answers: from.answers })
    if (fields.length === 0 || sharing.size === 0) return
    const { answers, ...customer } = to
    await queries.updateCustomers(tx, accountId, [...sharing], customer)
    const others = locked!.lines.filter((line) => sharing.has(line.id))
    const details = { Fields: fields }
    await changeBookings(
      tx,
      actor,
      others.map((other) => ({ booking: other, to: {}, action: 'customer-changed' as const, details })),
    )
  })
}
