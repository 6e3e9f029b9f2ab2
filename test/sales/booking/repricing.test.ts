/** The price of a booking after its party has changed, tested with examples and with random values. */
import fc from 'fast-check'
import t from 'tap'
import { priceOf } from '../../../src/inventory/bought.ts'
import { repriceParty } from '../../../src/sales/booking/changes/repricing.ts'
import { priceParty } from '../../../src/sales/booking/pricing.ts'
import { anyParty, anyPriceList, priceList, unit } from './price-lists.ts'

const people = (participants: number) => ({ participants, units: null })

t.test('kept people cost their sold price, and added people cost the current price', async (t) => {
  const sold = priceParty(people(2), priceList(), 20).bought!
  const dearer = priceList({ priceMinor: 5000 })
  const larger = repriceParty(sold, people(3), dearer, { capacity: 20 }).bought!
  t.equal(priceOf(larger), 14_000n)
  t.match(larger, { participants: 3, places: 3 })
  const smaller = repriceParty(larger, people(2), dearer, { capacity: 20 }).bought!
  t.equal(priceOf(smaller), 9000n, 'the person who was added last is removed first')
  t.match(smaller, { units: null, unitPriceMinor: 4500 })
})

t.test('a booking made before its product had units keeps its price for the default unit', async (t) => {
  const sold = priceParty(people(2), priceList(), 20).bought!
  const list = priceList({ units: [unit(7, { priceMinor: 6000 }), unit(8, { priceMinor: 100 })] })
  const party = { participants: null, units: [7, 8].map((UnitID) => ({ UnitID, Quantity: 3 })) }
  t.equal(priceOf(repriceParty(sold, party, list, { capacity: 20 }).bought!), 9000n + 6000n + 300n)
})

t.test('a unit that is no longer sold can be kept, but not added', async (t) => {
  const before = priceList({ units: [unit(1), unit(2)] })
  const party = (count: number) => ({
    participants: null,
    units: [
      { UnitID: 1, Quantity: 1 },
      { UnitID: 2, Quantity: count },
    ],
  })
  const sold = priceParty(party(2), before, 20).bought!
  const after = priceList({ units: [unit(1, { priceMinor: 9999 })] })
  t.equal(priceOf(repriceParty(sold, party(1), after, { capacity: 20 }).bought!), 3000n)
  t.same(repriceParty(sold, party(3), after, { capacity: 20 }).errors, [
    { field: 'Units[1].Quantity', message: 'must be at most 2 for Unit 2' },
  ])
})

t.test('a booking that is priced as a whole keeps its price for any number of people', async (t) => {
  const list = priceList({ pricedPerBooking: true })
  const sold = priceParty(people(2), list, 20).bought!
  const { bought } = repriceParty(sold, people(7), { ...list, priceMinor: 9999 }, { capacity: 20 })
  t.equal(priceOf(bought!), 4500n)
})

t.test('a booking stays priced per person or as a whole when its product changes', async (t) => {
  const whole = priceParty(people(3), priceList({ pricedPerBooking: true, priceMinor: 30_000 }), 20).bought!
  t.equal(priceOf(repriceParty(whole, people(4), priceList(), { capacity: 20 }).bought!), 30_000n)
  const each = priceParty(people(3), priceList(), 20).bought!
  const perBooking = priceList({ pricedPerBooking: true, priceMinor: 30_000 })
  t.equal(priceOf(repriceParty(each, people(2), perBooking, { capacity: 20 }).bought!), 9000n)
  t.equal(priceOf(repriceParty(each, people(4), perBooking, { capacity: 20 }).bought!), 18_000n)
})

t.test('a booking keeps its currency: units in another currency cannot be added', async (t) => {
  const sold = priceParty(people(3), priceList(), 20).bought!
  const yen = priceList({ currency: 'JPY', priceMinor: 6000 })
  const smaller = repriceParty(sold, people(2), yen, { capacity: 20 }).bought!
  t.match(smaller, { currency: 'EUR', units: null, unitPriceMinor: 4500 })
  t.equal(priceOf(smaller), 9000n)
  t.match(repriceParty(sold, people(4), yen, { capacity: 20 }).errors, [{ field: 'Participants' }])
  const units = priceList({ currency: 'JPY', units: [unit(7), unit(8)] })
  t.match(repriceParty(sold, people(3), units, { capacity: 20 }).bought, sold)
  const named = { participants: null, units: [{ UnitID: 8, Quantity: 1 }] }
  t.match(repriceParty(sold, named, units, { capacity: 20 }).errors, [{ field: 'Units[0].UnitID' }])
})

