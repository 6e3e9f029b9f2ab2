/**
 * Fills values into the texts of a language, which are ICU messages in the files of this folder, and writes
 * dates, numbers and money as the locale does.
 */
import { IntlMessageFormat } from 'intl-messageformat'
import { dateIn } from '../platform/text/calendar.ts'
import { en } from './en.ts'
import { createFormats, type LocaleFormats } from './formats.ts'
import type { TextKey, TextsOfLanguage } from './keys.ts'
import { type Language, type Locale, languageOf } from './locales.ts'
import { pt } from './pt.ts'

type Values<Part> = Readonly<Record<string, string | number | Part | ((chunks: (string | Part)[]) => Part)>>

export type Texts = LocaleFormats & {
  locale: Locale
  language: Language
  /** @throws Error if the text has a placeholder without a value. */
  say(key: TextKey, values?: Readonly<Record<string, string | number>>): string
  /** Like say(), but returns the parts of the text, so that values can be objects, such as elements of a page. */
  parts<Part>(key: TextKey, values: Values<Part>): (string | Part)[]
  /**
   * A local date and time in words.
   * @param local `YYYY-MM-DD HH:MM`.
   */
  dateTime(local: string): string
  /** An instant on the clock of a time zone, in words. */
  instant(at: Date, timeZone: string): string
  people(count: number): string
  /**
   * A duration, such as `2 h 30 min`.
   * @param minutes a whole number above 0.
   */
  duration(minutes: number): string
}

/** A language that lacks a text does not compile. */
export const textsByLanguage: Readonly<Record<Language, TextsOfLanguage>> = { en, pt }

/** The characters that begin a placeholder, an element or a quotation in an ICU message. */
const special = /[{<']/

const made = new Map<Locale, Texts>()

/** The texts and formats of a locale. They are created once for each locale. */
export function textsIn(locale: Locale): Texts {
  const known = made.get(locale) ?? createTexts(locale)
  made.set(locale, known)
  return known
}

function createTexts(locale: Locale): Texts {
  const language = languageOf(locale)
  const formats = createFormats(locale)
  const texts = textsByLanguage[language]
  const read = new Map<TextKey, IntlMessageFormat>()
  const messageOf = (key: TextKey) => {
    const known = read.get(key) ?? new IntlMessageFormat(texts[key], locale)
    read.set(key, known)
    return known
  }
  // Pages use some texts in each row of a table, so texts without placeholders skip the formatter.
  const say: Texts['say'] = (key, values = {}) =>
    special.test(texts[key]) ? String(messageOf(key).format({ ...values })) : texts[key]
  const dateTime = (local: string) =>
    say('when.at', { date: formats.date(local.slice(0, 10)), time: formats.time(local.slice(11, 16)) })
  return {
    ...formats,
    locale,
    language,
    say,
    parts: <Part>(key: TextKey, values: Values<Part>) =>
      messageOf(key)
        .formatToParts<Part>({ ...values })
        .map(({ value }) => value as string | Part),
    dateTime,
    instant: (at, timeZone) => dateTime(`${dateIn(timeZone, at)} ${clockIn(timeZone, at)}`),
    people: (count) => say('people', { count }),
    duration(minutes) {
      const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60]
      return [
        ...(days > 0 ? [say('duration.days', { count: days })] : []),
        ...(hours > 0 ? [say('duration.hours', { count: hours })] : []),
        ...(rest > 0 ? [say('duration.minutes', { count: rest })] : []),
      ].join(' ')
    },
  }
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/**
 * The time of an instant on the clock of a time zone, `HH:MM`. Formats are cached, because making one takes
 * as long as using it a hundred times. The cache is small: there are only as many time zones as PostgreSQL
 * knows.
 */
function clockIn(timeZone: string, at: Date): string {
  const clock =
    clocks.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
  clocks.set(timeZone, clock)
  return clock.format(at)
}
