/** The texts of a page of the dashboard, in the language of its reader. */
import type { FastifyRequest } from 'fastify'
import { defaultLocale, type Locale, languageOf, locales, tagsOf } from '../../languages/locales.ts'
import { type Texts, textsIn } from '../../languages/texts.ts'

/** Those of the languages in which every page of the dashboard is written. */
export const dashboardLocales: readonly Locale[] = locales.filter((locale) => languageOf(locale) === 'en')

/** In the language that the user chose; else in the first one that the browser prefers and that the dashboard is written in. */
export function textsFor({ headers, session }: FastifyRequest): Texts {
  const chosen = session?.user.locale
  if (chosen) return textsIn(chosen)
  return textsIn(preferredLocale(headers['accept-language']))
}

function preferredLocale(accept: string | undefined): Locale {
  for (const tag of tagsOf(accept)) {
    const [language] = tag.toLowerCase().split('-')
    const same = dashboardLocales.filter((locale) => languageOf(locale) === language)
    const found = same.find((locale) => locale.toLowerCase() === tag.toLowerCase()) ?? same[0]
    if (found) return found
  }
  return defaultLocale
}
