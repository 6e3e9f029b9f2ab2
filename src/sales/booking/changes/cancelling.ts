/** Cancels a booking for a partner or an operator, frees its places and offers them to the waitlist. */

import { problems } from '../../../http/problems.ts'
import { endIfEmpty } from '../../../inventory/baskets.ts'
import type { BookingStatus } from '../../../inventory/model.ts'
import { changeBookings, totalOf } from '../../../inventory/service.ts'
import type { Queryable, Transaction } from '../../../platform/postgres/database.ts'
import { decideRefunds, storeRefunds } from '../../ledger/deciding-refunds.ts'
import type { RefundChoiceRequest } from '../../ledger/refund-schemas.ts'
import { discountBaskets } from '../../promotion/applying.ts'
import { checkStatus, lockForChange, readUnlocked, type Subject } from './locking.ts'
import { findCutoff } from './queries.ts'

export type Cancellation = {
  by: 'operator' | 'partner'
  /** Allows the cancellation after the product's cut-off. */
  override: boolean
  /** The reason of the operator or the reseller, for the history. */
  reason: string | null
  /** False if no workflow may send the customer an e-mail about the cancellation. */
  notifyCustomer?: boolean
  /**
   * The choice of the refund. Without it, the terms decide; without terms, everything that was paid for this
   * booking is paid back.
   */
  refund?: RefundChoiceRequest | undefined
}

/**
 * Cancels a confirmed, held or waitlisted booking, and stores the refund of a confirmed one. A booking that
 * is already cancelled does not change. When the last held or waitlisted line of a basket is cancelled, the
 * basket ends.
 * @returns false if the booking was already cancelled.
 * @throws Problem not-found, booking-not-changeable, or cutoff-passed; validation for an impossible refund.
 */
export async function cancel(
  tx: Transaction,
  subject: Subject,
  { by, override, reason, refund, notifyCustomer = true }: Cancellation,
): Promise<boolean> {
  const { accountId, actor } = subject
  const { booking, basket } = await lockForChange(tx, subject, await readUnlocked(tx, subject))
  if (booking.status === 'cancelled') return false
  checkStatus(booking, 'cancel')
  const cutoff = await cutoffOf(tx, accountId, booking)
  if (cutoff?.hasPassed && !override) throw problems.cutoffPassed(cutoff.cancelBy)
  const drops = [{ booking, droppedMinor: totalOf(booking), newTotalMinor: 0n, cause: 'cancelled' as const }]
  const order = { request: refund, isOperatorsOwn: false }
  const decided = await decideRefunds(tx, accountId, drops, order)
  const refunding = decided.refundingOf(booking.id)
  const details = {
    ...(cutoff?.hasPassed && { Override: true }),
    ...(!notifyCustomer && { TellCustomer: false as const }),
    ...refunding.details,
  }
  const reasons = { cancelReason: by, cancelNote: reason }
  await changeBookings(tx, actor, [
    { booking, to: { status: 'cancelled' }, ...reasons, ...refunding, action: 'cancelled', details },
  ])
  await storeRefunds(tx, { accountId, actor }, decided)
  if (booking.status === 'confirmed' || !basket) return true
  await discountBaskets(tx, accountId, [basket.id])
  await endIfEmpty(tx, { accountId, actor }, basket)
  return true
}

/**
 * The cut-off for cancelling a booking, and whether it has passed. Null unless the booking is confirmed, because
 * only confirmed bookings have a cut-off.
 */
export async function cutoffOf(
  sql: Queryable,
  accountId: number,
  { status, timeslotId }: { status: BookingStatus; timeslotId: number },
) {
  return status === 'confirmed' ? findCutoff(sql, accountId, timeslotId) : null
}
