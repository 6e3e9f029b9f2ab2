/** Days and times in few letters, for calendars and charts. */
import t from 'tap'
import { shortFormats } from '../../src/languages/short-formats.ts'
import { textsIn } from '../../src/languages/texts.ts'

t.test('a short time ends with a or p if the locale has a 12-hour clock', async (t) => {
  t.equal(shortFormats(textsIn('en-US')).clock('07:30'), '7:30a')
  t.equal(shortFormats(textsIn('en-US')).clock('13:00'), '1:00p')
  t.equal(shortFormats(textsIn('en-CA')).clock('13:00'), '1:00p', 'where the locale writes p.m.')
  t.equal(shortFormats(textsIn('pt-PT')).clock('13:00'), '13:00')
})

t.test('a short date has a year only if it is not in the current year', async (t) => {
  const { dayNear } = shortFormats(textsIn('en-US'))
  t.equal(dayNear('2026-11-27', '2026-01-05'), 'Fri, Nov 27')
  t.equal(dayNear('2027-01-02', '2026-12-30'), 'Sat, Jan 2, 2027')
})
