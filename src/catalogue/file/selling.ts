/** What must hold of what the products of a file sell, with what stands: rules, units and own prices. Pure. */
import { fromRow, leastPlaces, plainRules, ruleErrors } from '../model.ts'
import type { Product } from '../queries.ts'
import type { Fault, Sketch } from './parse.ts'

/** @param product the one that has the name already; null for a new one. */
export function sellingFaults({ pointer, fields }: Sketch, product: Product | null): Fault[] {
  const units = (product?.units ?? []).map((unit) => ({ name: unit.name, leastPlaces: leastPlaces(unit) }))
  return ruleErrors(fields, product ? fromRow(product) : plainRules, units).map(({ field, message }) => {
    return { pointer: `${pointer}/${field}`, message }
  })
}
