/**
 * The SQL that lists and voids stored usage entries. summary-queries.ts contains the SQL of sums, and
 * ../store/queries.ts the SQL that stores entries.
 */
import type { Queryable } from '../../platform/postgres/database.ts'
import type { Days, Position } from '../model.ts'
import { loweringSteps } from '../thresholds/crossing-queries.ts'

/** Whether an entry was accepted and then rejected by the database. */
export async function isRejected(sql: Queryable, accountId: number, id: number): Promise<boolean> {
  const rejects = await sql`select from usage_rejects where account_id = ${accountId} and id = ${id}`
  return rejects.length > 0
}

export type UsageEntryRow = {
  id: number
  meter: string
  usage: string
  extraInfo: string | null
  day: string
  occurredAt: number
  acceptedAt: number
  voidedAt: number | null
  voidReason: string | null
}

/** Stored entries by day, meter and id, after a position; times in Unix seconds. */
export function listEntries(
  sql: Queryable,
  {
    accountId,
    from,
    to,
    meters,
    after,
    limit,
  }: Days & {
    accountId: number
    meters: string[] | null
    after: Position | null
    limit: number
  },
): Promise<UsageEntryRow[]> {
  return sql<UsageEntryRow[]>`
    select ${entryColumns(sql)} from meter_entries
    where account_id = ${accountId} and day between ${from} and ${to}
      ${meters ? sql`and meter = any(${meters}::text[])` : sql``}
      ${after ? sql`and (day, meter, id) > (${after.day}, ${after.meter}, ${after.id})` : sql``}
    order by day, meter, id
    limit ${limit}`
}

export async function findEntry(
  sql: Queryable,
  accountId: number,
  id: number,
): Promise<UsageEntryRow | null> {
  const [entry] = await sql<UsageEntryRow[]>`
    select ${entryColumns(sql)} from meter_entries where account_id = ${accountId} and id = ${id}`
  return entry ?? null
}

function entryColumns(sql: Queryable) {
  return sql`id, meter, usage, extra_info as "extraInfo", day,
    floor(extract(epoch from occurred_at))::bigint as "occurredAt",
    floor(extract(epoch from accepted_at))::bigint as "acceptedAt",
    floor(extract(epoch from voided_at))::bigint as "voidedAt", void_reason as "voidReason"`
}

/**
 * Marks a stored entry as void and subtracts it from the totals. Nothing changes if the entry is void already.
 * Crossings of thresholds stay.
 */
export async function voidEntry(
  sql: Queryable,
  { accountId, id, reason }: { accountId: number; id: number; reason: string },
): Promise<void> {
  await sql`
    with voided as (
      update meter_entries set voided_at = app_now(), void_reason = ${reason}
      where account_id = ${accountId} and id = ${id} and voided_at is null
      returning meter, day, usage
    ), daily as (
      update meter_daily set total = total - voided.usage, events = events - 1
      from voided
      where account_id = ${accountId} and meter_daily.meter = voided.meter and meter_daily.day = voided.day
      returning voided.meter, voided.day, voided.usage
    ), monthly as (
      update meter_monthly set total = total - daily.usage, events = events - 1
      from daily
      where account_id = ${accountId} and meter_monthly.meter = daily.meter
        and month = date_trunc('month', daily.day)::date
      returning daily.meter, daily.usage
    ), ${loweringSteps(sql, accountId)}
    select from lowered`
}
