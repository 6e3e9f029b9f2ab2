/** The form in which owners choose the account's country. */
import { setCountry } from '../accounts/service.ts'
import { html, type Markup } from '../http/pages.ts'
import { problems } from '../http/problems.ts'
import type { Routes } from '../http/routes.ts'
import type { Texts } from '../languages/texts.ts'
import type { Sql } from '../platform/postgres/database.ts'
import { Type } from '../platform/schema/typebox.ts'
import { countryOfZone, isCountry, listCountries } from '../platform/text/phone.ts'
import { selectField } from './frame/form-fields.ts'
import { postForm } from './frame/forms.ts'
import { doneAt } from './frame/layout.ts'
import type { Session } from './frame/session.ts'

const path = '/dashboard/account/country'
/** An empty choice means the country of the time zone. */
const countrySchema = Type.Object({ Country: Type.Optional(Type.String({ maxLength: 2 })) })

/** Register these routes in the scope that requires the role `owner`. */
export const accountCountryPages: Routes<{ sql: Sql }> = (app, { sql }) => {
  app.post('/account/country', { schema: { hide: true, body: countrySchema } }, async (request, reply) => {
    const { Country: country = null } = request.body
    if (country !== null && !isCountry(country))
      throw problems.validation([{ field: 'Country', message: 'is not a country in the list' }])
    await setCountry(sql, request.session.user.accountId, country)
    return reply.redirect(doneAt('/dashboard/account', 'saved'), 303)
  })
}

export function countryForm(session: Session, t: Texts): Markup {
  const { country, timeZone } = session.user
  const countries = listCountries(t.locale)
  const ofZone = countries.find(({ code }) => code === countryOfZone(timeZone))?.name
  const choices = [
    {
      value: '',
      label: ofZone ? t.say('account.country.zone', { country: ofZone }) : t.say('account.country.none'),
    },
    ...countries.map(({ code, name }) => ({ value: code, label: name })),
  ]
  return html`<h2>${t.say('account.country.of', { account: session.user.accountName })}</h2>
<p>${t.say('account.country.about')}</p>
${postForm(session, path, html`${selectField({ label: t.say('account.country'), name: 'Country', value: country }, choices)}<button>${t.say('save')}</button>`)}`
}
