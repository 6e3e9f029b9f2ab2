/**
 * The page that reopens closed timeslots of one day together. At first, all timeslots that can be reopened
 * are selected.
 */
import type { Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import { dateSchema } from '../../catalogue/timeslots/schemas.ts'
import { byUser } from '../../events/actor.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Routes } from '../../http/routes.ts'
import { freeOf } from '../../inventory/on-sale.ts'
import type { Texts } from '../../languages/texts.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { dateIn } from '../../platform/text/calendar.ts'
import { listReopenable, reopenTimeslots } from '../../sales/closure/reopening.ts'
import { attributes, onceOf, postForm } from '../frame/forms.ts'
import { doneAt, emptyState, sendDashboard } from '../frame/layout.ts'
import type { DashboardOptions, Session } from '../frame/session.ts'
import { textsFor } from '../frame/texts.ts'
import { timeOf } from '../parts/slot-words.ts'
import { movedTo } from './moved-to.ts'
import { calendarPath } from './range.ts'

// The maximum number of closed timeslots of a day that the page lists, and that one request reopens, each in
// a separate transaction. These transactions take much less time than the request timeout.
const maxAtOnce = 200

const path = '/calendar/reopen'
const day = dateSchema('Local date of the products.')
const reopenForm = Type.Object({
  Date: day,
  TimeslotIDs: Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
    maxItems: maxAtOnce,
  }),
})

export const reopenPages: Routes<Pick<DashboardOptions, 'sql'>> = (app, { sql }) => {
  const querystring = Type.Object({ Date: Type.Optional(day) })
  app.get(path, { schema: { hide: true, querystring } }, async (request, reply) => {
    const { session } = request
    const date = request.query.Date ?? dateIn(session.user.timeZone, new Date())
    const closed = { date, productId: null, limit: maxAtOnce + 1 }
    const closedDay = await listReopenable(sql, session.user.accountId, closed)
    const t = textsFor(request)
    return sendDashboard(reply, session, {
      title: t.say('calendar.reopen.title', { day: t.day(date) }),
      body: reopenPage(session, t, { date, ...closedDay }),
      assets: ['calendar.css'],
    })
  })

  app.post(path, { schema: { hide: true, body: reopenForm } }, async (request, reply) => {
    const by = byUser(request.session.user)
    await reopenTimeslots(sql, by, {
      ids: request.body.TimeslotIDs,
      once: (operation) => onceOf(request, operation),
    })
    const day = calendarPath({ view: 'day', date: request.body.Date, productId: null })
    return reply.redirect(doneAt(day, 'day-reopened'), 303)
  })
}

type ClosedDay = { date: string } & Awaited<ReturnType<typeof listReopenable>>

function reopenPage(session: Session, t: Texts, { date, slots, moved }: ClosedDay): Markup {
  const back = html`<a href="${calendarPath({ view: 'day', date, productId: null })}">${t.say('calendar.of-day')}</a>`
  if (slots.length === 0)
    return html`${emptyState(t.say('calendar.reopen.none'))}${listMovedTimeslots(t, moved)}<p>${back}</p>`
  const choice = (slot: Timeslot) =>
    html`<label class="choice"><input${attributes({ type: 'checkbox', name: 'TimeslotIDs', value: slot.id, checked: true })}> ${t.say('calendar.reopen.slot', { time: timeOf(t, slot), product: slot.productName, count: freeOf(slot) })}</label>\n`
  return html`<p>${t.say('calendar.reopen.about')}</p>
${postForm(
  session,
  `/dashboard${path}`,
  html`<input type="hidden" name="Date" value="${date}"><fieldset><legend>${t.say('calendar.reopen.closed')}</legend>${slots.slice(0, maxAtOnce).map(choice)}</fieldset>
${slots.length > maxAtOnce ? html`<p class="hint">${t.say('calendar.reopen.more', { count: maxAtOnce })}</p>` : ''}
<p class="actions"><button>${t.say('calendar.reopen.put')}</button> ${back}</p>`,
)}
${listMovedTimeslots(t, moved)}`
}

/** The timeslots that stay closed, because they were moved to another date or time. */
function listMovedTimeslots(t: Texts, moved: ClosedDay['moved']): Markup {
  if (moved.length === 0) return html``
  return html`<section><h2>${t.say('calendar.reopen.moved')}</h2>
<p class="hint">${t.say('calendar.reopen.moved.about')}</p>
<ul>${moved.map(({ slot, to }) => html`<li>${timeOf(t, slot)} ${slot.productName}: ${movedTo(t, 'calendar.reopen.moved-to', to)}</li>`)}</ul></section>`
}
