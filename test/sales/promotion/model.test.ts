/** Rules of promotions: when and for what they are valid, their uses, and their discount of each line. */
import fc from 'fast-check'
import t from 'tap'
import {
  discountLines,
  isFor,
  type PromotionTerms,
  type ReducibleLine,
  shareUpTo,
  toReduction,
  whyNotToday,
  whyNoUse,
} from '../../../src/sales/promotion/model.ts'

const everything = { productIds: null, travelFrom: null, travelTo: null }
const percent = (basisPoints: number): PromotionTerms => ({ basisPoints, amountMinor: null, currency: null })
const amount = (amountMinor: number): PromotionTerms => ({ basisPoints: null, amountMinor, currency: 'EUR' })
const line = (priceMinor: bigint, changes: Partial<ReducibleLine> = {}): ReducibleLine => {
  return { productId: 1, date: '2030-06-15', currency: 'EUR', priceMinor, ...changes }
}
const sumOf = (amounts: bigint[]) => amounts.reduce((sum, minor) => sum + minor, 0n)
const prices = fc.array(fc.bigInt(0n, 10n ** 17n), { minLength: 1, maxLength: 50 })

t.test(
  'a percentage is taken off each line, rounded to the nearest minor unit, with halves up',
  async (t) => {
    const lines = [line(4500n), line(45n), line(5n), line(4n), line(0n)]
    t.same(discountLines({ ...percent(1000), ...everything }, lines), [450n, 5n, 1n, 0n, 0n])
    t.same(discountLines({ ...percent(10_000), ...everything }, lines), [4500n, 45n, 5n, 4n, 0n])
  },
)

t.test(
  'an amount is shared over the lines in proportion to their prices, to the last minor unit',
  async (t) => {
    t.same(discountLines({ ...amount(1000), ...everything }, [line(9000n), line(4500n)]), [667n, 333n])
    t.same(discountLines({ ...amount(1000), ...everything }, [line(300n), line(200n)]), [300n, 200n])
    t.same(discountLines({ ...amount(1000), ...everything }, [line(0n), line(0n)]), [0n, 0n])
    t.same(discountLines({ ...amount(1000), ...everything }, []), [])
  },
)

t.test('no line is reduced below 0, for any promotion and prices', async () => {
  const terms = fc.oneof(fc.integer({ min: 1, max: 10_000 }).map(percent), fc.integer({ min: 1 }).map(amount))
  fc.assert(
    fc.property(terms, prices, (promotion, minors) => {
      const lines = minors.map((minor) => line(minor))
      const discounts = discountLines({ ...promotion, ...everything }, lines)
      return discounts.every((discount, index) => discount >= 0n && discount <= minors[index]!)
    }),
  )
})

t.test('the discount of an amount is the amount or, if less, the price of all lines', async () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 18n), prices, (minor, minors) => {
      const sum = sumOf(minors)
      return sumOf(shareUpTo(minor, minors)) === (minor < sum ? minor : sum)
    }),
  )
})

t.test('each share differs from its exact part by less than one minor unit', async () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 18n), prices, (minor, minors) => {
      const sum = sumOf(minors)
      if (sum === 0n) return true
      const shared = minor < sum ? minor : sum
      return shareUpTo(minor, minors).every((share, index) => {
        const distance = share * sum - shared * minors[index]!
        return distance < sum && -distance < sum
      })
    }),
  )
})

t.test(
  'lines that a promotion does not apply to cost the full price, and take no share of an amount',
  async (t) => {
    const scope = { productIds: [1], travelFrom: '2030-06-01', travelTo: '2030-06-30' }
    const lines = [
      line(1000n),
      line(1000n, { productId: 2 }),
      line(1000n, { date: '2030-05-31' }),
      line(1000n, { date: '2030-07-01' }),
      line(1000n, { date: '2030-06-01' }),
      line(1000n, { date: '2030-06-30' }),
    ]
    t.same(discountLines({ ...percent(5000), ...scope }, lines), [500n, 0n, 0n, 0n, 500n, 500n])
    t.same(discountLines({ ...amount(100), ...scope }, lines), [34n, 0n, 0n, 0n, 33n, 33n])
    t.notOk(isFor({ ...amount(100), ...everything }, line(1000n, { currency: 'USD' })))
    t.ok(isFor({ ...percent(100), ...everything }, line(1000n, { currency: 'USD' })))
  },
)

const open = { active: true, saleFrom: null, saleTo: null, maxUses: null, maxUsesPerCustomer: null }

t.test('a code is valid on its sale dates, both included, until it is ended', async (t) => {
  const may = { ...open, saleFrom: '2030-05-01', saleTo: '2030-05-31' }
  t.equal(whyNotToday(may, '2030-04-30'), 'outside-sale-dates')
  t.equal(whyNotToday(may, '2030-05-01'), null)
  t.equal(whyNotToday(may, '2030-05-31'), null)
  t.equal(whyNotToday(may, '2030-06-01'), 'outside-sale-dates')
  t.equal(whyNotToday({ ...open, active: false }, '2030-05-01'), 'not-active')
})

t.test('uses are limited in total and per customer; the customer limit needs a known customer', async (t) => {
  const uses = { total: 3, ofCustomer: 1 }
  t.equal(whyNoUse(open, uses, false), null)
  t.equal(whyNoUse({ ...open, maxUses: 4 }, uses, false), null)
  t.equal(whyNoUse({ ...open, maxUses: 3 }, uses, true), 'used-up')
  t.equal(whyNoUse({ ...open, maxUsesPerCustomer: 2 }, uses, true), null)
  t.equal(whyNoUse({ ...open, maxUsesPerCustomer: 1 }, uses, true), 'used-by-customer')
  t.equal(whyNoUse({ ...open, maxUsesPerCustomer: 1 }, uses, false), 'customer-needed')
})

t.test('a percentage has at most two decimals, and is above 0 and at most 100', async (t) => {
  for (const [text, basisPoints] of [
    ['10', 1000],
    ['12.5', 1250],
    ['0.01', 1],
    ['100', 10_000],
  ] as const)
    t.equal(toReduction(text), basisPoints)
  for (const text of ['0', '0.00', '100.01', '101', '12.345', '1e1', '-1', '', '.5', '5.', '٣'])
    t.equal(toReduction(text), null, text)
})
