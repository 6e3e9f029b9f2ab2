/** Extends the hold of a reseller's reservation. */
import type { Actor } from '../../events/actor.ts'
import { extendHold } from '../../inventory/hold-queries.ts'
import { type Booking, changeBookings } from '../../inventory/service.ts'
import type { Transaction } from '../../platform/postgres/database.ts'

/**
 * Extends the hold of a locked reservation to `minutes` from now, at most to its limit, and adds an entry to the
 * history if the hold now ends later. The hold is never shortened. A confirmed booking does not change.
 * @param minutes null for the hold time of the account.
 */
export async function lengthenHold(
  tx: Transaction,
  actor: Actor,
  booking: Booking,
  minutes: number | null,
): Promise<void> {
  const isLonger = await extendHold(tx, booking.accountId, booking.basketId, minutes)
  if (isLonger) await changeBookings(tx, actor, [{ booking, to: {}, action: 'extended' }])
}
