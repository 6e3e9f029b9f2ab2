import t from 'tap'
import { isCalendarDate } from '../../../src/platform/text/calendar.ts'

const inDigits = (number: number, length: number) => String(number).padStart(length, '0')

t.test('a calendar date is a day that its month has in its year', async (t) => {
  const wrong = []
  // These are leap years and common years of each kind, and the first and the last year.
  for (const year of [0, 1, 4, 100, 400, 1900, 1999, 2000, 2024, 2026, 2100, 9999])
    for (let month = 0; month <= 13; month++)
      for (let day = 0; day <= 32; day++) {
        const text = `${inDigits(year, 4)}-${inDigits(month, 2)}-${inDigits(day, 2)}`
        const instant = new Date(`${text}T00:00:00Z`)
        const exists = !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text) && year > 0
        if (isCalendarDate(text) !== exists) wrong.push(text)
      }
  t.same(wrong, [])
})

t.test('a calendar date has four, two and two digits', async (t) => {
  for (const text of [
    '',
    '2026-1-01',
    '02026-01-01',
    '2026-01-1',
    '2026/01/01',
    '2026-01-01T00:00:00Z',
    ' 2026-01-01',
  ])
    t.notOk(isCalendarDate(text), text)
})
