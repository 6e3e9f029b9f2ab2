/** The form in which users choose the language of the dashboard for themselves. */
import { setLocale } from '../accounts/users/service.ts'
import { html, type Markup } from '../http/pages.ts'
import type { Routes } from '../http/routes.ts'
import { type Locale, languageOf, languages, locales } from '../languages/locales.ts'
import type { Texts } from '../languages/texts.ts'
import type { Sql } from '../platform/postgres/database.ts'
import { Type } from '../platform/schema/typebox.ts'
import { selectField } from './frame/form-fields.ts'
import { postForm } from './frame/forms.ts'
import { doneAt } from './frame/layout.ts'
import type { Session } from './frame/session.ts'

const path = '/dashboard/account/language'
/** An empty choice means the language that the browser prefers. */
const languageSchema = Type.Object({ Locale: Type.Optional(Type.String({ maxLength: 10 })) })

export const accountLanguagePages: Routes<{ sql: Sql }> = (app, { sql }) => {
  app.post('/account/language', { schema: { hide: true, body: languageSchema } }, async (request, reply) => {
    const { session, body } = request
    const { Locale: locale = '' } = body
    await setLocale(sql, session.user, locales.find((one) => one === locale) ?? null)
    return reply.redirect(doneAt('/dashboard/account', 'saved'), 303)
  })
}

export function languageForm(session: Session, t: Texts): Markup {
  const choices = [
    { value: '', label: t.say('account.language.browser') },
    ...locales.map((locale) => ({ value: locale, label: nameOf(locale) })),
  ]
  const field = selectField(
    { label: t.say('account.language'), name: 'Locale', value: session.user.locale },
    choices,
  )
  return html`<h2>${t.say('account.language')}</h2>
${postForm(session, path, html`${field}<button>${t.say('save')}</button>`)}`
}

/** The name of the language in that language, and its country: Português (Brasil). */
function nameOf(locale: Locale): string {
  const countries = new Intl.DisplayNames([locale], { type: 'region' })
  return `${languages[languageOf(locale)].name} (${countries.of(locale.slice(3))})`
}
