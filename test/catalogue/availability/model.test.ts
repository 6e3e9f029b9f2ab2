/** Property tests of the pure rules of availability. */
import fc from 'fast-check'
import t from 'tap'
import {
  maxDays,
  rangeErrors,
  repeatErrors,
  unknownErrors,
  weeksOf,
} from '../../../src/catalogue/availability/model.ts'
import { addDays, daysBetween, isCalendarDate } from '../../../src/platform/text/calendar.ts'

const dates = fc.integer({ min: 0, max: 3_650_000 }).map((days) => addDays('0001-01-01', days))
const ranges = fc
  .record({ from: dates, days: fc.integer({ min: 1, max: 400 }) })
  .map(({ from, days }) => ({ from, to: addDays(from, days - 1) }))

t.test('the weeks of a range are its dates in order, seven to each week but the last', async () => {
  fc.assert(
    fc.property(ranges, ({ from, to }) => {
      const weeks = weeksOf(from, to)
      const all = weeks.flat()
      return (
        all[0] === from &&
        all.at(-1) === to &&
        all.length === daysBetween(from, to) + 1 &&
        all.every((date, index) => isCalendarDate(date) && (index === 0 || date > all[index - 1]!)) &&
        weeks.slice(0, -1).every((week) => week.length === 7) &&
        weeks.at(-1)!.length >= 1
      )
    }),
  )
  t.same(weeksOf('2030-03-30', '2030-04-06'), [
    ['2030-03-30', '2030-03-31', '2030-04-01', '2030-04-02', '2030-04-03', '2030-04-04', '2030-04-05'],
    ['2030-04-06'],
  ])
})

t.test('a range is refused if it ends before it begins, or is longer than the limit', async () => {
  fc.assert(
    fc.property(
      dates,
      fc.integer({ min: -400, max: 400 }),
      fc.integer({ min: 1, max: maxDays }),
      (from, days, most) => {
        const to = addDays(from, days)
        const length = daysBetween(from, to) + 1
        return rangeErrors(from, to, most).length === (length < 1 || length > most ? 1 : 0)
      },
    ),
  )
})

t.test('each repeated ActivityID is named, with the position of the first', async () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c', '__proto__')), (ids) => {
      const errors = repeatErrors(ids)
      const expected = ids.flatMap((id, index) => {
        const first = ids.indexOf(id)
        const message = `${id} is the same as ActivityIDs[${first}]`
        return first < index ? [{ field: `ActivityIDs[${index}]`, message }] : []
      })
      return JSON.stringify(errors) === JSON.stringify(expected)
    }),
  )
})

t.test('each unknown ActivityID is named, and no other', async () => {
  fc.assert(
    fc.property(fc.array(fc.record({ id: fc.uuid(), found: fc.constantFrom(null, []) })), (asked) => {
      const fields = unknownErrors(
        asked.map(({ id }) => id),
        asked.map(({ found }) => found),
      ).map(({ field }) => field)
      const expected = asked.flatMap(({ found }, index) => (found ? [] : `ActivityIDs[${index}]`))
      return fields.join() === expected.join()
    }),
  )
})
