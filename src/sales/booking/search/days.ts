/** Days and times as people type them in a search. Pure. */
import { languageNames } from '../../../languages/locales.ts'
import { addDays, daysBetween, isCalendarDate } from '../../../platform/text/calendar.ts'
import { fold } from '../../../platform/text/fold.ts'

const months = vocabulary((language) => {
  const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
  return Array.from({ length: 12 }, (_, month) => ({
    name: format.format(Date.UTC(2030, month)),
    value: month + 1,
  }))
})
// Each language abbreviates months differently. The first three letters are understood in every language, and `sept`
// too.
for (const [name, month] of [...months]) months.set(name.slice(0, 3), month)
months.set('sept', 9)

const offsets = vocabulary((language) => {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  return [-1, 0, 1].map((value) => ({ name: format.format(value, 'day'), value }))
})

/** The weekdays by their names, from 0 for Monday. */
const weekdays = vocabulary((language) => {
  const format = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  // 7 January 2030 is a Monday. Portuguese days need their `-feira`, because `quinta` alone mostly means an estate.
  return Array.from({ length: 7 }, (_, value) => ({
    name: format.format(Date.UTC(2030, 0, 7 + value)),
    value,
  }))
})
// Only English weekdays may be abbreviated: in other languages three letters are often a name or another
// word.
for (const [name, day] of [...weekdays]) if (name.endsWith('day')) weekdays.set(name.slice(0, 3), day)
for (const [name, day] of Object.entries({ tues: 1, thur: 3, thurs: 3 })) weekdays.set(name, day)

const month = `${oneOf(months)}\\.?`
const dayOfMonth = '(\\d{1,2})(?:st|nd|rd|th)?\\.?'
// `15 de junho de 2030`.
const [gap, year] = ['\\s+(?:de\\s+)?', '(?:(?:,?\\s+|\\s+de\\s+)(\\d{4}))?']
// A day or time is not found inside a word, nor in a longer row of digits such as a phone number.
const [before, after] = ['(?<![\\p{L}\\p{N}./-])', '(?![\\p{L}\\p{N}]|[./-]\\d|-\\p{L})']

const pattern = (text: string) => new RegExp(`${before}${text}${after}`, 'iu')
const isoDate = pattern('(\\d{4}-\\d{2}-\\d{2})')
const dayFirst = pattern(`${dayOfMonth}${gap}${month}${year}`)
const monthFirst = pattern(`${month}\\s+${dayOfMonth}${year}`)
const inNumbers = pattern('(\\d{1,2})[./](\\d{1,2})(?:[./](\\d{4})?)?')
const inWords = pattern(oneOf(offsets))
const weekday = pattern(oneOf(weekdays))
// `9:30`, `21:30`, `9:30 pm` and `9 pm`.
const clock = pattern('(?:(1[0-2]|0?[1-9])(?::([0-5]\\d))?\\s?([ap])\\.?m\\.?|([01]?\\d|2[0-3]):([0-5]\\d))')

type Word = { name: string; value: number }

/** The values of the words of all languages, by the word in lower case and without accents. */
function vocabulary(wordsIn: (language: string) => Word[]): Map<string, number> {
  return new Map(
    languageNames.flatMap((language) => wordsIn(language).map(({ name, value }) => [fold(name), value])),
  )
}

/** A pattern of all words, the longest first, because a word may begin with another word. */
function oneOf(words: ReadonlyMap<string, number>): string {
  return `(${[...words.keys()].sort((one, other) => other.length - one.length).join('|')})`
}

/** A day without a year may be at most this many days ago. If it is further back, the day of the next year is meant. */
const longestBack = 120

/**
 * Finds a day that a text names in any of the languages. `rest` is the text without it and without accents. A
 * date is preferred to a word such as `today`, and such a word to a weekday. In a date such as `15.6.`, the day
 * comes before the month, unless there is no such month. If the day is not found by its weekday, the first
 * name of a weekday anywhere in the text is removed too.
 */
export function findDay(typed: string, today: string): { day: string | null; rest: string } {
  const text = typed.normalize('NFD').replace(/\p{M}/gu, '')
  const readers: [RegExp, (found: RegExpExecArray) => string | null][] = [
    [isoDate, ([, date]) => (isCalendarDate(date!) ? date! : null)],
    [dayFirst, ([, day, name, year]) => dateOf(day!, months.get(fold(name!))!, year, today)],
    [monthFirst, ([, name, day, year]) => dateOf(day!, months.get(fold(name!))!, year, today)],
    [inNumbers, ([, first, second, year]) => dateOf(...inOrder(first!, second!), year, today)],
    [inWords, ([, word]) => addDays(today, offsets.get(fold(word!))!)],
    [weekday, ([, name]) => nextWeekday(name!, today)],
  ]
  for (const [reader, read] of readers) {
    const found = reader.exec(text)
    const day = found && read(found)
    if (!day) continue
    const rest = `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`
    return { day, rest: reader === weekday ? rest : rest.replace(weekday, ' ') }
  }
  return { day: null, rest: text }
}

/** The first time of day that a text names, as `09:00`, and the text without it. */
export function findTime(text: string): { time: string | null; rest: string } {
  const found = clock.exec(text)
  if (!found) return { time: null, rest: text }
  const [whole, onHalf, past = '00', half, onDay, minute = past] = found
  const hour = onDay ?? String((Number(onHalf) % 12) + (half!.toLowerCase() === 'p' ? 12 : 0))
  const rest = `${text.slice(0, found.index)} ${text.slice(found.index + whole.length)}`
  return { time: `${hour.padStart(2, '0')}:${minute}`, rest }
}

/** The day and the month of a date in numbers. The month comes first only if the second number cannot be a month. */
function inOrder(first: string, second: string): [day: string, month: number] {
  return Number(second) > 12 && Number(first) <= 12 ? [second, Number(first)] : [first, Number(second)]
}

/** The next date with this weekday, which may be today. */
function nextWeekday(name: string, today: string): string {
  const index = weekdays.get(fold(name))!
  const now = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7
  return addDays(today, (index - now + 7) % 7)
}

/** A date; without a year, the one of the last 120 days, or else the next one. Null for a date that does not exist. */
function dateOf(day: string, month: number, year: string | undefined, today: string): string | null {
  const dateIn = (year: number) => {
    const date = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`
    return isCalendarDate(date) ? date : null
  }
  if (year !== undefined) return dateIn(Number(year))
  const thisYear = Number(today.slice(0, 4))
  // A 29th of February may be four years away.
  const near = [-1, 0, 1, 2, 3, 4].map((ahead) => dateIn(thisYear + ahead))
  return near.find((date) => date !== null && daysBetween(date, today) <= longestBack) ?? null
}
