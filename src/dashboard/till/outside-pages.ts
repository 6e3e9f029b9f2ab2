/** The page, for owners, of the cash that was taken and paid back outside of tills on one day. */
import { html } from '../../http/pages.ts'
import type { Routes } from '../../http/routes.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { dateIn, isCalendarDate } from '../../platform/text/calendar.ts'
import { cashPageSchema } from '../../sales/till/schemas.ts'
import { browseOutside } from '../../sales/till/service.ts'
import { nextLink, sendDashboard } from '../frame/layout.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { textsFor } from '../frame/texts.ts'
import { cashTable } from './words.ts'

const outsideQuery = Type.Object({
  ...cashPageSchema.properties,
  Day: Type.Optional(Type.String({ maxLength: 10 })),
})

export const outsideTillPages: Routes<Pick<DashboardOptions, 'sql'>> = (app, { sql }) => {
  app.get(
    '/till/outside',
    { schema: { hide: true, querystring: outsideQuery } },
    async ({ session, url, query }, reply) => {
      const { accountId, timeZone } = session.user
      const day = dayOf(query, timeZone)
      const { movements, next } = await browseOutside(sql, accountId, { day, timeZone }, query)
      const t = textsFor(reply.request)
      const body = html`<p class="links no-print"><a href="/dashboard/till">${t.say('till.all')}</a></p>
${movements.length > 0 ? cashTable(t, timeZone, movements) : html`<p>${t.say('till.outside.none-that-day')}</p>`}
${nextLink(t, url, next)}`
      const title = t.say('till.outside.of-day', { day: t.day(day) })
      return sendDashboard(reply, session, { title, body, assets: ['bookings.css'] })
    },
  )
}

/** The requested day, or today. */
function dayOf({ Day: day = '' }: Static<typeof outsideQuery>, timeZone: string): string {
  return isCalendarDate(day) ? day : dateIn(timeZone, new Date())
}
