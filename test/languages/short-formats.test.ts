/** Days, times and numbers in few letters, for calendars and charts. */
import t from 'tap'
import { shortFormats } from '../../src/languages/short-formats.ts'
import { textsIn } from '../../src/languages/texts.ts'

t.test('a time in few letters has its half of the day, where the locale has halves', async (t) => {
  t.equal(shortFormats(textsIn('en-US')).clock('07:30'), '7:30a')
  t.equal(shortFormats(textsIn('en-US')).clock('13:00'), '1:00p')
  t.equal(shortFormats(textsIn('pt-PT')).clock('13:00'), '13:00')
})
