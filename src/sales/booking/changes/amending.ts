/** Changes the party of a booking. The booking keeps its old places until it has the new ones. */
import { isDeepStrictEqual } from 'node:util'
import { PlacesRefused } from '../../../inventory/alternatives.ts'
import { changeBookings, findShortages, pickBought } from '../../../inventory/service.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import type { RefundChoiceRequest } from '../../ledger/refund-schemas.ts'
import { type Party, placesWanted } from '../pricing.ts'
import { decideDifference, storeDifference } from './difference.ts'
import { removeLeaving, storeCheckedIn } from './leaving.ts'
import { checkStatus, lockForChange, readUnlocked, type Subject } from './locking.ts'
import { amendDetails, boughtThere } from './moving.ts'
import type { LeavingRequest } from './schemas.ts'

export type Amendment = {
  party: Party
  /** The refund if the booking becomes cheaper. */
  refund?: RefundChoiceRequest | undefined
  /** Who leaves. Without it, the last tickets that are not redeemed become void, and all answers stay. */
  leaving?: LeavingRequest | undefined
  /** False if no workflow may send the customer an e-mail about the change. */
  notifyCustomer?: boolean
}

/**
 * Changes the party of a confirmed booking. If the party is the same, nothing changes. Kept units keep their
 * price, and added units have today's price.
 * @throws Problem not-found; booking-not-changeable; validation for a party that breaks rules, an impossible
 *   refund, or tickets or participants that cannot leave; quantity-below-redeemed; PlacesRefused.
 */
export async function amend(
  tx: Transaction,
  subject: Subject,
  { party, refund, leaving, notifyCustomer = true }: Amendment,
): Promise<void> {
  const { accountId, actor } = subject
  const existing = await readUnlocked(tx, subject)
  const { booking, slots } = await lockForChange(tx, subject, existing)
  checkStatus(booking, 'amend')
  const bought = await boughtThere(tx, booking, party, slots.get(booking.timeslotId)!)
  if (isDeepStrictEqual(bought, pickBought(booking))) return
  const [shortage] = await findShortages(tx, [{ from: booking, to: { ...booking, ...bought } }])
  if (shortage) throw new PlacesRefused({ ...existing, accountId, ...placesWanted(bought) }, shortage)
  const here = leaving && (await removeLeaving(tx, booking, bought, leaving))
  const decided = await decideDifference(tx, booking, bought, { cause: 'amended', refund })
  const details = {
    ...amendDetails(booking, bought),
    ...(!notifyCustomer && { TellCustomer: false as const }),
    ...decided.details,
  }
  await changeBookings(tx, actor, [{ booking, to: { bought }, action: 'amended', details }])
  await storeCheckedIn(tx, actor, booking, bought, here)
  await storeDifference(tx, subject, decided)
}
