/** The SQL that reads, retries and deletes rejected entries. */
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'

export type RejectRow = { accountId: number; id: number; entry: string; reason: string; rejectedAt: Date }

/** Entries that could not be stored, at most `limit`, oldest first, of one account or of all. */
export function listRejects(sql: Queryable, limit: number, accountId?: number): Promise<RejectRow[]> {
  return sql<RejectRow[]>`
    select ${rejectColumns(sql)} from usage_rejects
    ${accountId === undefined ? sql`` : sql`where account_id = ${accountId}`}
    order by rejected_at, account_id, id limit ${limit}`
}

/** The current time of PostgreSQL's clock, as text, because a Date would cut off its microseconds. */
export async function readClock(sql: Queryable): Promise<string> {
  const [row] = await sql<{ now: string }[]>`select now()::text as now`
  return row!.now
}

type RejectKey = Pick<RejectRow, 'accountId' | 'id'>

/** Before the key of every rejected entry; test accounts have ids below 0. */
export const beforeAllRejects: RejectKey = { accountId: Number.MIN_SAFE_INTEGER, id: 0 }

/**
 * The next `limit` entries after a key, in the order of their keys. Leaves out entries rejected later than
 * `until`.
 */
export function listRejectsAfter(
  sql: Queryable,
  { after, until, limit }: { after: RejectKey; until: string; limit: number },
): Promise<RejectRow[]> {
  return sql<RejectRow[]>`
    select ${rejectColumns(sql)} from usage_rejects
    where (account_id, id) > (${after.accountId}, ${after.id}) and rejected_at <= ${until}::text::timestamptz
    order by account_id, id limit ${limit}`
}

/** How many entries of live accounts could not be stored. */
export function countRejects(sql: Queryable) {
  return sql<{ entries: number }[]>`select count(*) as entries from usage_rejects where account_id > 0`
}

/** Locks a rejected entry for one more try. Null if another process has locked it, or if it no longer exists. */
export async function lockReject(tx: Transaction, accountId: number, id: number): Promise<RejectRow | null> {
  const [reject] = await tx<RejectRow[]>`
    select ${rejectColumns(tx)} from usage_rejects
    where account_id = ${accountId} and id = ${id} for update skip locked`
  return reject ?? null
}

export async function deleteReject(tx: Transaction, accountId: number, id: number): Promise<void> {
  await tx`delete from usage_rejects where account_id = ${accountId} and id = ${id}`
}

function rejectColumns(sql: Queryable) {
  return sql`account_id as "accountId", id, entry, reason, rejected_at as "rejectedAt"`
}
