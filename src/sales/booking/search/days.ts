/** Days as people type them in a search. Pure. */
import { addDays, daysBetween, isCalendarDate } from '../../../platform/text/calendar.ts'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const month =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?'
const dayOfMonth = '(\\d{1,2})(?:st|nd|rd|th)?\\.?'
const year = '(?:,?\\s+(\\d{4}))?'
// Neither in a word, nor in a longer row of digits such as a phone number.
const [before, after] = ['(?<![\\p{L}\\p{N}./-])', '(?![\\p{L}\\p{N}]|[./-]\\d)']

const pattern = (text: string) => new RegExp(`${before}${text}${after}`, 'iu')
const isoDate = pattern('(\\d{4}-\\d{2}-\\d{2})')
const dayFirst = pattern(`${dayOfMonth}\\s+${month}${year}`)
const monthFirst = pattern(`${month}\\s+${dayOfMonth}${year}`)
const inNumbers = pattern('(\\d{1,2})[./](\\d{1,2})(?:[./](\\d{4})?)?')
const inWords = pattern('(yesterday|today|tomorrow)')
const offsets: Record<string, number> = { yesterday: -1, today: 0, tomorrow: 1 }
const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const weekday = pattern(
  '(mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)',
)
const clock = pattern('([01]?\\d|2[0-3]):([0-5]\\d)')

/** Days back for which a day without a year is one that is over. */
const longestBack = 120

/**
 * The first day that a text names, and the text without it. The day comes before the month, also in numbers. Beside a date, the
 * name of its weekday is left out too.
 */
export function findDay(text: string, today: string): { day: string | null; rest: string } {
  const readers: [RegExp, (found: RegExpExecArray) => string | null][] = [
    [isoDate, ([, date]) => (isCalendarDate(date!) ? date! : null)],
    [dayFirst, ([, day, name, year]) => dateOf(day!, monthOf(name!), year, today)],
    [monthFirst, ([, name, day, year]) => dateOf(day!, monthOf(name!), year, today)],
    [inNumbers, ([, day, month, year]) => dateOf(day!, Number(month), year, today)],
    [inWords, ([, word]) => addDays(today, offsets[word!.toLowerCase()]!)],
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
  const [whole, hour, minute] = found
  const rest = `${text.slice(0, found.index)} ${text.slice(found.index + whole.length)}`
  return { time: `${hour!.padStart(2, '0')}:${minute}`, rest }
}

/** The next day of the week with this name: today, if it is one. */
function nextWeekday(name: string, today: string): string {
  const index = weekdays.indexOf(name.slice(0, 3).toLowerCase())
  const now = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7
  return addDays(today, (index - now + 7) % 7)
}

function monthOf(name: string): number {
  return months.indexOf(name.slice(0, 3).toLowerCase()) + 1
}

/** A date; without a year the next one, or one of the last four months. Null for a day that there is not. */
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
