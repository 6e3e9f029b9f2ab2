/** All SQL of calendar feeds and of the departures that they show. */
import { endsAt } from '../../inventory/on-sale.ts'
import { participants } from '../../inventory/service.ts'
import { defaultLocale } from '../../languages/locales.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import {
  type DepartureRow,
  daysAhead,
  daysBack,
  type FeedRow,
  maxDepartures,
  maxParties,
  type PartyRow,
} from './model.ts'

/** Feeds with their users, who belong to the live account. */
const feeds = (sql: Queryable) => sql`
  select feed.account_id as "accountId", feed.id, accounts.name as "accountName",
    coalesce(details.locale, ${defaultLocale}) as locale, users.email as "userEmail",
    feed.product_id as "productId", products.name as "productName", feed.shows_names as "showsNames",
    feed.created_at as "createdAt", feed.revoked_at as "revokedAt", feed.last_used_at as "lastUsedAt"
  from calendar_feeds as feed
  join accounts on accounts.account_id = feed.account_id
  join users on users.account_id = abs(feed.account_id) and users.id = feed.user_id
  left join business_details as details on details.account_id = feed.account_id
  left join products on products.account_id = feed.account_id and products.id = feed.product_id`

/** The feed with this secret; null if there is none, if it was revoked, or if its user is disabled. */
export async function findFeed(
  sql: Queryable,
  { accountId, hash }: { accountId: number; hash: Buffer },
): Promise<FeedRow | null> {
  const [feed] = await sql<FeedRow[]>`
    ${feeds(sql)}
    where feed.account_id = ${accountId} and feed.hash = ${hash} and feed.revoked_at is null
      and users.disabled_at is null`
  return feed ?? null
}

/** The feeds of an account, or of one of its users, that were not revoked; newest first, at most 500. */
export function listFeeds(sql: Queryable, accountId: number, userId: number | null) {
  return sql<FeedRow[]>`
    ${feeds(sql)}
    where feed.account_id = ${accountId} and feed.revoked_at is null
      ${userId === null ? sql`` : sql`and feed.user_id = ${userId}`}
    order by feed.id desc
    limit 500`
}

export async function countFeeds(sql: Queryable, accountId: number, userId: number): Promise<number> {
  const [found] = await sql<{ count: number }[]>`
    select count(*)::integer as count from calendar_feeds
    where account_id = ${accountId} and user_id = ${userId} and revoked_at is null`
  return found!.count
}

export type NewFeed = { userId: number; productId: number | null; showsNames: boolean }

/** Returns the id of the new feed; null if the account has no such product. */
export async function insertFeed(
  tx: Transaction,
  accountId: number,
  { userId, productId, showsNames, hash }: NewFeed & { hash: Buffer },
): Promise<number | null> {
  const [made] = await tx<{ id: number }[]>`
    insert into calendar_feeds (account_id, user_id, product_id, shows_names, hash)
    select ${accountId}, ${userId}, ${productId}, ${showsNames}, ${hash}
    where ${productId}::bigint is null
      or exists (select from products where account_id = ${accountId} and id = ${productId})
    returning id`
  return made?.id ?? null
}

/**
 * Revokes a feed. `revokedNow` is false if the feed was revoked before. Returns null if there is no such
 * feed.
 * @param feed.userId the user to whom the feed must belong; null for any user.
 */
export async function revokeFeed(
  tx: Transaction,
  accountId: number,
  { id, userId }: { id: number; userId: number | null },
): Promise<{ revokedNow: boolean } | null> {
  const ours = userId === null ? tx`` : tx`and user_id = ${userId}`
  const [feed] = await tx<{ revokedNow: boolean }[]>`
    with revoked as (
      update calendar_feeds set revoked_at = app_now()
      where account_id = ${accountId} and id = ${id} and revoked_at is null ${ours}
      returning id
    )
    select exists (select from revoked) as "revokedNow" from calendar_feeds
    where account_id = ${accountId} and id = ${id} ${ours}`
  return feed ?? null
}

/** Stores the time of use of a feed, unless the stored time is less than 5 minutes old. */
export async function touchFeed(sql: Queryable, accountId: number, id: number): Promise<void> {
  await sql`
    update calendar_feeds set last_used_at = app_now()
    where account_id = ${accountId} and id = ${id}
      and (last_used_at is null or last_used_at < app_now() - interval '5 minutes')`
}

/**
 * The departures of a feed from `daysBack` days ago to `daysAhead` days ahead. A feed of one product has all
 * its departures; a feed of all products has the departures with bookings, and the closed departures that had
 * bookings. Departures of today and later come first. Returns up to `maxDepartures` + 1, so that the caller
 * can see whether the feed is complete.
 */
export function listDepartures(sql: Queryable, { accountId, productId }: FeedRow) {
  const wanted =
    productId === null
      ? sql`and (slot.booked > 0 or slot.status = 'closed' and exists (
          select from bookings
          where bookings.account_id = slot.account_id and bookings.timeslot_id = slot.id and confirmed_at is not null
        ))`
      : sql`and slot.product_id = ${productId}`
  const today = sql`(select app_now() at time zone time_zone from accounts where account_id = ${accountId})::date`
  return sql<DepartureRow[]>`
    select slot.id, products.name as "productName", slot.date, (slot.date + 1)::date as "nextDate",
      slot.starts_at as "startsAt", ${endsAt(sql)} as "endsAt", slot.opening_hours is not null as "isAllDay",
      slot.capacity, slot.booked, slot.held, slot.status
    from timeslots as slot
    join products on products.account_id = slot.account_id and products.id = slot.product_id
    where slot.account_id = ${accountId} ${wanted}
      and slot.date between ${today} - ${daysBack}::integer and ${today} + ${daysAhead}::integer
    order by slot.date < ${today}, slot.date, slot.time, slot.id
    limit ${maxDepartures + 1}`
}

/**
 * The parties with confirmed bookings on these timeslots, in the order of `timeslotIds` and of booking. Returns up to
 * `maxParties` + 1, so that the caller can see whether there are more.
 */
export function listParties(sql: Queryable, accountId: number, timeslotIds: readonly number[]) {
  return sql<PartyRow[]>`
    select timeslot_id as "timeslotId", first_name as "firstName", last_name as "lastName",
      ${participants(sql)} as participants
    from unnest(${[...timeslotIds]}::bigint[]) with ordinality as departure (id, place)
    join bookings on account_id = ${accountId} and timeslot_id = departure.id and status = 'confirmed'
    order by place, bookings.id
    limit ${maxParties + 1}`
}
