/** A change of prices that schedules have of their own, as an event: it names their product, since it touches many timeslots. */
import type { Authorship } from '../events/actor.ts'
import type { NewEvent } from '../events/event.ts'

export function ownPricesChanged(by: Authorship, productIds: readonly number[]): NewEvent[] {
  return productIds.map((productId) => {
    return { ...by, type: 'product.changed', productId, details: { Fields: ['UnitPrices'] } }
  })
}
