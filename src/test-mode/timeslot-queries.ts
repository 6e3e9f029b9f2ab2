/** The SQL that copies the timeslots of a live account to its test account: those from yesterday on. */
import { testAccountOf } from '../accounts/model.ts'
import type { Transaction } from '../platform/postgres/database.ts'
import { markOfTimeslots } from '../reports/sales/totals/mark-queries.ts'
import { list, overwrite } from './queries.ts'

const yesterday = (tx: Transaction) => tx`(app_now() at time zone 'UTC')::date - 1`

/** The ids of a live account's first timeslots from yesterday on. */
export async function listFirstTimeslots(tx: Transaction, liveId: number, limit: number): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select id from timeslots where account_id = ${liveId} and date >= ${yesterday(tx)} order by date, id limit ${limit}`
  return rows.map(({ id }) => id)
}

/**
 * Some timeslots that are missing, different or superfluous in a test account; superfluous ones first,
 * because another timeslot may need their time.
 */
export async function listDiffering(
  tx: Transaction,
  liveId: number,
  { columns, limit }: { columns: readonly string[]; limit: number },
): Promise<number[]> {
  const others = columns.filter((column) => column !== 'capacity')
  const from = (accountId: number) =>
    tx`(select * from timeslots where account_id = ${accountId} and date >= ${yesterday(tx)})`
  const rows = await tx<{ id: number }[]>`
    select id from ${from(liveId)} as original full join ${from(testAccountOf(liveId))} as copy using (id)
    where original.account_id is null or copy.account_id is null
      or copy.capacity <> greatest(original.capacity, copy.booked + copy.held)
      or (${list(tx, others, 'copy')}) is distinct from (${list(tx, others, 'original')})
    order by original.account_id is not null, id limit ${limit}`
  return rows.map(({ id }) => id)
}

/** Locks copies in the order of their ids, so that no test booking changes their sold places. */
export async function lockTimeslots(tx: Transaction, testId: number, ids: readonly number[]): Promise<void> {
  await tx`
    select from timeslots where account_id = ${testId} and id = any(${[...ids]}::bigint[]) order by id for update`
}

/** The ids of copies whose live timeslot no longer exists. */
export async function listGoneTimeslots(
  tx: Transaction,
  liveId: number,
  ids: readonly number[],
): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select copy.id from timeslots as copy
    where copy.account_id = ${testAccountOf(liveId)} and copy.id = any(${[...ids]}::bigint[]) and not exists (
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
  await markOfTimeslots(tx, testId, ids)
  await tx`delete from timeslots where account_id = ${testId} and id = any(${[...ids]}::bigint[])`
}

/**
 * Copies new or different timeslots. The capacity of a copy is at least its booked and held places, even if the live
 * timeslot has a lower capacity.
 * @returns the ids of timeslots that existed in both accounts and got a higher capacity, or were opened
 * again.
 */
export async function copyTimeslots(
  tx: Transaction,
  liveId: number,
  ids: readonly number[],
  columns: readonly string[],
): Promise<number[]> {
  const testId = testAccountOf(liveId)
  const others = columns.filter((column) => column !== 'capacity')
  await markOfTimeslots(tx, testId, ids)
  const isGiven = tx`original.id = any(${[...ids]}::bigint[])`
  const grown = await tx<{ id: number }[]>`
    select copy.id
    from timeslots as original
    join timeslots as copy on copy.account_id = ${testId} and copy.id = original.id
    where original.account_id = ${liveId} and ${isGiven}
      and (original.capacity > copy.capacity or original.status > copy.status)
    order by copy.id`
  await tx`
    insert into timeslots (account_id, ${list(tx, others)}, capacity)
    select ${testId}::bigint, ${list(tx, others, 'original')},
      greatest(original.capacity, coalesce(copy.booked + copy.held, 0))
    from timeslots as original
    left join timeslots as copy on copy.account_id = ${testId} and copy.id = original.id
    where original.account_id = ${liveId} and ${isGiven}
      and (copy.id is not null or original.date >= ${yesterday(tx)})
      and (${list(tx, others, 'copy')}, copy.capacity)
        is distinct from (${list(tx, others, 'original')}, greatest(original.capacity, copy.booked + copy.held))
    order by original.id
    on conflict (account_id, id) do update set ${overwrite(tx, [...others, 'capacity'])}`
  await markOfTimeslots(tx, testId, ids)
  return grown.map(({ id }) => id)
}

/**
 * Deletes some timeslots of a test account that are before yesterday and have no bookings; returns how many.
 */
export async function deletePast(tx: Transaction, testId: number, limit: number): Promise<number> {
  const past = await tx<{ id: number }[]>`
      select id from timeslots as slot
      where account_id = ${testId} and date < ${yesterday(tx)} and not exists (
        select from bookings where bookings.account_id = slot.account_id and bookings.timeslot_id = slot.id
      )
      order by id limit ${limit} for update skip locked`
  await deleteTimeslots(
    tx,
    testId,
    past.map(({ id }) => id),
  )
  return past.length
}
