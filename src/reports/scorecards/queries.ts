/** All SQL of scorecards. */
import type { Queryable } from '../../platform/postgres/database.ts'
import type { Tally } from './model.ts'

/** `partnerId` is 0 for keys without a partner. */
export type PartnerTally = Tally & { accountId: number; partnerId: number }

/** Adds to today's histograms, by the local date of each account. */
export async function addTallies(sql: Queryable, tallies: PartnerTally[]): Promise<void> {
  await sql`
    insert into partner_calls as kept (account_id, partner_id, day, operation, outcome, within_ms, calls)
    select account_id, partner_id, (app_now() at time zone time_zone)::date, operation, outcome, within_ms, calls
    from unnest(
      ${tallies.map(({ accountId }) => accountId)}::bigint[],
      ${tallies.map(({ partnerId }) => partnerId)}::bigint[],
      ${tallies.map(({ operation }) => operation)}::text[],
      ${tallies.map(({ outcome }) => outcome)}::text[],
      ${tallies.map(({ withinMs }) => withinMs)}::integer[],
      ${tallies.map(({ calls }) => calls)}::bigint[]
    ) as given (account_id, partner_id, operation, outcome, within_ms, calls)
    join accounts using (account_id)
    order by account_id, partner_id, operation, outcome, within_ms
    on conflict (account_id, day, partner_id, operation, outcome, within_ms)
      do update set calls = kept.calls + excluded.calls`
}

/** The sums of an account's counts in the last `days` days, including today. */
export function listTallies(sql: Queryable, accountId: number, days: number) {
  return sql<(Tally & { partnerId: number })[]>`
    select partner_id as "partnerId", operation, outcome, within_ms as "withinMs", sum(calls)::bigint as calls
    from partner_calls
    where account_id = ${accountId} and day > (
      select (app_now() at time zone time_zone)::date - ${days}::integer from accounts
      where account_id = ${accountId}
    )
    group by partner_id, operation, outcome, within_ms`
}

/** Deletes counts older than this many days; returns how many rows. */
export async function deleteTallies(sql: Queryable, days: number): Promise<number> {
  const { count } = await sql`
    delete from partner_calls where day < (app_now() at time zone 'UTC')::date - ${days}::integer`
  return count
}