t.test('booked units can be kept after the product’s units are removed', async (t) => {
  const before = priceList({ units: [unit(1), unit(2)] })
  const both = [1, 2].map((UnitID) => ({ UnitID, Quantity: 2 }))
  const sold = priceParty({ participants: null, units: both }, before, 20).bought!
  const fewer = { participants: null, units: [{ UnitID: 2, Quantity: 1 }] }
  t.equal(priceOf(repriceParty(sold, fewer, priceList(), { capacity: 20 }).bought!), 2000n)
})

t.test('kept units count as many people and places as when they were sold', async (t) => {
  const family = (changes: object) => priceList({ units: [unit(1), unit(2, changes)] })
  const party = { participants: 4, units: [{ UnitID: 2, Quantity: 1 }] }
  const sold = priceParty(party, family({ people: 4, places: 4 }), 20).bought!
  t.same(repriceParty(sold, party, family({ people: 5, places: 5 }), { capacity: 20 }).bought, sold)
  const withInfant = { participants: null, units: [1, 2].map((UnitID) => ({ UnitID, Quantity: 1 })) }
  const infants = priceParty(withInfant, family({ places: 0 }), 20).bought!
  const alone = { participants: null, units: [{ UnitID: 2, Quantity: 1 }] }
  t.match(repriceParty(infants, alone, family({ places: 1 }), { capacity: 20 }).errors, [
    { field: 'Units', message: 'must take at least 1 place' },
  ])
})

t.test('a reduction keeps its amount, up to the price; a percentage is of the new price', async (t) => {
  const sold = { ...priceParty(people(4), priceList(), 20).bought!, discountMinor: '6000' }
  t.equal(repriceParty(sold, people(2), priceList(), { capacity: 20 }).bought!.discountMinor, '6000')
  t.equal(repriceParty(sold, people(1), priceList(), { capacity: 20 }).bought!.discountMinor, '4500')
  const tenth = { capacity: 20, basisPoints: 1000 }
  t.equal(repriceParty(sold, people(2), priceList(), tenth).bought!.discountMinor, '900')
  t.equal(repriceParty(sold, people(6), priceList(), tenth).bought!.discountMinor, '2700')
  const atTill = { ...tenth, reductionMinor: 500n }
  t.equal(repriceParty(sold, people(2), priceList(), atTill).bought!.discountMinor, '1400')
})

t.test('an amendment to the same party changes nothing, at any current price', async (t) => {
  fc.assert(
    fc.property(anyParty, anyPriceList, fc.integer({ min: 0, max: 9999 }), (party, list, price) => {
      const { bought } = priceParty(party, list, 20)
      if (!bought) return
      const today = { ...list, units: list.units!.map((one) => ({ ...one, priceMinor: price })) }
      t.same(repriceParty(bought, party, today, { capacity: 20 }).bought, bought)
    }),
  )
})

t.test('an amended party costs the sold prices of kept units and current prices of added units', async () => {
  fc.assert(
    fc.property(
      anyParty,
      anyParty,
      anyPriceList,
      fc.integer({ max: 9999, min: 0 }),
      (from, to, list, price) => {
        const sold = priceParty(from, list, 20).bought
        const today = { ...list, units: list.units!.map((one) => ({ ...one, priceMinor: price })) }
        const { bought } = sold ? repriceParty(sold, to, today, { capacity: 20 }) : { bought: undefined }
        if (!sold || !bought) return true
        const had = new Map(from.units!.map(({ UnitID, Quantity }) => [UnitID, Quantity]))
        const expected = to.units!.reduce((sum, { UnitID, Quantity }) => {
          const kept = Math.min(had.get(UnitID) ?? 0, Quantity)
          const { priceMinor } = list.units!.find(({ id }) => id === UnitID)!
          return sum + kept * priceMinor + (Quantity - kept) * price
        }, 0)
        return priceOf(bought) === BigInt(expected)
      },
    ),
  )
})
