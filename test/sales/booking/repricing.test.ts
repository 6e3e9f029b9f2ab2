/** What a booking costs once its party changed, by example and by property. */
import fc from 'fast-check'
import t from 'tap'
import { priceOf } from '../../../src/inventory/bought.ts'
import { repriceParty } from '../../../src/sales/booking/changes/repricing.ts'
import { priceParty } from '../../../src/sales/booking/pricing.ts'
import { anyParty, anyPriceList, priceList, unit } from './price-lists.ts'

const people = (participants: number) => ({ participants, units: null })

t.test('what a party keeps costs what it did, and what is added costs today’s price', async (t) => {
  const sold = priceParty(people(2), priceList(), 20).bought!
  const dearer = priceList({ priceMinor: 5000 })
  const larger = repriceParty(sold, people(3), dearer, 20).bought!
  t.equal(priceOf(larger), 14_000n)
  t.match(larger, { participants: 3, places: 3 })
  const smaller = repriceParty(larger, people(2), dearer, 20).bought!
  t.equal(priceOf(smaller), 9000n, 'what came last goes first')
  t.match(smaller, { units: null, unitPriceMinor: 4500 })
})

t.test('who bought when a product had no units keeps the price of its default unit', async (t) => {
  const sold = priceParty(people(2), priceList(), 20).bought!
  const list = priceList({ units: [unit(7, { priceMinor: 6000 }), unit(8, { priceMinor: 100 })] })
  const party = { participants: null, units: [7, 8].map((UnitID) => ({ UnitID, Quantity: 3 })) }
  t.equal(priceOf(repriceParty(sold, party, list, 20).bought!), 9000n + 6000n + 300n)
})

t.test('a unit that is sold no more can be kept, and not added to', async (t) => {
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
  t.equal(priceOf(repriceParty(sold, party(1), after, 20).bought!), 3000n)
  t.same(repriceParty(sold, party(3), after, 20).errors, [
    { field: 'Units[1].Quantity', message: 'must be at most 2 for Unit 2' },
  ])
})

t.test('a booking that is priced as a whole keeps its price, however many come', async (t) => {
  const list = priceList({ pricedPerBooking: true })
  const sold = priceParty(people(2), list, 20).bought!
  const { bought } = repriceParty(sold, people(7), { ...list, priceMinor: 9999 }, 20)
  t.equal(priceOf(bought!), 4500n)
})

t.test('a reduction stays, and is never more than the price', async (t) => {
  const sold = { ...priceParty(people(4), priceList(), 20).bought!, discountMinor: 6000 }
  t.equal(repriceParty(sold, people(2), priceList(), 20).bought!.discountMinor, 6000)
  t.equal(repriceParty(sold, people(1), priceList(), 20).bought!.discountMinor, 4500)
})

t.test('the same party again changes nothing, at whatever price', async (t) => {
  fc.assert(
    fc.property(anyParty, anyPriceList, fc.integer({ min: 0, max: 9999 }), (party, list, price) => {
      const { bought } = priceParty(party, list, 20)
      if (!bought) return
      const today = { ...list, units: list.units!.map((one) => ({ ...one, priceMinor: price })) }
      t.same(repriceParty(bought, party, today, 20).bought, bought)
    }),
  )
})

t.test('a change costs the sold prices of what stays and today’s of what is added', async () => {
  fc.assert(
    fc.property(
      anyParty,
      anyParty,
      anyPriceList,
      fc.integer({ max: 9999, min: 0 }),
      (from, to, list, price) => {
        const sold = priceParty(from, list, 20).bought
        const today = { ...list, units: list.units!.map((one) => ({ ...one, priceMinor: price })) }
        const { bought } = sold ? repriceParty(sold, to, today, 20) : { bought: undefined }
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
