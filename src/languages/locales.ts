/** The languages that texts are written in, the locales of each, and which one a reader gets. Pure. */

/** Each language with its own name and its locales, the default one first. */
export const languages = {
  en: { name: 'English', locales: ['en-GB', 'en-AU', 'en-CA', 'en-IE', 'en-NZ', 'en-US', 'en-ZA'] },
  pt: { name: 'Português', locales: ['pt-PT', 'pt-BR'] },
} as const

export type Language = keyof typeof languages
export type Locale = (typeof languages)[Language]['locales'][number]

export const languageNames = Object.keys(languages) as Language[]
export const locales: readonly Locale[] = languageNames.flatMap((name) => languages[name].locales)
/** The locale of an account that has not chosen one. */
export const defaultLocale: Locale = 'en-GB'

export function isLocale(text: string): text is Locale {
  return locales.some((locale) => locale === text)
}

export function languageOf(locale: Locale): Language {
  return locale.slice(0, 2) as Language
}

/**
 * The languages that a reader asks for: `lang` in the address of the page; `accept` from the header
 * `Accept-Language`, or, for an e-mail, the locales of the booking in that format.
 */
export type AskedLanguage = { lang?: unknown; accept?: string | undefined }

/**
 * The locale for a reader: the language in the address, else the most preferred language of the header for
 * which there are texts, else the locale of the account. A reader of the account's language gets the
 * account's locale, so that dates look as in its e-mails. A reader of another language gets the locale that
 * the header names, or else the first one of the language.
 * @param own the locale of the account.
 */
export function localeFor(own: Locale, { lang, accept }: AskedLanguage): Locale {
  const asked = readLanguage(lang)
  if (asked) return localeOf(own, asked, null)
  for (const tag of tagsOf(accept)) {
    const language = readLanguage(tag.split('-')[0]?.toLowerCase())
    if (language) return localeOf(own, language, tag)
  }
  return own
}

/** Returns null for a language without texts. */
export function readLanguage(text: unknown): Language | null {
  return languageNames.find((name) => name === text) ?? null
}

function localeOf(own: Locale, language: Language, tag: string | null): Locale {
  if (languageOf(own) === language) return own
  const { locales } = languages[language]
  return locales.find((locale) => locale.toLowerCase() === tag?.toLowerCase()) ?? locales[0]
}

/**
 * The languages of an `Accept-Language` header that come before the language `own`, the best first, as two
 * letters of ISO 639-1; at most ten. Empty if there is no header, or if `own` or `*` comes first in it.
 * @param own the language of the untranslated text.
 */
export function preferredTo(own: Language, accept: string | undefined): string[] {
  if (accept === undefined || accept === '*') return []
  const languages = tagsOf(accept).map((tag) => tag.split('-')[0]!.toLowerCase())
  const end = languages.findIndex((language) => language === own || language === '*')
  const before = end < 0 ? languages : languages.slice(0, end)
  return [...new Set(before.filter((language) => /^[a-z]{2}$/.test(language)))].slice(0, maxPreferred)
}
const maxPreferred = 10

/**
 * The language tags in the first 200 characters of a header `Accept-Language`, the preferred ones first. Tags
 * with `q=0` are left out.
 */
export function tagsOf(header = ''): string[] {
  return header
    .slice(0, 200)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((text) => text.trim())
      const quality = parameters.find((text) => text.startsWith('q='))?.slice(2)
      return { tag, weight: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)
}
