/** The SQL by which a test account follows the catalogue of its live account. */
import { testAccountOf, testSlugEnding } from '../accounts/model.ts'
import type { EventType } from '../events/types.ts'
import type { Queryable, Transaction } from '../platform/postgres/database.ts'
import type { FollowedTable } from './model.ts'

/** Lets the transaction write the catalogue of test accounts, which a trigger refuses to all others. */
export async function beginFollowing(tx: Transaction): Promise<void> {
  await tx`set local app.following = 'on'`
}

/**
 * Makes the test account of a live one, with nothing in it, which is to follow its log from here.
 * @returns false when there is one already.
 */
export async function insertTestAccount(tx: Transaction, liveId: number): Promise<boolean> {
  const { count } = await tx`
    insert into accounts (account_id, slug, name, time_zone, hold_minutes, hold_limit_minutes, offer_minutes)
    select -account_id, slug || ${testSlugEnding}, name, time_zone, hold_minutes, hold_limit_minutes, offer_minutes
    from accounts where account_id = ${liveId}
    on conflict (account_id) do nothing`
  if (count === 0) return false
  await tx`
    insert into test_accounts (account_id, followed_number)
    select ${testAccountOf(liveId)}, coalesce((select last_number from event_counters where account_id = ${liveId}), 0)`
  return true
}

/** How far a test account has followed, locked until the transaction ends; null when another process follows, or there is none. */
export async function lockTestAccount(tx: Transaction, liveId: number): Promise<number | null> {
  const [row] = await tx<{ number: number }[]>`
    select followed_number as number from test_accounts where account_id = ${testAccountOf(liveId)}
    for update skip locked`
  return row?.number ?? null
}

export type FollowedEvent = {
  number: number
  type: EventType
  productId: number | null
  timeslotId: number | null
  details: Record<string, unknown>
}

/** The next events of a live account after a number, in their order. */
export function listFollowedEvents(
  tx: Transaction,
  liveId: number,
  { after, limit }: { after: number; limit: number },
) {
  return tx<FollowedEvent[]>`
    select number, type, product_id as "productId", timeslot_id as "timeslotId", details
    from events
    where account_id = ${liveId} and number > ${after}
    order by number limit ${limit}`
}

export async function keepPlace(tx: Transaction, liveId: number, number: number): Promise<void> {
  await tx`
    update test_accounts set followed_number = ${number}, followed_at = now()
    where account_id = ${testAccountOf(liveId)}`
}

/** Columns of the followed tables that are the same in both accounts, by table. */
export async function listFollowedColumns(
  tx: Transaction,
  tables: readonly FollowedTable[],
): Promise<Map<string, string[]>> {
  const rows = await tx<{ table: string; columns: string[] }[]>`
    select relname as table, array_agg(attname::text order by attnum) as columns
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relname = any(${tables.map(({ table }) => table)}::text[])
      and attnum > 0 and not attisdropped and attgenerated = ''
    group by relname`
  return new Map(
    rows.map(({ table, columns }) => {
      const { own = [] } = tables.find((one) => one.table === table)!
      return [table, columns.filter((column) => column !== 'account_id' && !own.includes(column))]
    }),
  )
}

/** Copies what is new or different in the live account. */
export async function copyRows(
  tx: Transaction,
  liveId: number,
  { table, key, unique }: FollowedTable,
  columns: readonly string[],
): Promise<void> {
  const testId = testAccountOf(liveId)
  const isSame = tx`(${list(tx, key, 'copy')}) = (${list(tx, key, 'original')})`
  if (unique)
    // Two rows may have swapped it: neither has it while they are written.
    await tx`
      update ${tx(table)} as copy set ${tx(unique)} = gen_random_uuid()::text
      from ${tx(table)} as original
      where original.account_id = ${liveId} and copy.account_id = ${testId} and ${isSame}
        and original.${tx(unique)} <> copy.${tx(unique)}`
  await tx`
    insert into ${tx(table)} (account_id, ${list(tx, columns)})
    select ${testId}::bigint, ${list(tx, columns, 'original')}
    from ${tx(table)} as original
    where original.account_id = ${liveId} and not exists (
      select from ${tx(table)} as copy
      where copy.account_id = ${testId} and ${isSame}
        and (${list(tx, columns, 'copy')}) is not distinct from (${list(tx, columns, 'original')})
    )
    on conflict (account_id, ${list(tx, key)}) do update set ${overwrite(tx, columns)}`
}

