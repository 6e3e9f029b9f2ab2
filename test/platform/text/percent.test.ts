import fc from 'fast-check'
import t from 'tap'
import { percentPattern, toBasisPoints, toPercent } from '../../../src/platform/text/percent.ts'

t.test('a percentage is written and read to the hundredth, without unneeded decimals', async () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000 }), (basisPoints) => {
      const text = toPercent(basisPoints)
      return (
        new RegExp(percentPattern).test(text) &&
        toBasisPoints(text) === basisPoints &&
        (!text.includes('.') || !text.endsWith('0'))
      )
    }),
    { numRuns: 1000 },
  )
})

t.test('a percentage is 0 to 100, with at most two decimals', async (t) => {
  const pattern = new RegExp(percentPattern)
  for (const text of ['0', '12.5', '12.50', '99.99', '100', '100.0', '100.00']) t.match(text, pattern)
  for (const text of ['', '-1', '100.01', '101', '12.555', '12.', '.5', '1e1', ' 5', '5%'])
    t.notMatch(text, pattern)
  t.equal(toBasisPoints('12.5'), 1250)
  t.equal(toPercent(2000), '20')
  t.equal(toPercent(5), '0.05')
})
