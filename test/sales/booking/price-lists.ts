/** Price lists and parties for tests, with given values or with random values. */
import fc from 'fast-check'
import type { ListedUnit, PriceList } from '../../../src/inventory/price-list.ts'
import type { Party } from '../../../src/sales/booking/pricing.ts'

/** A unit of one place and one person without rules, with the changes of the test. */
export function unit(id: number, changes: Partial<ListedUnit> = {}): ListedUnit {
  return {
    ...{ id, name: `Unit ${id}`, type: 'OTHER', priceMinor: 1000 * id, places: 1, people: 1 },
    ...{ minQuantity: null, maxQuantity: null, accompaniedBy: [] },
    ...changes,
  }
}

/**
 * A price list with one price of 45.00 EUR, with the changes of the test. If the changes have units, the
 * first is the default unit, and its price is the product's.
 */
export function priceList(changes: Partial<PriceList> = {}): PriceList {
  const units = changes.units ?? null
  return {
    ...{ productId: 1, currency: 'EUR', priceMinor: units?.[0]?.priceMinor ?? 4500, units },
    ...{ defaultUnitId: units?.[0]?.id ?? null, minPlaces: 1, maxPlaces: 999 },
    ...{ pricedPerBooking: false, takesTimeslot: false, hasPartnerTerms: false },
    ...changes,
  }
}

const anyUnit = (id: number) =>
  fc.record({
    id: fc.constant(id),
    name: fc.constant(`Unit ${id}`),
    type: fc.constant('OTHER'),
    priceMinor: fc.integer({ min: 0, max: 1_000_000 }),
    places: id === 1 ? fc.constant(1) : fc.integer({ min: 0, max: 5 }),
    people: id === 1 ? fc.constant(1) : fc.integer({ min: 1, max: 5 }),
    minQuantity: fc.option(fc.integer({ min: 1, max: 3 }), { freq: 4 }),
    maxQuantity: fc.option(fc.integer({ min: 3, max: 9 }), { freq: 4 }),
    accompaniedBy: fc.subarray(id === 1 ? [] : [1]),
  })

export const anyPriceList: fc.Arbitrary<PriceList> = fc
  .record({
    units: fc.tuple(anyUnit(1), anyUnit(2), anyUnit(3)),
    minPlaces: fc.integer({ min: 1, max: 3 }),
    maxPlaces: fc.integer({ min: 3, max: 20 }),
  })
  .map((parts) => priceList(parts))

/** Quantities of some of the units, as a request names them. */
export const anyParty: fc.Arbitrary<Party> = fc
  .subarray([1, 2, 3], { minLength: 1 })
  .chain((ids) => fc.tuple(fc.constant(ids), fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 3 })))
  .map(([ids, counts]) => ({
    participants: null,
    units: ids.map((UnitID, index) => ({ UnitID, Quantity: counts[index]! })),
  }))
