/** The files that calendar programs fetch. The secret in the address is the only credential. */
import makeEtag from 'etag'
import fresh from 'fresh'
import { createRateLimit } from '../../http/rate-limit.ts'
import type { Routes } from '../../http/routes.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { writeCalendar } from '../../platform/text/icalendar.ts'
import { feedProblems } from './problems.ts'
import { getFeed, readFeed } from './service.ts'

type FeedOptions = { sql: Sql; publicUrl: string }

/**
 * The limit for each feed and process. A calendar program fetches a feed a few times an hour, and a
 * response is expensive: it may have thousands of departures.
 */
const readsPerSecond = 1

export const calendarFeeds: Routes<FeedOptions> = (app, { sql, publicUrl }) => {
  const limit = createRateLimit(readsPerSecond, { redis: null, prefix: 'calendar-feed' })

  app.get<{ Params: { Feed: string } }>(
    '/calendar/:Feed',
    { schema: { hide: true } },
    async ({ params, headers }, reply) => {
      const feed = await getFeed(sql, params.Feed)
      const { granted, seconds } = await limit.take(`${feed.accountId}:${feed.id}`)
      if (!granted) throw feedProblems.busy(seconds)
      const calendar = await readFeed(sql, feed, publicUrl)
      // The tag depends on the content, and not on the time at which the file was made.
      const etag = makeEtag(JSON.stringify(calendar), { weak: true })
      reply.headers({ etag, 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' })
      if (fresh({ 'if-none-match': headers['if-none-match'] }, { etag })) return reply.code(304).send()
      return reply.type('text/calendar; charset=utf-8').send(writeCalendar(calendar, new Date()))
    },
  )
}
