/** The texts of a page of the dashboard, in the language of its reader. */
import type { FastifyRequest } from 'fastify'
import { defaultLocale, localeFor } from '../../languages/locales.ts'
import { type Texts, textsIn } from '../../languages/texts.ts'

/** In the language that the user chose; else in the first one that the browser prefers, as far as texts are written in it. */
export function textsFor({ headers, session }: FastifyRequest): Texts {
  const chosen = session?.user.locale
  return textsIn(chosen ?? localeFor(defaultLocale, { accept: headers['accept-language'] }))
}
