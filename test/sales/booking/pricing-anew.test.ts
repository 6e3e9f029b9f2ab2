/**
 * The price of a booking on the timeslot that it moves to, at current prices, tested with examples and with
 * random values.
 */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { priceOf, totalOf } from '../../../src/inventory/bought.ts'
import { percentOf } from '../../../src/platform/text/money.ts'
import { priceAnew } from '../../../src/sales/booking/changes/pricing-anew.ts'
import { priceParty } from '../../../src/sales/booking/pricing.ts'
import { anyParty, anyPriceList, priceList, unit } from './price-lists.ts'

const people = (participants: number) => ({ participants, units: null })
const twoOfEach = [1, 2].map((UnitID) => ({ UnitID, Quantity: 2 }))

t.test('a moved booking costs what a new sale of the same party costs on that timeslot now', async () => {
  fc.assert(
    fc.property(anyPriceList, anyPriceList, anyParty, (before, today, party) => {
      const sold = priceParty(party, before, 50).bought
      if (!sold) return true
      const anew = priceAnew(sold, null, today, { capacity: 50 })
      const fresh = priceParty(party, today, 50)
      if (!anew.bought)
        return fresh.errors !== undefined && anew.errors.every(({ field }) => field === 'Price')
      return totalOf(anew.bought) === totalOf(fresh.bought!)
    }),
  )
})

t.test('a reduction keeps its amount at a move, and never makes the price negative', async () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 10_000 }),
      fc.bigInt({ min: 0n, max: 20_000n }),
      (priceMinor, off) => {
        const sold = {
          ...priceParty(people(2), priceList({ priceMinor: 10_000 }), 20).bought!,
          discountMinor: String(off),
        }
        const anew = priceAnew(sold, null, priceList({ priceMinor }), { capacity: 20 }).bought!
        const price = BigInt(priceMinor) * 2n
        return totalOf(anew) === (price > off ? price - off : 0n)
      },
    ),
  )
})

t.test('the percentage of a promotion code is taken off the new price', async () => {
  const sold = { ...priceParty(people(2), priceList({ priceMinor: 10_000 }), 20).bought!, discountMinor: '1' }
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 10_000 }),
      fc.integer({ min: 1, max: 10_000 }),
      (priceMinor, basisPoints) => {
        const anew = priceAnew(sold, null, priceList({ priceMinor }), { capacity: 20, basisPoints }).bought!
        return BigInt(anew.discountMinor) === percentOf(BigInt(priceMinor) * 2n, basisPoints)
      },
    ),
  )
})

t.test(
  'on another product, a booking costs what a new sale of the units with the same names costs',
  async () => {
    // The units of the other product have other ids, and names that differ in case and spaces.
    const elsewhere = (id: number) => 10 + id
    fc.assert(
      fc.property(anyPriceList, anyPriceList, anyParty, (before, list, party) => {
        const units = list.units!.map(({ id, name, accompaniedBy, ...unit }) => ({
          ...unit,
          id: elsewhere(id),
          name: ` ${name.toUpperCase().replace(' ', '  ')} `,
          accompaniedBy: accompaniedBy.map(elsewhere),
        }))
        const today = { ...list, units, defaultUnitId: elsewhere(list.defaultUnitId!) }
        const sold = priceParty(party, before, 50).bought
        if (!sold) return true
        const anew = priceAnew(sold, null, today, { capacity: 50 })
        const asked = party.units!.map(({ UnitID, Quantity }) => ({ UnitID: elsewhere(UnitID), Quantity }))
        const fresh = priceParty({ participants: null, units: asked }, today, 50)
        if (!anew.bought)
          return fresh.errors !== undefined && anew.errors.every(({ field }) => field === 'Price')
        return isDeepStrictEqual(anew.bought, fresh.bought)
      }),
    )
  },
)

