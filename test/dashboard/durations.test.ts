/** Durations in forms: examples, and rules that hold for any duration. */
import fc from 'fast-check'
import t from 'tap'
import {
  durationUnits,
  inLargestUnit,
  isDurationUnit,
  toMinutes,
} from '../../src/dashboard/parts/durations.ts'

const minutes = fc.oneof(
  fc.nat(525_600),
  fc.nat(365).map((days) => days * 1440),
)

t.test('a duration that a form shows is the same duration when it is sent again', async () => {
  fc.assert(
    fc.property(minutes, (stored) => {
      const { count, unit } = inLargestUnit(stored)
      return Number.isInteger(count) && toMinutes(count, unit) === stored
    }),
  )
})

t.test('a duration is shown with the largest unit that gives a whole number', async (t) => {
  t.same(inLargestUnit(2880), { count: 2, unit: 'days' })
  t.same(inLargestUnit(90), { count: 90, unit: 'minutes' })
  t.same(inLargestUnit(0), { count: 0, unit: 'minutes' })
  fc.assert(
    fc.property(minutes, (stored) => {
      const { count } = inLargestUnit(stored)
      return durationUnits.every((unit) => {
        const other = stored / toMinutes(1, unit)
        return stored === 0 || !Number.isInteger(other) || other >= count
      })
    }),
  )
})

t.test('fractions of an hour are converted to minutes, which need not be a whole number', async (t) => {
  t.equal(toMinutes(1.5, 'hours'), 90)
  t.equal(toMinutes(1.1, 'hours'), 66)
  t.notOk(Number.isInteger(toMinutes(0.01, 'hours')))
  t.notOk(isDurationUnit('toString'), 'an inherited property is not a unit')
})
