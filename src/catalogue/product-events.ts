/** The events of products. */
import type { Authorship } from '../events/actor.ts'
import type { NewEvent } from '../events/event.ts'
import type { ChangedProduct } from './queries.ts'

export function madeEvents(by: Authorship, productIds: readonly number[]): NewEvent[] {
  return productIds.map((productId) => ({ ...by, type: 'product.made', productId, details: {} }))
}

/**
 * The fields of a change are names of product fields in the API, or `Questions`, `Units`, `RefundTerms`,
 * `Translations` or `UnitPrices`.
 */
export function changedEvents(by: Authorship, changes: readonly ChangedProduct[]): NewEvent[] {
  return changes.map(({ id, fields }) => {
    return { ...by, type: 'product.changed', productId: id, details: { Fields: fields } }
  })
}

/**
 * The events for timeslots whose prices may have changed with their schedule: one event for each product and
 * none for its timeslots, because a schedule may have many timeslots.
 */
export function ownPricesChanged(by: Authorship, productIds: readonly number[]): NewEvent[] {
  return changedEvents(
    by,
    productIds.map((id) => ({ id, fields: ['UnitPrices'] })),
  )
}
