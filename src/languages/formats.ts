/** Dates, times, numbers, money and lists as a locale writes them. Pure. */
import { currencyDecimals } from '../platform/text/currencies.ts'
import { longDate } from '../platform/text/local-time.ts'
import type { Price } from '../platform/text/money.ts'
import type { Locale } from './locales.ts'

export type LocaleFormats = {
  number(value: number): string
  /**
   * A date with its weekday: Saturday 15 June 2030.
   * @param date `YYYY-MM-DD`.
   */
  date(date: string): string
  /** @param time a local time, `HH:MM`. */
  time(time: string): string
  /** A price with the decimals of its currency. If the amount has more, up to 4 are shown. */
  money(price: Price): string
  /** A price, like money(). @param amountMinor the amount in the currency's minor units. */
  amount(amountMinor: number, currency: string): string
  /**
   * A short date for lists: Sat, 15 Jun 2030.
   * @param date `YYYY-MM-DD`.
   */
  day(date: string): string
  /**
   * A short time: 9:30.
   * @param time a local time, `HH:MM`.
   */
  clock(time: string): string
  /** An instant on the clock of a time zone; short: 15 Jun 2030, 9:30. */
  moment(at: Date | string, timeZone: string): string
  /** The time of an instant, without its date: 9:30. */
  clockAt(at: Date | string, timeZone: string): string
  /** A day without its weekday. */
  plainDay(date: string): string
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
  const shortDays = new Intl.DateTimeFormat(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const plainDays = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const clocks = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' })
  const moments = remember(
    (timeZone: string) => new Intl.DateTimeFormat(locale, { ...partsOfMoment, timeZone }),
  )
  const clocksOf = remember(
    (timeZone: string) => new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone }),
  )
  const amountsWith = remember((digits: number) =>
    remember((currency: string) => {
      const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits }
      return new Intl.NumberFormat(locale, { style: 'currency', currency, ...decimals })
    }),
  )
  const conjunction = new Intl.ListFormat(locale, { type: 'conjunction' })
  const disjunction = new Intl.ListFormat(locale, { type: 'disjunction' })
  const time = (text: string) => times.format(new Date(`1970-01-01T${text}:00Z`))
  return {
    number: (value) => numbers.format(value),
    // Versions of Node differ in the commas of this locale.
    date: (date) => (locale === 'en-GB' ? longDate(date) : days.format(new Date(`${date}T00:00:00Z`))),
    time,
    money({ Amount, Currency }) {
      const written = Amount.split('.')[1]?.length ?? 0
      const digits = Math.max(Math.min(written, maxDecimals), decimalsOf(Currency))
      return amountsWith(digits)(Currency).format(Amount as `${number}`)
    },
    amount(amountMinor, currency) {
      const digits = decimalsOf(currency)
      const format = amountsWith(digits)(currency)
      return format.format(amountMinor / 10 ** digits).replace('-', '−')
    },
    day: (date) => shortDays.format(new Date(`${date}T00:00:00Z`)),
    plainDay: (date) => plainDays.format(new Date(`${date}T00:00:00Z`)),
    clock: (time) => clocks.format(new Date(`1970-01-01T${time}:00Z`)),
    moment: (at, timeZone) => moments(timeZone).format(new Date(at)),
    clockAt: (at, timeZone) => clocksOf(timeZone).format(new Date(at)),
    all: (items) => conjunction.format(items),
    any: (items) => disjunction.format(items),
    hours: (periods) =>
      conjunction.format(periods.map(({ opens, closes }) => `${time(opens)}–${time(closes)}`)),
  }
}

const partsOfMoment = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
} as const

// The most decimals that a request may have.
const maxDecimals = 4

function decimalsOf(currency: string): number {
  return currencyDecimals(currency) ?? 2
}

/** Caches the result for each key, because making a format takes as long as using it a hundred times. */
function remember<Key extends string | number, T>(make: (name: Key) => T): (name: Key) => T {
  const known = new Map<Key, T>()
  return (name) => {
    const one = known.get(name) ?? make(name)
    known.set(name, one)
    return one
  }
}
