/** Days, numbers and amounts in few letters, for calendars and charts, as a locale writes them. */
import { currencyDecimals } from '../platform/text/currencies.ts'
import type { Texts } from './texts.ts'

export type ShortFormats = {
  /** A day with a short weekday, and without its year. */
  day(date: string): string
  /** A day, with its year unless that is the year of `today`. */
  dayNear(date: string, today: string): string
  /** A day without its year and weekday. */
  date(date: string): string
  /** The weekday of a date, in at most four letters, also where the locale has no short name for it. */
  weekday(date: string): string
  /** A time of day. Where the locale has AM and PM, they are one letter: `7:30a`. */
  clock(time: string): string
  /** A text, such as opening hours, in which AM and PM are shortened to one letter. */
  hours(text: string): string
  /** A range of days, with the year. */
  range(from: string, to: string): string
  /** A month with its year. */
  month(date: string): string
  /** Such as `1.2K`. */
  number(value: number): string
  /** @param minor In the currency's smallest unit. */
  money(minor: number, currency: string): string
}

const made = new WeakMap<Texts, ShortFormats>()

export function shortFormats(t: Texts): ShortFormats {
  const known = made.get(t) ?? createShortFormats(t)
  made.set(t, known)
  return known
}

function createShortFormats({ locale, clock, day }: Texts): ShortFormats {
  const dayWith = (parts: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...parts, timeZone: 'UTC' })
    return (date: string) => format.format(new Date(`${date}T00:00:00Z`))
  }
  const withShortWeekday = (parts: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...parts, timeZone: 'UTC' })
    return (date: string) =>
      format
        .formatToParts(new Date(`${date}T00:00:00Z`))
        .map(({ type, value }) => (type === 'weekday' ? shortWeekday(value) : value))
        .join('')
  }
  const ranges = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const short = { notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 1 } as const
  const numbers = new Intl.NumberFormat(locale, short)
  const amounts = new Map<string, (minor: number) => string>()
  const amountsOf = (currency: string) => {
    const unit = 10 ** (currencyDecimals(currency) ?? 2)
    const format = new Intl.NumberFormat(locale, { style: 'currency', currency, ...short })
    return (minor: number) => format.format(minor / unit)
  }
  const shortDay = withShortWeekday({ weekday: 'short', day: 'numeric', month: 'short' })
  return {
    day: shortDay,
    dayNear: (date, today) => (date.slice(0, 4) === today.slice(0, 4) ? shortDay(date) : day(date)),
    date: dayWith({ day: 'numeric', month: 'short' }),
    weekday: withShortWeekday({ weekday: 'short' }),
    clock: (time) => withShortAmPm(clock(time)),
    hours: withShortAmPm,
    range: (from, to) => ranges.formatRange(new Date(from), new Date(to)),
    month: dayWith({ month: 'long', year: 'numeric' }),
    number: (value) => numbers.format(value),
    money(minor, currency) {
      const write = amounts.get(currency) ?? amountsOf(currency)
      amounts.set(currency, write)
      return write(minor)
    },
  }
}

function shortWeekday(name: string): string {
  return [...name].length > 4 ? [...name].slice(0, 3).join('') : name
}

function withShortAmPm(text: string): string {
  return text.replace(/\s([AP])(?:M\b|\.M\.)/gi, (_, half: string) => half.toLowerCase())
}