/** Deletes the copies of what is no longer there. */
export async function deleteGone(
  tx: Transaction,
  liveId: number,
  { table, key }: FollowedTable,
): Promise<void> {
  await tx`
    delete from ${tx(table)} as copy
    where copy.account_id = ${testAccountOf(liveId)} and not exists (
      select from ${tx(table)} as original
      where original.account_id = ${liveId} and (${list(tx, key, 'original')}) = (${list(tx, key, 'copy')})
    )`
}

/** Names of columns, with commas between them. */
function list(tx: Transaction, columns: readonly string[], side?: 'original' | 'copy' | 'excluded') {
  const names = columns.map((column) => tx(side ? `${side}.${column}` : column))
  return names.map((name, index) => (index === 0 ? tx`${name}` : tx`, ${name}`))
}

function overwrite(tx: Transaction, columns: readonly string[]) {
  return tx`(${list(tx, columns)}) = row (${list(tx, columns, 'excluded')})`
}

/** Which timeslots: those of some ids, or all from yesterday on. */
export type WhichTimeslots = { ids: readonly number[] } | 'all'

function among(tx: Transaction, side: 'original' | 'copy', which: WhichTimeslots) {
  return which === 'all'
    ? tx`${tx(side)}.date >= (app_now() at time zone 'UTC')::date - 1`
    : tx`${tx(side)}.id = any(${[...which.ids]}::bigint[])`
}

/** Copies of timeslots that are no longer there. */
export async function listGoneTimeslots(
  tx: Transaction,
  liveId: number,
  which: WhichTimeslots,
): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select copy.id from timeslots as copy
    where copy.account_id = ${testAccountOf(liveId)} and ${among(tx, 'copy', which)} and not exists (
      select from timeslots as original where original.account_id = ${liveId} and original.id = copy.id
    )
    order by copy.id`
  return rows.map(({ id }) => id)
}

export async function deleteTimeslots(
  tx: Transaction,
  testId: number,
  ids: readonly number[],
): Promise<void> {
  await tx`delete from timeslots where account_id = ${testId} and id = any(${[...ids]}::bigint[])`
}

/**
 * Copies timeslots that are new or different. One keeps the places that are sold in test mode, also where the live one
 * has fewer by now.
 * @returns those that exist in both and have more places free than before, or are on sale again.
 */
export async function copyTimeslots(
  tx: Transaction,
  liveId: number,
  which: WhichTimeslots,
  columns: readonly string[],
): Promise<number[]> {
  const testId = testAccountOf(liveId)
  const others = columns.filter((column) => column !== 'capacity')
  const grown = await tx<{ id: number }[]>`
    select copy.id
    from timeslots as original
    join timeslots as copy on copy.account_id = ${testId} and copy.id = original.id
    where original.account_id = ${liveId} and ${among(tx, 'original', which)}
      and (original.capacity > copy.capacity or original.status > copy.status)
    order by copy.id`
  await tx`
    insert into timeslots (account_id, ${list(tx, others)}, capacity)
    select ${testId}::bigint, ${list(tx, others, 'original')}, greatest(original.capacity, copy.booked + copy.held)
    from timeslots as original
    left join timeslots as copy on copy.account_id = ${testId} and copy.id = original.id
    where original.account_id = ${liveId} and ${among(tx, 'original', which)}
      and (${list(tx, others, 'copy')}, copy.capacity)
        is distinct from (${list(tx, others, 'original')}, greatest(original.capacity, copy.booked + copy.held))
    order by original.id
    on conflict (account_id, id) do update set ${overwrite(tx, [...others, 'capacity'])}`
  return grown.map(({ id }) => id)
}

/** Live accounts among these, or all, that have a test account. */
export async function listFollowed(sql: Queryable, accountIds?: readonly number[]): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select -account_id as id from test_accounts
    ${accountIds ? sql`where account_id = any(${accountIds.map(testAccountOf)}::bigint[])` : sql``}
    order by account_id desc`
  return rows.map(({ id }) => id)
}
