/** The events of products. */
import type { Authorship } from '../events/actor.ts'
import type { NewEvent } from '../events/event.ts'
import type { ChangedProduct } from './queries.ts'

export function madeEvents(by: Authorship, productIds: readonly number[]): NewEvent[] {
  return productIds.map((productId) => ({ ...by, type: 'product.made', productId, details: {} }))
}

/** `fields` are API names: of the product, or Questions, Units, RefundTerms, Translations or UnitPrices. */
export function changedEvents(by: Authorship, changes: readonly ChangedProduct[]): NewEvent[] {
  return changes.map(({ id, fields }) => {
    return { ...by, type: 'product.changed', productId: id, details: { Fields: fields } }
  })
}

/** The events of changed own prices of schedules: one for each product, because a schedule may have many timeslots. */
export function ownPricesChanged(by: Authorship, productIds: readonly number[]): NewEvent[] {
  return changedEvents(
    by,
    productIds.map((id) => ({ id, fields: ['UnitPrices'] })),
  )
}
