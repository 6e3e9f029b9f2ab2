/** Opening hours in one line. */
import fc from 'fast-check'
import t from 'tap'
import { hoursText } from '../../src/catalogue/opening-hours.ts'

const [morning, noon, night] = [
  { opens: '09:00', closes: '12:00' },
  { opens: '13:30', closes: '17:00' },
  { opens: '20:00', closes: '02:00' },
] as const

t.test('opening hours are written as people write them', async (t) => {
  t.equal(hoursText([morning]), '09:00–12:00')
  t.equal(hoursText([morning, noon]), '09:00–12:00 and 13:30–17:00')
  t.equal(hoursText([morning, noon, night]), '09:00–12:00, 13:30–17:00 and 20:00–02:00')
  t.equal(hoursText([]), '')
})

t.test('every period is written, in order', async () => {
  const time = fc.constantFrom('00:00', '09:00', '12:30', '23:59')
  const periods = fc.array(fc.record({ opens: time, closes: time }), { maxLength: 10 })
  fc.assert(
    fc.property(periods, (hours) => {
      const periodsInText = hoursText(hours).split(/, | and /)
      const each = hours.map(({ opens, closes }) => `${opens}–${closes}`)
      return periodsInText.join() === each.join()
    }),
  )
})
