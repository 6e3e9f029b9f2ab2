/** The events of products. */
import type { Authorship } from '../events/actor.ts'
import type { NewEvent } from '../events/event.ts'
import type { ChangedProduct } from './queries.ts'

export function madeEvents(by: Authorship, productIds: readonly number[]): NewEvent[] {
  return productIds.map((productId) => ({ ...by, type: 'product.made', productId, details: {} }))
}

/** `fields` may also be `Questions`. */
export function changedEvents(by: Authorship, changes: readonly ChangedProduct[]): NewEvent[] {
  return changes.map(({ id, fields }) => {
    return { ...by, type: 'product.changed', productId: id, details: { Fields: fields } }
  })
}

/** A schedule's own prices change many timeslots, so the event names their product. */
export function ownPricesChanged(by: Authorship, productIds: readonly number[]): NewEvent[] {
  return changedEvents(
    by,
    productIds.map((id) => ({ id, fields: ['UnitPrices'] })),
  )
}
