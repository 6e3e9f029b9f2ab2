/** Dates, times, numbers, money and lists as a locale writes them. Pure. */
import { longDate } from '../platform/text/local-time.ts'
import type { Price } from '../platform/text/money.ts'
import type { Locale } from './locales.ts'

export type LocaleFormats = {
  number(value: number): string
  /** @param date `YYYY-MM-DD`; with its weekday: Saturday 15 June 2030. */
  date(date: string): string
  /** @param time `HH:MM` on the wall. */
  time(time: string): string
  money(price: Price): string
  /** A, B and C. */
  all(items: readonly string[]): string
  /** A, B or C. */
  any(items: readonly string[]): string
  /** Opening hours in one line. */
  hours(periods: readonly { opens: string; closes: string }[]): string
}

export function createFormats(locale: Locale): LocaleFormats {
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 })
  const times = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' })
  const days = new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const conjunction = new Intl.ListFormat(locale, { type: 'conjunction' })
  const disjunction = new Intl.ListFormat(locale, { type: 'disjunction' })
  // To make one takes as long as to use it a hundred times.
  const amounts = new Map<string, Intl.NumberFormat>()
  const time = (text: string) => times.format(new Date(`1970-01-01T${text}:00Z`))
  return {
    number: (value) => numbers.format(value),
    // Versions of Node differ in the commas of this locale.
    date: (date) => (locale === 'en-GB' ? longDate(date) : days.format(new Date(`${date}T00:00:00Z`))),
    time,
    money({ Amount, Currency }) {
      const format =
        amounts.get(Currency) ?? new Intl.NumberFormat(locale, { style: 'currency', currency: Currency })
      amounts.set(Currency, format)
      return format.format(Amount as `${number}`)
    },
    all: (items) => conjunction.format(items),
    any: (items) => disjunction.format(items),
    hours: (periods) =>
      conjunction.format(periods.map(({ opens, closes }) => `${time(opens)}–${time(closes)}`)),
  }
}
