/** The SQL with which a test account follows the catalogue of its live account. */
import { testAccountOf, testSlugEnding } from '../accounts/model.ts'
import type { EventType } from '../events/types.ts'
import type { Queryable, Transaction } from '../platform/postgres/database.ts'
import type { FollowedTable } from './model.ts'

/** The columns that a test account copies from the row of its live account. */
export const accountColumns = [
  'name',
  'time_zone',
  'hold_minutes',
  'hold_limit_minutes',
  'offer_minutes',
  'country',
] as const

/**
 * Lets the transaction write the catalogue of test accounts. A trigger refuses such writes in all other
 * transactions.
 */
export async function allowCatalogueWrites(tx: Transaction): Promise<void> {
  await tx`set local app.following = 'on'`
}

/**
 * Makes an empty test account of a live one. It will follow the live account's events after the current last number.
 * @returns false when there is one already.
 */
export async function insertTestAccount(tx: Transaction, liveId: number): Promise<boolean> {
  const { count } = await tx`
    insert into accounts (account_id, slug, ${list(tx, accountColumns)})
    select -account_id, slug || ${testSlugEnding}, ${list(tx, accountColumns)}
    from accounts where account_id = ${liveId}
    on conflict (account_id) do nothing`
  if (count === 0) return false
  await tx`
    insert into test_accounts (account_id, followed_number)
    select ${testAccountOf(liveId)}, coalesce((select last_number from event_counters where account_id = ${liveId}), 0)`
  return true
}

/** How far a test account has followed its live account, and whether its timeslots must be compared. */
export type FollowingState = { number: number; isDue: boolean }

/**
 * Locks the state of a test account until the transaction ends. Null if the live account has no test account.
 */
export async function lockTestAccount(tx: Transaction, liveId: number): Promise<FollowingState | null> {
  const [state] = await tx<FollowingState[]>`
    select followed_number as number, coalesce(compared_at < now() - interval '1 hour', true) as "isDue"
    from test_accounts where account_id = ${testAccountOf(liveId)}
    for update`
  return state ?? null
}

export type FollowedEvent = {
  number: number
  type: EventType
  productId: number | null
  timeslotId: number | null
  details: Record<string, unknown>
}

/**
 * The next events of a live account to follow, in order. Once the caller has followed them, its test account
 * has followed all events up to the number `upTo`.
 */
export async function readFollowedEvents(
  tx: Transaction,
  liveId: number,
  { after, types, limit }: { after: number; types: readonly string[]; limit: number },
): Promise<{ events: FollowedEvent[]; upTo: number }> {
  const [counter] = await tx<{ number: number }[]>`
    select last_number as number from event_counters where account_id = ${liveId}`
  const last = counter?.number ?? 0
  const events = await tx<FollowedEvent[]>`
    select number, type, product_id as "productId", timeslot_id as "timeslotId", details
    from events
    where account_id = ${liveId} and number > ${after} and number <= ${last} and type = any(${[...types]}::text[])
    order by number limit ${limit}`
  return { events, upTo: events.length < limit ? Math.max(last, after) : events.at(-1)!.number }
}

/**
 * Records the number up to which a test account has followed, and whether all its timeslots were compared, only some
 * (so that the next run continues), or none (the time of the last comparison stays).
 */
export async function saveState(
  tx: Transaction,
  liveId: number,
  { number, compared }: { number: number; compared: 'all' | 'some' | 'none' },
): Promise<void> {
  const comparedAt = { all: tx`now()`, some: tx`null`, none: tx`compared_at` }[compared]
  await tx`
    update test_accounts set followed_number = ${number}, followed_at = now(), compared_at = ${comparedAt}
    where account_id = ${testAccountOf(liveId)}`
}

/** Makes the next followLive() compare all timeslots. */
export async function markUncompared(tx: Transaction, liveId: number): Promise<void> {
  await tx`update test_accounts set compared_at = null where account_id = ${testAccountOf(liveId)}`
}

