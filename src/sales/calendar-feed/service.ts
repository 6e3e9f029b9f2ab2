/** Use cases of calendar feeds: make, revoke and read them. */
import { lockAccount } from '../../accounts/service.ts'
import type { Authorship } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { problems } from '../../http/problems.ts'
import { textsIn } from '../../languages/texts.ts'
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import type { Calendar } from '../../platform/text/icalendar.ts'
import {
  type FeedRow,
  feedEvents,
  makeFeedName,
  maxDepartures,
  maxFeeds,
  maxParties,
  parseFeedName,
} from './model.ts'
import { feedProblems } from './problems.ts'
import * as queries from './queries.ts'

export type { FeedRow } from './model.ts'
export { listFeeds } from './queries.ts'

/**
 * Makes a feed for a user and returns its address. The address cannot be shown again, because only a hash is stored.
 * @throws Problem validation for a product that the account does not have; account-limit-reached.
 */
export async function makeFeed(
  tx: Transaction,
  { accountId, actor }: Authorship,
  publicUrl: string,
  feed: queries.NewFeed,
): Promise<string> {
  await lockAccount(tx, accountId)
  if ((await queries.countFeeds(tx, accountId, feed.userId)) >= maxFeeds)
    throw problems.accountLimitReached('calendar links of each user', maxFeeds)
  const { name, hash } = makeFeedName(accountId)
  const id = await queries.insertFeed(tx, accountId, { ...feed, hash })
  if (id === null)
    throw problems.validation([{ field: 'ProductID', message: 'must be one of your products' }])
  await appendEvents(tx, [{ accountId, actor, type: 'calendar-feed.made', details: { FeedID: id } }])
  return `${publicUrl}/calendar/${name}`
}

/**
 * Revokes a feed at once. Revoking it again changes nothing.
 * @param feed.userId the user to whom the feed must belong; null for any user.
 * @throws Problem not-found.
 */
export async function revokeFeed(
  tx: Transaction,
  { accountId, actor }: Authorship,
  feed: { id: number; userId: number | null },
): Promise<void> {
  const revoked = await queries.revokeFeed(tx, accountId, feed)
  if (!revoked) throw feedProblems.notFound()
  if (!revoked.revokedNow) return
  await appendEvents(tx, [{ accountId, actor, type: 'calendar-feed.revoked', details: { FeedID: feed.id } }])
}

/**
 * The feed with this file name.
 * @throws Problem not-found if there is none, if it was revoked, or if its user is disabled.
 */
export async function getFeed(sql: Sql, name: string): Promise<FeedRow> {
  const key = parseFeedName(name)
  const feed = key && (await queries.findFeed(sql, key))
  if (!feed) throw feedProblems.notFound()
  return feed
}

/** The current content of a feed, in the language of its account. Stores the time of this use. */
export async function readFeed(sql: Sql, feed: FeedRow, publicUrl: string): Promise<Calendar> {
  const { accountId, id, accountName, productName, showsNames } = feed
  await queries.touchFeed(sql, accountId, id)
  const found = await queries.listDepartures(sql, feed)
  const departures = found.slice(0, maxDepartures)
  const ids = departures.filter(({ booked }) => booked > 0).map((departure) => departure.id)
  const parties = showsNames && ids.length > 0 ? await queries.listParties(sql, accountId, ids) : []
  const isCut = found.length > departures.length
  const t = textsIn(feed.locale)
  const all = t.say(productName === null ? 'feed.booked-only' : 'feed.all')
  const description = [
    isCut ? t.say('feed.cut', { count: maxDepartures }) : all,
    ...(parties.length > maxParties ? [t.say('feed.names-cut', { count: maxParties })] : []),
  ]
  return {
    feed: {
      name: productName === null ? accountName : `${productName}, ${accountName}`,
      description: description.join(' '),
    },
    events: feedEvents(t, feed, { departures, parties: parties.slice(0, maxParties), publicUrl }),
  }
}
