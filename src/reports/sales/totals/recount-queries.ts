/** The SQL that counts days again, and records how far an account is counted. */
import type { Queryable, Transaction } from '../../../platform/postgres/database.ts'
import type { Basis, MarkKey } from './mark-queries.ts'
import { joinByCommas, namesOf } from './names.ts'
import { sourcesOf } from './source-queries.ts'
import { hasBasis, tablesOf } from './tables.ts'

/**
 * Replaces the totals of days of one basis with the sums of their bookings, timeslots or payments. After the
 * old rows are deleted, one statement reads the bookings, timeslots or payments and inserts the rows of all
 * tables.
 */
export async function replaceTotals(
  tx: Transaction,
  accountId: number,
  { basis, keys }: { basis: Basis; keys: readonly MarkKey[] },
): Promise<void> {
  const stale = tx`select product_id, day from unnest(
    ${keys.map(({ productId }) => productId)}::bigint[], ${keys.map(({ day }) => day)}::date[]) as key (product_id, day)`
  const tables = tablesOf(basis)
  for (const table of tables) {
    const ofBasis = hasBasis(table) ? tx`and total.basis = ${basis}` : tx``
    const ofProduct = basis === 'travel' ? tx`and total.product_id = stale.product_id` : tx``
    await tx`
      delete from ${tx(table.name)} as total using (${stale}) as stale
      where total.account_id = ${accountId} ${ofBasis} and total.day = stale.day ${ofProduct}`
  }
  const written = tables.map((table) => {
    const names = namesOf(tx, [...table.key, ...table.columns])
    return tx`${tx(`new_${table.name}`)} as (
      insert into ${tx(table.name)} (account_id, ${hasBasis(table) ? tx`basis,` : tx``} ${names})
      select ${accountId}::bigint, ${hasBasis(table) ? tx`${basis}::text,` : tx``} ${names}
      from (${table.sums(tx, { accountId, basis })}) as sums
    )`
  })
  await tx`with ${sourcesOf(tx, { accountId, basis, keys: stale })}, ${joinByCommas(tx, written)} select`
}

/**
 * Accounts that have something to count and do not pause: those with the oldest marks first, those without
 * marks last.
 */
export async function listToCount(sql: Queryable): Promise<number[]> {
  const rows = await sql<{ accountId: number }[]>`
    select accounts.account_id as "accountId"
    from accounts left join sales_states as state using (account_id)
    left join event_counters as counter using (account_id)
    left join lateral (
      select id from sales_marks where sales_marks.account_id = accounts.account_id order by id limit 1
    ) as first on true
    where (first.id is not null or state.filled_at is null or counter.last_number > state.last_number)
      and (state.rest_until is null or state.rest_until <= clock_timestamp())
    order by first.id nulls last, account_id`
  return rows.map(({ accountId }) => accountId)
}

/**
 * Locks the state of an account, and makes it if there is none. Returns undefined while another process counts the
 * account.
 */
export async function lockState(tx: Transaction, accountId: number) {
  await tx`
    insert into sales_states (account_id, last_number, filled_from)
    select account_id, coalesce((
      select last_number from event_counters where event_counters.account_id = accounts.account_id
    ), 0), greatest(
      (app_now() at time zone time_zone)::date,
      (select date from timeslots where timeslots.account_id = accounts.account_id order by date desc limit 1)
    ) + 1
    from accounts where account_id = ${accountId}
    on conflict do nothing`
  const [state] = await tx<{ filled: boolean }[]>`
    select filled_at is not null as filled from sales_states where account_id = ${accountId} for update skip locked`
  return state
}

/**
 * Returns the latest `days` days of the account that were never counted, and records them as counted: the
 * caller must count them in this transaction. Returns none if every day is recorded as counted.
 */
export function takeUncountedDays(tx: Transaction, accountId: number, days: number) {
  return tx<MarkKey[]>`
    with first as (
      select least(
        (select date from timeslots where account_id = ${accountId} order by date limit 1),
        (select (confirmed_at at time zone time_zone)::date from bookings join accounts using (account_id)
          where account_id = ${accountId} and confirmed_at is not null order by confirmed_at limit 1),
        (select (made_at at time zone time_zone)::date from payments join accounts using (account_id)
          where account_id = ${accountId} order by made_at limit 1),
        (select (decided_at at time zone time_zone)::date from refunds join accounts using (account_id)
          where account_id = ${accountId} and booking_id is null order by decided_at limit 1)
      ) as day
    ), moved as (
      update sales_states set filled_from = filled_from - ${days}::integer,
        filled_at = case when filled_from - ${days}::integer <= coalesce(first.day, filled_from)
          then clock_timestamp() end
      from first where account_id = ${accountId} and filled_at is null
      returning filled_from
    )
    select basis, 0::bigint as "productId", (filled_from + offset_days)::date as day
    from moved cross join unnest(array['sold', 'paid']) as basis
    cross join generate_series(0, ${days}::integer - 1) as offset_days
    union all
    select distinct 'travel', product_id, date from moved
    join timeslots on timeslots.account_id = ${accountId}
      and date >= filled_from and date < filled_from + ${days}::integer`
}

/**
 * Pauses the counting of an account for nine times as long as it took, so that the service counts each account for at
 * most a tenth of the time.
 */
export async function pauseCounting(sql: Queryable, accountId: number, countedMs: number): Promise<void> {
  await sql`
    update sales_states set rest_until = clock_timestamp() + ${Math.ceil(9 * countedMs)} * interval '1 millisecond'
    where account_id = ${accountId}`
}

/** The first day from which all days of an account are counted; null if every day has been counted. */
export function findFilled(sql: Queryable, accountId: number) {
  return sql<{ filledFrom: string | null }[]>`
    select case when state.filled_at is null then coalesce(state.filled_from, current_date + 36500) end as "filledFrom"
    from accounts left join sales_states as state using (account_id) where accounts.account_id = ${accountId}`
}
