/** The page on which users make and revoke calendar links. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { listProductNames } from '../../catalogue/products/service.ts'
import { byUser } from '../../events/actor.ts'
import { Problem } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { runOnce } from '../../platform/postgres/run-once.ts'
import { feedPathSchema, newFeedSchema } from '../../sales/calendar-feed/schemas.ts'
import { listFeeds, makeFeed, revokeFeed } from '../../sales/calendar-feed/service.ts'
import { inWords } from '../frame/fault-words.ts'
import type { ShownForm } from '../frame/form-fields.ts'
import { checkForm, faultsOf, onceOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import type { DashboardOptions, Session } from '../frame/session.ts'
import { createAndShowSecret } from '../frame/shown-once.ts'
import { textsFor } from '../frame/texts.ts'
import { feedLabels, feedsPage } from './views.ts'

const path = '/dashboard/calendar/feeds'

export const calendarFeedPages: Routes<DashboardOptions> = (app, { sql, publicUrl }) => {
  app.get('/calendar/feeds', { schema: { hide: true } }, (request, reply) =>
    send(request, reply, { values: {}, faults: null }),
  )

  app.post(
    '/calendar/feeds',
    { schema: { hide: true, body: newFeedSchema }, attachValidation: true },
    async (request, reply) => {
      const { session, body } = request
      const { userId } = session.user
      const t = textsFor(request)
      try {
        checkForm(request)
        const { ProductID: productId = null, ShowsNames: showsNames = false } = body
        return await createAndShowSecret(sql, request, reply, {
          operation: 'calendar-feed.make',
          what: 'calendar-link',
          about: t.say('calendar.feeds.made'),
          back: path,
          make: (tx) => makeFeed(tx, byUser(session.user), publicUrl, { userId, productId, showsNames }),
        })
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        const { faults, status } = faultsOf(error)
        return send(request, reply, { values: body, faults: inWords(faults, feedLabels(t)) }, status)
      }
    },
  )

  app.post(
    '/calendar/feeds/:FeedID/revoke',
    { schema: { hide: true, params: feedPathSchema } },
    async (request, reply) => {
      const feed = { id: Number(request.params.FeedID), userId: shownTo(request.session) }
      await runOnce(sql, onceOf(request, 'calendar-feed.revoke'), async (tx) => {
        await revokeFeed(tx, byUser(request.session.user), feed)
        return {}
      })
      return reply.redirect(doneAt(path, 'feed-revoked'), 303)
    },
  )

  async function send(request: FastifyRequest, reply: FastifyReply, shown: ShownForm, status = 200) {
    const { session } = request
    const { accountId } = session.user
    const [feeds, products] = await Promise.all([
      listFeeds(sql, accountId, shownTo(session)),
      listProductNames(sql, accountId),
    ])
    const t = textsFor(request)
    return sendDashboard(reply, session, {
      title: t.say('calendar.feeds.title'),
      status,
      body: feedsPage(session, t, { feeds, products }, shown),
      assets: ['upkeep.css'],
    })
  }
}

/** The user whose links the page shows. Null for an owner, who sees and revokes the links of all users. */
function shownTo({ user }: Session): number | null {
  return user.role === 'owner' ? null : user.userId
}
