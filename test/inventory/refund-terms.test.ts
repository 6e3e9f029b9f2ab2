/** The amounts of refunds, tested with random values. */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { checkRefundTerms, fromSteps, toSteps } from '../../src/catalogue/refund-steps.ts'
import { refundOf } from '../../src/inventory/refund-terms.ts'

const hourMs = 3_600_000
const terms = fc.uniqueArray(fc.integer({ min: 0, max: 8760 }), { maxLength: 20 }).chain((hours) =>
  fc
    .array(fc.integer({ min: 0, max: 10_000 }), { minLength: hours.length, maxLength: hours.length })
    .map((percentages) => {
      const falling = percentages.sort((one, other) => other - one)
      const descending = hours.sort((one, other) => other - one)
      return descending.map((hoursBefore, index) => ({ hoursBefore, basisPoints: falling[index]! }))
    }),
)
const total = fc.bigInt({ min: 0n, max: 10n ** 15n })
const msBefore = fc.integer({ min: -1000 * hourMs, max: 9000 * hourMs })

t.test('a refund is never more than the total, nor negative', async () => {
  fc.assert(
    fc.property(terms, total, msBefore, (steps, totalMinor, ms) => {
      const refund = refundOf(steps, totalMinor, ms)
      return refund >= 0n && refund <= totalMinor
    }),
  )
})

t.test('an earlier cancellation never refunds less, and a higher total never refunds less', async () => {
  fc.assert(
    fc.property(terms, total, total, msBefore, msBefore, (steps, some, more, one, other) => {
      const [late, early] = [Math.min(one, other), Math.max(one, other)]
      const [small, large] = some < more ? [some, more] : [more, some]
      return (
        refundOf(steps, some, late) <= refundOf(steps, some, early) &&
        refundOf(steps, small, one) <= refundOf(steps, large, one)
      )
    }),
  )
})

t.test(
  'a refund step applies until its last millisecond; after the start, nothing is refunded',
  async (t) => {
    const steps = [
      { basisPoints: 10_000, hoursBefore: 48 },
      { basisPoints: 5000, hoursBefore: 24 },
      { basisPoints: 1250, hoursBefore: 0 },
    ]
    t.equal(refundOf(steps, 9999n, 48 * hourMs), 9999n)
    t.equal(refundOf(steps, 9999n, 48 * hourMs - 1), 5000n, 'halves are rounded up')
    t.equal(refundOf(steps, 9999n, 24 * hourMs), 5000n)
    t.equal(refundOf(steps, 9999n, 24 * hourMs - 1), 1250n)
    t.equal(refundOf(steps, 9999n, 0), 1250n)
    t.equal(refundOf(steps, 9999n, -1), 0n)
    t.equal(refundOf([], 9999n, 48 * hourMs), 0n)
  },
)

t.test('terms that are written and read again are the same, and have no error', async () => {
  fc.assert(
    fc.property(terms, (steps) => {
      const written = fromSteps(steps)
      const read = toSteps([...written].reverse())
      return checkRefundTerms(written).length === 0 && isDeepStrictEqual(read, steps)
    }),
  )
})

t.test('repeated hours are an error, and so is a percentage that rises towards the start', async (t) => {
  const term = (Percent: string, HoursBefore: number) => ({ Percent, HoursBefore })
  t.match(checkRefundTerms([term('100', 48), term('50', 48)]), [{ index: 1, field: 'HoursBefore' }])
  t.match(checkRefundTerms([term('60', 24), term('50', 48)]), [{ index: 0, field: 'Percent' }])
  t.same(checkRefundTerms([term('50', 24), term('50', 48)]), [], 'the same percentage does not rise')
})
