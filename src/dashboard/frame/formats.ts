/** Formats numbers, money, days and times in the language of the reader's browser. */
import type { FastifyRequest } from 'fastify'
import { tagsOf } from '../../languages/locales.ts'

export type Formats = {
  locale: string
  number(value: number): string
  /** @param minor In the currency's smallest unit. */
  money(minor: number, currency: string): string
  /** @param date `YYYY-MM-DD`, in any time zone. */
  day(date: string): string
  /** @param time wall clock time, `HH:MM`. */
  time(time: string): string
  /** An instant in a time zone. */
  instant(at: Date | string, timeZone: string): string
}

const fallback = 'en-GB'
const made = new Map<string, Formats>()
const mostMade = 200

/** The formats for the header `Accept-Language`, or for the default language. */
export function formatsFor({ headers }: FastifyRequest): Formats {
  const locale = chooseLocale(headers['accept-language'])
  const known = made.get(locale) ?? createFormats(locale)
  // A client may send any header, so the number of stored formats is limited.
  if (made.size < mostMade) made.set(locale, known)
  return known
}

function chooseLocale(header?: string): string {
  for (const tag of tagsOf(header)) {
    try {
      const [locale] = Intl.DateTimeFormat.supportedLocalesOf(tag)
      if (locale) return locale
    } catch {
      // Not a language tag, for example `*`.
    }
  }
  return fallback
}

function createFormats(locale: string): Formats {
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 })
  const days = new Intl.DateTimeFormat(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const times = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' })
  // Making a format takes as long as using it a hundred times, and asking for its digits as long as using it ten times.
  const amounts = remember((currency: string) => {
    const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
    const unit = 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2)
    return (minor: number) => format.format(minor / unit)
  })
  const parts = {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  } as const
  const instants = remember((timeZone: string) => new Intl.DateTimeFormat(locale, { ...parts, timeZone }))
  return {
    locale,
    number: (value) => numbers.format(value),
    money: (minor, currency) => amounts(currency)(minor),
    day: (date) => days.format(new Date(`${date}T00:00:00Z`)),
    time: (time) => times.format(new Date(`1970-01-01T${time}:00Z`)),
    instant: (at, timeZone) => instants(timeZone).format(new Date(at)),
  }
}

function remember<T>(make: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>()
  return (name) => {
    const one = known.get(name) ?? make(name)
    known.set(name, one)
    return one
  }
}
