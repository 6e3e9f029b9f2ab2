/**
 * The list of customers to call after closures. The user who has called a customer marks the customer as
 * informed. All users share the list.
 */
import type { Routes } from '../../http/routes.ts'
import { runOnce } from '../../platform/postgres/run-once.ts'
import { callRequestSchema as body, callPathSchema as params } from '../../sales/closure/calls/schemas.ts'
import { listCalls, tickOff } from '../../sales/closure/calls/service.ts'
import { onceOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { textsFor } from '../frame/texts.ts'
import { callsPage } from './calls-views.ts'

/** The maximum number of customers on the page. If there are more, those who need no call are left out. */
const maxCalls = 500
const path = '/calendar/calls'

export const callPages: Routes<Pick<DashboardOptions, 'sql'>> = (app, { sql }) => {
  app.get(path, { schema: { hide: true } }, async (request, reply) => {
    const { session } = request
    const { accountId } = session.user
    const all = await listCalls(sql, accountId, { limit: maxCalls + 1 })
    const isCut = all.length > maxCalls
    const calls = isCut ? await listCalls(sql, accountId, { onlyToCall: true, limit: maxCalls }) : all
    const t = textsFor(request)
    return sendDashboard(reply, session, {
      title: t.say('calendar.calls.title'),
      body: callsPage(session, t, { calls, isCut }),
      assets: ['calendar.css', 'live.js'],
    })
  })

  app.post(
    `${path}/:TimeslotID/:BookingReference`,
    { schema: { hide: true, params, body } },
    async (request, reply) => {
      const { accountId, userId } = request.session.user
      const { TimeslotID, BookingReference: reference } = request.params
      const call = { timeslotId: Number(TimeslotID), reference }
      const { Done } = request.body
      await runOnce(sql, onceOf(request, 'closure.call'), async (tx) => {
        await tickOff(tx, accountId, call, { isDone: Done, doneBy: userId })
        return {}
      })
      const page = doneAt(`/dashboard${path}`, Done ? 'called' : 'not-informed')
      return reply.redirect(`${page}#call-${TimeslotID}-${reference}`, 303)
    },
  )
}
