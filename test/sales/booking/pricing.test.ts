/** What a party costs and which rules it breaks, tested with examples and with random values. */
import fc from 'fast-check'
import t from 'tap'
import { priceOf, totalOf } from '../../../src/inventory/bought.ts'
import type { PriceList } from '../../../src/inventory/price-list.ts'
import { type Party, priceParty } from '../../../src/sales/booking/pricing.ts'
import { anyParty, anyPriceList, priceList, unit } from './price-lists.ts'

const people = (participants: number): Party => ({ participants, units: null })
const units = (...pairs: [number, number][]): Party => ({
  participants: null,
  units: pairs.map(([UnitID, Quantity]) => ({ UnitID, Quantity })),
})
const fieldsOf = (party: Party, list: PriceList) =>
  priceParty(party, list, 20).errors?.map(({ field }) => field)

t.test('each person who books a product without units pays its price', async (t) => {
  const { bought } = priceParty(people(3), priceList(), 20)
  t.match(bought, { places: 3, participants: 3, units: null, unitPriceMinor: 4500, currency: 'EUR' })
  t.equal(totalOf(bought!), 13_500n)
})

t.test('UnitID 0 means the default unit, for products with and without units', async (t) => {
  t.match(priceParty(units([0, 2]), priceList(), 20).bought, { participants: 2, units: null })
  const list = priceList({ units: [unit(7), unit(8)] })
  t.match(priceParty(units([0, 2]), list, 20).bought!.units, [{ id: 7, quantity: 2 }])
  t.same(fieldsOf(units([0, 2], [7, 1]), list), ['Units[1].UnitID'], 'named twice')
  t.match(priceParty(people(2), list, 20).bought!.units, [{ id: 7, quantity: 2 }])
})

t.test('a family is several people, and an infant takes no place', async (t) => {
  const list = priceList({ units: [unit(1), unit(2, { people: 4, places: 4 }), unit(3, { places: 0 })] })
  t.match(priceParty(units([2, 1], [3, 2]), list, 20).bought, { participants: 6, places: 4 })
  t.same(fieldsOf(units([3, 1]), list), ['Units'], 'a booking takes at least one place')
})

t.test('every rule that is broken is named', async (t) => {
  const list = priceList({
    units: [unit(1), unit(2, { minQuantity: 2 }), unit(3, { maxQuantity: 1, accompaniedBy: [1] })],
    maxPlaces: 3,
  })
  t.same(fieldsOf(units([2, 1], [3, 3]), list), [
    'Units[0].Quantity',
    'Units[1].Quantity',
    'Units[1].Quantity',
    'Units',
  ])
  t.same(fieldsOf(units([9, 1], [8, 1]), list), ['Units[0].UnitID', 'Units[1].UnitID'])
  t.same(fieldsOf({ ...units([1, 2]), participants: 3 }, list), ['Participants'])
  t.same(fieldsOf(people(4), list), ['Participants'])
  t.same(fieldsOf(units([1, 999], [2, 999]), { ...list, maxPlaces: 999 }), ['Units', 'Units'])
})

t.test('a booking that is priced as a whole has one price, up to a maximum number of people', async (t) => {
  const list = priceList({ pricedPerBooking: true, maxPlaces: 8 })
  t.equal(totalOf(priceParty(people(6), list, 20).bought!), 4500n)
  t.same(fieldsOf(people(9), list), ['Participants'])
  const whole = priceParty(people(6), { ...list, takesTimeslot: true }, 20).bought
  t.match(whole, { places: 20, participants: 6, takesTimeslot: true })
})

t.test('a party gets the requested units, at the prices of the list', async () => {
  fc.assert(
    fc.property(anyParty, anyPriceList, (party, list) => {
      const { bought } = priceParty(party, list, 20)
      if (!bought) return true
      const find = (id: number) => list.units!.find((one) => one.id === id)!
      const total = party.units!.reduce((sum, one) => sum + find(one.UnitID).priceMinor * one.Quantity, 0)
      const places = party.units!.reduce((sum, one) => sum + find(one.UnitID).places * one.Quantity, 0)
      return priceOf(bought) === BigInt(total) && bought.places === places
    }),
  )
})

t.test('a party is accepted if and only if it keeps all rules', async () => {
  fc.assert(
    fc.property(anyParty, anyPriceList, (party, list) => {
      const { errors } = priceParty(party, list, 20)
      const find = (id: number) => list.units!.find((one) => one.id === id)!
      const ids = party.units!.map(({ UnitID }) => UnitID)
      const places = party.units!.reduce((sum, one) => sum + find(one.UnitID).places * one.Quantity, 0)
      const keeps = party.units!.every(({ UnitID, Quantity }) => {
        const { minQuantity, maxQuantity, accompaniedBy } = find(UnitID)
        return (
          Quantity >= (minQuantity ?? 1) &&
          Quantity <= (maxQuantity ?? 999) &&
          (accompaniedBy.length === 0 || accompaniedBy.some((id) => ids.includes(id)))
        )
      })
      const isRight = keeps && places >= list.minPlaces && places <= list.maxPlaces
      return isRight === (errors === undefined)
    }),
  )
})
