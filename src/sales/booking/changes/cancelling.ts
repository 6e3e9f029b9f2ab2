/** Cancelling a booking, whoever does: its places are freed once, and offered to those who wait. */

import { problems } from '../../../http/problems.ts'
import { changeBookings, endIfEmpty, totalOf } from '../../../inventory/service.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import type { RefundChoiceRequest } from '../../ledger/refund-schemas.ts'
import { decideRefunds, keepRefunds } from '../../ledger/refunding.ts'
import { discountBaskets } from '../../promotion/applying.ts'
import { checkStatus, lockStanding, readStanding, type Subject } from './locking.ts'
import { findCutoff } from './queries.ts'

export type Cancellation = {
  by: 'operator' | 'partner'
  /** Also after the product's cutoff. */
  override: boolean
  /** In the operator's words, for the history. */
  reason: string | null
  /** False where no workflow is to tell the customer. */
  tell?: boolean
  /** What is paid back; not given: what the terms say, or all without terms. */
  refund?: RefundChoiceRequest | undefined
}

/**
 * Cancels a booking that is confirmed, held or waitlisted; one that is cancelled already stays as it is. A basket
 * whose last line was held or waitlisted ends with it. What is paid back of a confirmed one is kept with it.
 * @throws Problem not-found, booking-not-changeable, or cutoff-passed; validation for a refund that cannot be.
 */
export async function cancel(
  tx: Transaction,
  subject: Subject,
  { by, override, reason, refund, tell = true }: Cancellation,
): Promise<void> {
  const { accountId, actor } = subject
  const { booking, basket } = await lockStanding(tx, subject, await readStanding(tx, subject))
  if (booking.status === 'cancelled') return
  checkStatus(booking, 'cancel')
  // Nothing is sold yet of what is only held or waited for.
  const cutoff = booking.status === 'confirmed' ? await findCutoff(tx, accountId, booking.timeslotId) : null
  if (cutoff?.hasPassed && !override) throw problems.cutoffPassed(cutoff.cancelBy)
  const drops = [{ booking, goneMinor: totalOf(booking), leftMinor: 0n, cause: 'cancelled' as const }]
  const order = { request: refund, isOperatorsOwn: false }
  const decided = await decideRefunds(tx, accountId, drops, order)
  const refunding = decided.refundingOf(booking.id)
  const details = {
    ...(cutoff?.hasPassed && { Override: true }),
    ...(!tell && { TellCustomer: false as const }),
    ...refunding.details,
  }
  const reasons = { cancelReason: by, cancelNote: reason }
  await changeBookings(tx, actor, [
    { booking, to: { status: 'cancelled' }, ...reasons, ...refunding, action: 'cancelled', details },
  ])
  await keepRefunds(tx, { accountId, actor }, decided)
  if (booking.status === 'confirmed' || !basket) return
  await discountBaskets(tx, accountId, [basket.id])
  await endIfEmpty(tx, { accountId, actor }, basket)
}
