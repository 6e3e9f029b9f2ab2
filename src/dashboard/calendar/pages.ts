/**
 * The calendar of timeslots, and the waitlist of the whole account. Also registers the other pages of this
 * folder. The pages of calendar links are in ../calendar-feeds/.
 */

import { listProductNames } from '../../catalogue/products/service.ts'
import { listDayTotals, listTimeslots } from '../../catalogue/timeslots/editing/service.ts'
import { timeslotsQuerySchema } from '../../catalogue/timeslots/schemas.ts'
import type { Routes } from '../../http/routes.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { dateIn } from '../../platform/text/calendar.ts'
import { countOpenCalls } from '../../sales/closure/calls/service.ts'
import { listPending } from '../../sales/waitlist/service.ts'
import { sendDashboard } from '../frame/layout.ts'
import { linksInMode } from '../frame/mode.ts'
import { textsFor } from '../frame/texts.ts'
import type { EmailPreviewOptions } from '../parts/options.ts'
import { callPages } from './calls-pages.ts'
import { closurePages } from './closure-pages.ts'
import { messagePages } from './message-pages.ts'
import { movePages } from './move-pages.ts'
import { newTimeslotPages } from './new-timeslot-pages.ts'
import { calendarViews, rangeOf } from './range.ts'
import { reopenPages } from './reopen-pages.ts'
import { timeslotPages } from './timeslot-pages.ts'
import { calendar, calendarActions } from './views.ts'
import { waitlistOverview } from './waitlist-views.ts'

const maxSlots = 1000
const maxWaiting = 200

const querySchema = Type.Object({
  View: Type.Optional(Type.Enum([...calendarViews])),
  Date: timeslotsQuerySchema.properties.From,
  ProductID: timeslotsQuerySchema.properties.ProductID,
})

export const calendarPages: Routes<EmailPreviewOptions> = (app, { sql, renders }) => {
  timeslotPages(app, { sql })
  newTimeslotPages(app, { sql })
  movePages(app, { sql })
  closurePages(app, { sql })
  callPages(app, { sql })
  reopenPages(app, { sql })
  messagePages(app, { sql, renders })

  app.get('/calendar', { schema: { hide: true, querystring: querySchema } }, async (request, reply) => {
    const { session } = request
    const { accountId, timeZone } = session.user
    const { View = 'week', ProductID: productId = null } = request.query
    const at = new Date()
    const today = dateIn(timeZone, at)
    const view = { view: View, date: request.query.Date ?? today, productId }
    const range = { ...rangeOf(view), productId }
    const isMonth = View === 'month'
    const [found, totals, products, openCalls] = await Promise.all([
      isMonth
        ? []
        : listTimeslots(sql, accountId, { ...range, status: null, after: null, limit: maxSlots + 1 }),
      isMonth ? listDayTotals(sql, accountId, range) : [],
      listProductNames(sql, accountId),
      countOpenCalls(sql, accountId),
    ])
    const slots = found.slice(0, maxSlots)
    const isCut = found.length > slots.length
    const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone })
    const t = textsFor(request)
    return sendDashboard(reply, session, {
      title: t.say('calendar.title'),
      aside: linksInMode(session.mode, calendarActions(view, t)),
      body: calendar({
        ...{ view, today, now: clock.format(at), timeZone, isLive: session.mode === 'live' },
        ...{ slots, isCut, totals, products, openCalls, t },
      }),
      assets: ['calendar.css', 'time-grid.css', 'calendar-places.css', 'calendar.js', 'live.js'],
    })
  })

  app.get('/calendar/waitlist', { schema: { hide: true } }, async (request, reply) => {
    const { accountId } = request.session.user
    const found = await listPending(sql, accountId, maxWaiting + 1)
    const shown = { entries: found.slice(0, maxWaiting), isCut: found.length > maxWaiting }
    const t = textsFor(request)
    return sendDashboard(reply, request.session, {
      title: t.say('calendar.waitlist.title'),
      body: waitlistOverview(request.session, shown, t),
      assets: ['calendar.css', 'live.js'],
    })
  })
}
