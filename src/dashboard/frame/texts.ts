/** The texts of a page of the dashboard, in the language of its reader. */
import type { FastifyRequest } from 'fastify'
import { defaultLocale, type Locale, languageOf, locales, tagsOf } from '../../languages/locales.ts'
import { type Texts, textsIn } from '../../languages/texts.ts'

/**
 * The texts in the language that the user chose. If the user chose none: in the first language of the browser
 * for which there are texts, or else in the default language.
 */
export function textsFor({ headers, session }: FastifyRequest): Texts {
  const chosen = session?.user.locale
  if (chosen) return textsIn(chosen)
  return textsIn(preferredLocale(headers['accept-language']))
}

function preferredLocale(accept: string | undefined): Locale {
  for (const tag of tagsOf(accept)) {
    const [language] = tag.toLowerCase().split('-')
    const same = locales.filter((locale) => languageOf(locale) === language)
    const found = same.find((locale) => locale.toLowerCase() === tag.toLowerCase()) ?? same[0]
    if (found) return found
  }
  return defaultLocale
}
