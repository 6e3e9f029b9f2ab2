/**
 * Adds partners' terms to the bookings that a transaction makes. The single statement in at-once.ts adds them itself.
 */
import { sellUnder } from '../../inventory/partner-terms.ts'
import { listTermsInForce } from '../../inventory/partner-terms-queries.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import type { GrantedBooking } from './decision.ts'

/**
 * Adds to each booking the current terms that its partner has for the product. A booking without such terms
 * does not change.
 */
export async function underTerms(
  tx: Transaction,
  granted: readonly GrantedBooking[],
): Promise<GrantedBooking[]> {
  const asking = granted.flatMap(({ booking: { accountId, partnerId, id }, slot }) => {
    const { productId } = slot
    return partnerId !== null && slot.hasPartnerTerms ? [{ id, accountId, partnerId, productId }] : []
  })
  if (asking.length === 0) return [...granted]
  const found = await listTermsInForce(tx, asking)
  const terms = new Map(asking.map(({ id }, index) => [id, found[index]!]))
  return granted.map((one) => {
    return { ...one, bought: sellUnder(one.bought, terms.get(one.booking.id) ?? null, one.slot) }
  })
}
