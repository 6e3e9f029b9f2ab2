/**
 * All SQL by which open pages learn that something changed. A position is a snapshot of the database as text: whatever
 * it does not show was committed after it, in whatever order transactions began and ended.
 */
import type { Queryable } from '../../platform/postgres/database.ts'

export type WatchedAccount = { accountId: number; since: string }

/**
 * The position of now, and those of these accounts of which a booking (a hold is one) or a timeslot changed since
 * theirs. Each is looked up at the end of an index: of timeslots, and of the bookings of each partner and of none.
 */
export async function findChangedAccounts(sql: Queryable, watched: WatchedAccount[]) {
  const [found] = await sql<{ position: string; changed: string[] }[]>`
    select pg_current_snapshot()::text as position, array(
      select distinct account_id from unnest(
        ${watched.map(({ accountId }) => accountId)}::bigint[], ${watched.map(({ since }) => since)}::text[]
      ) as watched (account_id, since)
      where coalesce(
        (select true from bookings
          where bookings.account_id = watched.account_id and partner_id is null
            and ${isNew(sql, sql`updated_xid`)}
          order by partner_id, updated_xid limit 1),
        (select true from partners cross join lateral (
            select from bookings
            where bookings.account_id = watched.account_id and partner_id = partners.id
              and ${isNew(sql, sql`updated_xid`)}
            order by partner_id, updated_xid limit 1
          ) as changed
          where partners.account_id = watched.account_id limit 1),
        (select true from timeslots
          where timeslots.account_id = watched.account_id and ${isNew(sql, sql`changed_xid`)}
          order by changed_xid limit 1)
      )
    ) as changed`
  return { position: found!.position, changed: new Set(found!.changed.map(Number)) }
}

/** The upper bound keeps out what a restored dump brought from a server that was further on. */
function isNew(sql: Queryable, xid: ReturnType<Queryable>) {
  return sql`${xid} >= pg_snapshot_xmin(watched.since::pg_snapshot)
    and ${xid} < pg_snapshot_xmax(pg_current_snapshot())
    and not pg_visible_in_snapshot(${xid}, watched.since::pg_snapshot)`
}

/** A position that somebody brings, as the database writes it. @throws a data error for what is none. */
export async function readPosition(sql: Queryable, text: string): Promise<string> {
  const [read] = await sql<{ position: string }[]>`select ${text}::text::pg_snapshot::text as position`
  return read!.position
}