/** Copies the settings of an account, without the id and the slug. */
export async function copyAccount(tx: Transaction, liveId: number): Promise<void> {
  const columns = (row: string) => tx`(${list(tx, accountColumns, row)})`
  await tx`
    update accounts as copy set (${list(tx, accountColumns)}) = (select ${list(tx, accountColumns, 'original')})
    from accounts as original
    where original.account_id = ${liveId} and copy.account_id = ${testAccountOf(liveId)}
      and ${columns('copy')} is distinct from ${columns('original')}`
}

/** The columns that are copied, by table: all except the account id, generated columns, and those in `own`. */
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

/**
 * For each workflow that is active in the live account: restarts its copy if the copy is inactive, or has
 * another trigger, offset or product. So the copy acts only on later events. Call it before the workflows are
 * copied.
 */
export async function resetWorkflows(tx: Transaction, liveId: number): Promise<void> {
  const testId = testAccountOf(liveId)
  await tx`
    update workflows as copy set armed_at = app_now(), swept_until = app_now(),
      swept_number = coalesce((select last_number from event_counters where account_id = ${testId}), 0)
    from workflows as original
    where original.account_id = ${liveId} and copy.account_id = ${testId} and copy.id = original.id and original.active
      and (copy.active, copy.trigger, copy.offset_minutes, copy.product_id)
        is distinct from (original.active, original.trigger, original.offset_minutes, original.product_id)`
}

/** Copies rows that are new or different in the live account. */
export async function copyRows(
  tx: Transaction,
  liveId: number,
  { table, key, unique }: FollowedTable,
  columns: readonly string[],
): Promise<void> {
  const testId = testAccountOf(liveId)
  const isSame = tx`(${list(tx, key, 'copy')}) = (${list(tx, key, 'original')})`
  if (unique)
    // Two rows may have swapped the value, so neither has it while they are written.
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

/** Deletes the copies of rows that no longer exist. */
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

/** Whether any copy differs from its original, is missing or superfluous. Reads all rows at one instant. */
export async function hasDifferences(
  tx: Transaction,
  liveId: number,
  tables: readonly FollowedTable[],
  columns: ReadonlyMap<string, readonly string[]>,
): Promise<boolean> {
  const differs = tables.map(({ table, key }) => {
    const of = (accountId: number) => tx`(select * from ${tx(table)} where account_id = ${accountId})`
    const row = (side: string) => tx`(${list(tx, columns.get(table)!, side)})`
    return tx`exists (
      select from ${of(liveId)} as original full join ${of(testAccountOf(liveId))} as copy using (${list(tx, key)})
      where original.account_id is null or copy.account_id is null or ${row('copy')} is distinct from ${row('original')}
    )`
  })
  const [row] = await tx<[{ differs: boolean }]>`
    select ${differs.map((one, index) => (index === 0 ? one : tx` or ${one}`))} as differs`
  return row.differs
}

/** Names of columns, separated by commas. */
export function list(tx: Transaction, columns: readonly string[], side?: string) {
  const names = columns.map((column) => tx(side ? `${side}.${column}` : column))
  return names.map((name, index) => (index === 0 ? tx`${name}` : tx`, ${name}`))
}

/** The `set` part of `on conflict do update`: overwrites these columns with the values of the rejected row. */
export function overwrite(tx: Transaction, columns: readonly string[]) {
  return tx`(${list(tx, columns)}) = row (${list(tx, columns, 'excluded')})`
}

/** The live accounts that have a test account: only those in `accountIds`, or all when it is left out. */
export async function listFollowed(sql: Queryable, accountIds?: readonly number[]): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select -account_id as id from test_accounts
    ${accountIds ? sql`where account_id = any(${accountIds.map(testAccountOf)}::bigint[])` : sql``}
    order by account_id desc`
  return rows.map(({ id }) => id)
}
