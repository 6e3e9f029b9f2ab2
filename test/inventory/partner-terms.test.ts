/** The amounts that partners owe, tested with random values. */
import fc from 'fast-check'
import t from 'tap'
import { type Bought, totalOf } from '../../src/inventory/bought.ts'
import { owedOf } from '../../src/inventory/partner-terms.ts'
import { percentOf } from '../../src/platform/text/money.ts'

const price = fc.integer({ min: 0, max: 10 ** 9 })
const quantity = fc.integer({ min: 1, max: 999 })
const unit = fc.record({ id: fc.nat(), quantity, priceMinor: price, netMinor: price })
const bought: fc.Arbitrary<Bought> = fc
  .record({
    participants: quantity,
    units: fc.option(fc.array(unit, { minLength: 1, maxLength: 10 })),
    unitPriceMinor: price,
    pricedPerBooking: fc.boolean(),
    discount: fc.integer({ min: 0, max: 100 }),
  })
  .map(({ units, discount, pricedPerBooking, ...rest }) => {
    const named =
      units?.map((one) => ({ ...one, name: 'Adult', type: 'ADULT', places: 1, people: 1 })) ?? null
    const sale = { ...rest, pricedPerBooking, units: pricedPerBooking ? null : named }
    const full = {
      ...sale,
      places: 1,
      currency: 'EUR',
      takesTimeslot: false,
      discountMinor: '0',
      commissionBp: null,
      netMinor: null,
    }
    return { ...full, discountMinor: String(percentOf(totalOf(full), discount * 100)) }
  })
const commission = fc.integer({ min: 0, max: 10_000 })

t.test('the amount owed and the commission add up to the total, to the last minor unit', async () => {
  fc.assert(
    fc.property(bought, commission, (sale, commissionBp) => {
      const owed = owedOf({ ...sale, commissionBp })!
      const kept = percentOf(totalOf(sale), commissionBp)
      return owed + kept === totalOf(sale) && owed >= 0n && kept >= 0n
    }),
  )
})

t.test('a higher commission never increases the amount owed', async () => {
  fc.assert(
    fc.property(bought, commission, commission, (sale, one, other) => {
      const owed = (commissionBp: number) => owedOf({ ...sale, commissionBp })!
      return owed(Math.max(one, other)) <= owed(Math.min(one, other))
    }),
  )
})

t.test(
  'the partner owes the net price of each person or unit, or of the whole booking, at any sale price',
  async () => {
    fc.assert(
      fc.property(bought, price, (sale, netMinor) => {
        const owed = owedOf({ ...sale, netMinor })!
        const { units, participants, pricedPerBooking } = sale
        if (pricedPerBooking) return owed === BigInt(netMinor)
        const nets = units
          ? units.flatMap((one) => Array.from({ length: one.quantity }, () => BigInt(one.netMinor!)))
          : Array.from({ length: participants }, () => BigInt(netMinor))
        return owed === nets.reduce((sum, net) => sum + net, 0n)
      }),
    )
  },
)

t.test('without terms, the amount owed is null; under a commission of 100 %, it is 0', async (t) => {
  fc.assert(fc.property(bought, (sale) => owedOf(sale) === null))
  const [sale] = fc.sample(bought, 1)
  t.equal(owedOf({ ...sale!, commissionBp: 10_000 }), 0n)
})
