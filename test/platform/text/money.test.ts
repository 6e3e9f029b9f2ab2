/** Amounts of money, their rounding and their division, tested with random values. */
import fc from 'fast-check'
import t from 'tap'
import { currencies, currencyDecimals } from '../../../src/platform/text/currencies.ts'
import { percentOf, shareOut, toAmount, toExactMinorUnits } from '../../../src/platform/text/money.ts'

const minor = fc.bigInt({ min: 0n, max: 10n ** 18n })
const basisPoints = fc.integer({ min: 0, max: 10_000 })

t.test('a currency has its own number of decimals', async (t) => {
  t.same(['EUR', 'JPY', 'KWD', 'XYZ'].map(currencyDecimals), [2, 0, 3, null])
  t.equal(toAmount(1250, 'EUR'), '12.50')
  t.equal(toAmount(1250, 'JPY'), '1250')
  t.equal(toAmount(1250, 'KWD'), '1.250')
})

t.test('decimals are those of ISO 4217, even where the locale data of Node.js have fewer', async (t) => {
  const others = ['BHD', 'CLP', 'COP', 'HUF', 'IDR', 'IQD', 'PKR', 'UGX']
  t.same(others.map(currencyDecimals), [3, 0, 2, 2, 2, 3, 2, 0])
  t.equal(toAmount(1_250_000, 'HUF'), '12500.00')
})

t.test('prices may be in every currency in circulation that Node knows', async (t) => {
  // The special drawing right and the sucre are units of account without decimals in ISO 4217.
  const isMoney = (code: string) => code !== 'XDR' && code !== 'XSU'
  const known = new Set(currencies)
  t.same(
    Intl.supportedValuesOf('currency').filter((code) => isMoney(code) && !known.has(code)),
    [],
  )
  t.same(currencies, [...known].sort())
})

t.test('an amount that is written and read again is the same, in every currency', async () => {
  fc.assert(
    fc.property(minor, fc.constantFrom(...currencies), (amount, currency) => {
      return toExactMinorUnits(toAmount(amount, currency), currency) === amount
    }),
  )
})

t.test('a percentage is rounded to the nearest minor unit, and halves are rounded up', async (t) => {
  t.equal(percentOf(1050n, 1000), 105n)
  t.equal(percentOf(1005n, 1000), 101n)
  t.equal(percentOf(1004n, 1000), 100n)
  fc.assert(
    fc.property(minor, basisPoints, (amount, percent) => {
      const exact = amount * BigInt(percent)
      const twice = 2n * (percentOf(amount, percent) * 10_000n - exact)
      return twice > -10_000n && twice <= 10_000n
    }),
  )
})

t.test('a percentage of an amount is never more than the amount, and 100 % is the whole amount', async () => {
  fc.assert(fc.property(minor, basisPoints, (amount, percent) => percentOf(amount, percent) <= amount))
  fc.assert(
    fc.property(minor, (amount) => percentOf(amount, 10_000) === amount && percentOf(amount, 0) === 0n),
  )
})

const weights = fc
  .array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { minLength: 1, maxLength: 50 })
  .filter((all) => all.some((weight) => weight > 0n))

t.test(
  'the parts of a divided amount add up, and each is within one minor unit of its exact share',
  async () => {
    fc.assert(
      fc.property(minor, weights, (amount, shares) => {
        const parts = shareOut(amount, shares)
        const sum = shares.reduce((total, share) => total + share, 0n)
        const isNear = parts.every((part, index) => {
          const difference = part * sum - amount * shares[index]!
          return difference > -sum && difference < sum
        })
        return isNear && parts.reduce((total, part) => total + part, 0n) === amount
      }),
    )
  },
)

t.test('no part is larger than its weight if the amount is at most the sum of the weights', async () => {
  fc.assert(
    fc.property(weights, fc.integer({ min: 0, max: 1000 }), (shares, thousandths) => {
      const sum = shares.reduce((total, share) => total + share, 0n)
      const parts = shareOut((sum * BigInt(thousandths)) / 1000n, shares)
      return parts.every((part, index) => part <= shares[index]!)
    }),
  )
})