t.test(
  'if names of units differ only in spaces, the unit with exactly the same name is taken, or none',
  async (t) => {
    const sold = (name: string) =>
      priceParty({ participants: 2, units: null }, priceList({ units: [unit(1, { name })] }), 20).bought!
    const list = priceList({ units: [unit(5, { name: 'Adult  18+' }), unit(6, { name: 'Adult 18+' })] })
    t.match(priceAnew(sold('Adult 18+'), null, list, { capacity: 20 }).bought, { units: [{ id: 6 }] })
    t.match(priceAnew(sold('adult 18+'), null, list, { capacity: 20 }).errors, [{ field: 'Units' }])
  },
)

t.test('names that differ in case and in the Unicode form of their accents count as the same', async (t) => {
  const named = (id: number, name: string) => priceList({ units: [unit(id, { name })] })
  const [one, other] = ['Bébé'.normalize('NFC'), 'BÉBÉ'.normalize('NFD')]
  const sold = priceParty({ participants: 2, units: null }, named(1, one), 20).bought!
  t.match(priceAnew(sold, null, named(5, other), { capacity: 20 }).bought, {
    units: [{ id: 5, quantity: 2 }],
  })
})

t.test('a move must name new units if the timeslot does not sell the booked ones', async (t) => {
  const sold = priceParty(
    { participants: null, units: twoOfEach },
    priceList({ units: [unit(1), unit(2)] }),
    20,
  ).bought!
  const others = priceList({ units: [unit(1), unit(7)] })
  t.same(priceAnew(sold, null, others, { capacity: 20 }).errors, [
    {
      field: 'Units',
      message: 'must be given: this timeslot does not sell Unit 2, only Unit 1, Unit 7',
    },
  ])
  const said = { participants: null, units: [{ UnitID: 7, Quantity: 4 }] }
  t.equal(priceOf(priceAnew(sold, said, others, { capacity: 20 }).bought!), 28_000n)
})

t.test('the number of people is kept if the booking or the timeslot has no units', async (t) => {
  const plain = priceParty(people(3), priceList(), 20).bought!
  const units = priceList({ units: [unit(7, { priceMinor: 6000 })] })
  t.match(priceAnew(plain, null, units, { capacity: 20 }).bought, {
    participants: 3,
    units: [{ id: 7, quantity: 3 }],
  })
  const sold = priceParty(
    { participants: null, units: twoOfEach },
    priceList({ units: [unit(1), unit(2)] }),
    20,
  ).bought!
  t.match(priceAnew(sold, null, priceList(), { capacity: 20 }).bought, {
    participants: 4,
    units: null,
    places: 4,
  })
})

t.test(
  'a move at current prices is refused in another currency, and from a whole timeslot to single places',
  async (t) => {
    const sold = priceParty(people(3), priceList(), 20).bought!
    const inYen = priceAnew(sold, null, priceList({ currency: 'JPY' }), { capacity: 20 })
    t.match(inYen.errors, [{ field: 'Price', message: /sold in EUR, and this timeslot sells in JPY/ }])
    const tour = priceList({ takesTimeslot: true, pricedPerBooking: true, priceMinor: 30_000 })
    const whole = priceParty(people(3), tour, 20).bought!
    t.match(priceAnew(whole, null, priceList(), { capacity: 20 }).errors, [
      { field: 'Price', message: /single places/ },
    ])
    t.match(priceAnew(sold, null, tour, { capacity: 12 }).bought, {
      places: 12,
      takesTimeslot: true,
      unitPriceMinor: 30_000,
    })
  },
)

t.test('a move at current prices is refused for a party that breaks a rule of the timeslot', async (t) => {
  const sold = priceParty(people(5), priceList(), 20).bought!
  const small = priceList({ maxPlaces: 4 })
  t.match(priceAnew(sold, null, small, { capacity: 20 }).errors, [
    { field: 'Price', message: /^must be kept: .*at most 4 places/ },
  ])
  t.match(priceAnew(sold, people(6), small, { capacity: 20 }).errors, [{ field: 'Participants' }])
})
