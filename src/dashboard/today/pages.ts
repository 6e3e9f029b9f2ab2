/** The pages of a day: its departures with check-in, and the manifest of each. */

import { getTimeslot, listTimeslots } from '../../catalogue/timeslots/editing/service.ts'
import { dateSchema, timeslotPathSchema } from '../../catalogue/timeslots/schemas.ts'
import { html } from '../../http/pages.ts'
import type { Routes } from '../../http/routes.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { dateIn } from '../../platform/text/calendar.ts'
import { recordAttendance } from '../../sales/booking/changes/service.ts'
import { listQuestionsOfBookings } from '../../sales/booking/desk/questions.ts'
import { referencePathSchema } from '../../sales/booking/desk/schemas.ts'
import { listPartiesOfDay, listPartiesOfTimeslot } from '../../sales/booking/desk/service.ts'
import { countOpenCalls } from '../../sales/closure/calls/service.ts'
import { listOwed } from '../../sales/ledger/service.ts'
import { listValidTickets } from '../../sales/ticket/service.ts'
import { listToCall } from '../../sales/waitlist/service.ts'
import { onceOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { textsFor } from '../frame/texts.ts'
import { attendanceDone, attendanceForm, attendanceOf } from '../parts/attendance.ts'
import { callsNotice } from '../parts/calls-notice.ts'
import { owedBadges } from '../parts/payment-words.ts'
import { timeOf } from '../parts/slot-words.ts'
import { subjectOf } from '../parts/subject.ts'
import { departuresOf, momentsOf } from './departures.ts'
import { manifestView } from './manifest-views.ts'
import { maxToCall, offerCalls } from './offer-calls.ts'
import { dayView } from './views.ts'

/**
 * The most timeslots and bookings that are shown. If a day has more, its page says so and links to the list of
 * bookings.
 */
const most = { slots: 500, parties: 2000 }

const day = dateSchema('Local date of the products.')
const daySchema = Type.Object({ Date: Type.Optional(day) })
const attendanceOfDayForm = Type.Object({
  ...attendanceForm.properties,
  Date: day,
  // Sent by the form on a manifest, to return to it.
  TimeslotID: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
})

export const todayPages: Routes<DashboardOptions> = (app, { sql }) => {
  app.get('/today', { schema: { hide: true, querystring: daySchema } }, async (request, reply) => {
    const { session, query } = request
    const { accountId, timeZone } = session.user
    const now = new Date()
    const today = dateIn(timeZone, now)
    const date = query.Date ?? today
    const range = { from: date, to: date, productId: null, status: null, after: null }
    const [slots, parties, openCalls, toCall] = await Promise.all([
      listTimeslots(sql, accountId, { ...range, limit: most.slots + 1 }),
      listPartiesOfDay(sql, accountId, { date, limit: most.parties + 1 }),
      countOpenCalls(sql, accountId),
      date === today ? listToCall(sql, accountId, maxToCall + 1) : [],
    ])
    const isCut = slots.length > most.slots || parties.length > most.parties
    const [shown, coming] = [slots.slice(0, most.slots), parties.slice(0, most.parties)]
    const [questions, owed] = await Promise.all([
      listQuestionsOfBookings(sql, accountId, coming),
      listOwed(sql, accountId, [...new Set(coming.map(({ BasketID }) => BasketID))]),
    ])
    const departures = departuresOf(shown, coming, { now: now.getTime(), isToday: date === today })
    const t = textsFor(request)
    // In the order of the page, because owedBadges() shows the amount at the first booking of a sale.
    const moments = momentsOf(departures, date === today)
    const inOrder = moments
      .flatMap(({ groups }) => groups)
      .flatMap((group) => group.departures)
      .flatMap((departure) => departure.parties)
    const badges = owedBadges(t, owed, inOrder)
    return sendDashboard(reply, session, {
      title: date === today ? t.say('today.title', { day: t.day(date) }) : t.day(date),
      body: html`${callsNotice(openCalls, t)}${date === today ? offerCalls(session, t, toCall) : ''}${dayView(session, t, { date, today, departures, moments, questions, owed: badges, isCut })}`,
      assets: ['bookings.css', 'live.js'],
    })
  })

  app.get(
    '/today/manifest/:TimeslotID',
    { schema: { hide: true, params: timeslotPathSchema } },
    async (request, reply) => {
      const { session, params } = request
      const { accountId, timeZone } = session.user
      const slot = await getTimeslot(sql, accountId, Number(params.TimeslotID))
      const timeslotId = slot.id
      const parties = await listPartiesOfTimeslot(sql, accountId, { timeslotId, limit: most.parties + 1 })
      const [owed, questions, tickets] = await Promise.all([
        listOwed(sql, accountId, [...new Set(parties.map(({ BasketID }) => BasketID))]),
        listQuestionsOfBookings(sql, accountId, parties),
        listValidTickets(sql, accountId, timeslotId),
      ])
      const now = new Date()
      const shown = parties.slice(0, most.parties)
      const [departure] = departuresOf([slot], shown, { now: now.getTime(), isToday: false })
      const t = textsFor(request)
      const manifest = {
        departure: departure!,
        questions,
        tickets,
        owed: owedBadges(t, owed, shown),
        isCut: parties.length > most.parties,
        today: dateIn(timeZone, now),
        printedAt: t.moment(now, timeZone),
      }
      return sendDashboard(reply, session, {
        title: t.say('manifest.title', {
          product: slot.productName,
          day: t.day(slot.date),
          time: timeOf(t, slot),
        }),
        body: manifestView(session, t, manifest),
        assets: ['bookings.css'],
      })
    },
  )

  app.post(
    '/today/:BookingReference/attendance',
    { schema: { hide: true, params: referencePathSchema, body: attendanceOfDayForm } },
    async (request, reply) => {
      const { Date: date, TimeslotID } = request.body
      const given = attendanceOf(request.body)
      const once = onceOf(request, 'booking.attendance')
      const recorded = await recordAttendance(sql, once, subjectOf(request), given)
      const path = TimeslotID ? `/dashboard/today/manifest/${TimeslotID}` : `/dashboard/today?Date=${date}`
      const page = doneAt(path, attendanceDone(request.body, recorded))
      return reply.redirect(`${page}#party-${request.params.BookingReference}`, 303)
    },
  )
}
