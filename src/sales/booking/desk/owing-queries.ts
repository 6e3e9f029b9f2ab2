/**
 * The queries of owing_bookings: notes of bookings whose sales may owe something. The triggers in sql/138 write notes
 * too, with the function mark_owing_sale(), whose current definition is in sql/144.
 */
import type { Queryable, Transaction } from '../../../platform/postgres/database.ts'

/** Whether the notes of an account are complete. */
export async function isFilled(sql: Queryable, accountId: number): Promise<boolean> {
  const [filled] = await sql`
    select from owing_states where account_id = ${accountId} and filled_at is not null`
  return filled !== undefined
}

/** Accounts with bookings to check, or with old bookings that have not been read yet. */
export async function listToCheck(sql: Queryable): Promise<{ accountId: number }[]> {
  return sql<{ accountId: number }[]>`
    select accounts.account_id as "accountId"
    from accounts
    left join owing_states as state using (account_id)
    left join lateral (
      select from owing_bookings as owing where owing.account_id = accounts.account_id and not checked limit 1
    ) as unchecked on true
    where state.filled_at is null or unchecked is not null
    order by accounts.account_id`
}

export type OwingBooking = { id: number; basketId: number; isConfirmed: boolean }

/**
 * Locks some notes to check, but none that another transaction is changing. If the sale of a locked note
 * changes now, this change waits for the check, and then notes the booking again.
 */
export function lockUnchecked(tx: Transaction, accountId: number, limit: number) {
  return tx<OwingBooking[]>`
    select owing.booking_id as id, owing.basket_id as "basketId",
      coalesce(bookings.status = 'confirmed', false) as "isConfirmed"
    from owing_bookings as owing
    left join bookings on bookings.account_id = owing.account_id and bookings.id = owing.booking_id
    where owing.account_id = ${accountId} and not checked
    order by owing.booking_id limit ${limit}
    for update of owing skip locked`
}

/** Marks the notes of `owing` as checked, and deletes those of `others`. */
export async function updateChecked(
  tx: Transaction,
  accountId: number,
  { owing, others }: { owing: readonly number[]; others: readonly number[] },
): Promise<void> {
  await tx`
    update owing_bookings set checked = true
    where account_id = ${accountId} and booking_id = any(${[...owing]}::bigint[])`
  await tx`
    delete from owing_bookings
    where account_id = ${accountId} and booking_id = any(${[...others]}::bigint[])`
}

/**
 * Locks the progress of reading the old bookings of an account; undefined if all are read, or if another
 * transaction has locked it.
 */
export async function lockFilling(
  tx: Transaction,
  accountId: number,
): Promise<{ filledTo: number } | undefined> {
  await tx`insert into owing_states (account_id) values (${accountId}) on conflict do nothing`
  const [state] = await tx<{ filledTo: number }[]>`
    select filled_to as "filledTo" from owing_states where account_id = ${accountId} and filled_at is null
    for update skip locked`
  return state
}

export type OldBooking = { id: number; basketId: number; mayOwe: boolean }

/** The next bookings of an account after an id, in the order of their ids. */
export function listBookingsAfter(
  tx: Transaction,
  accountId: number,
  { after, limit }: { after: number; limit: number },
) {
  return tx<OldBooking[]>`
    select id, basket_id as "basketId", channel <> 'partner' and status = 'confirmed' as "mayOwe"
    from bookings where account_id = ${accountId} and id > ${after} order by id limit ${limit}`
}

/** Notes bookings. They are checked once more, because their sales may have been paid meanwhile. */
export async function insertOwing(tx: Transaction, accountId: number, ids: readonly number[]): Promise<void> {
  await tx`
    insert into owing_bookings (account_id, booking_id, basket_id, created_at)
    select account_id, id, basket_id, created_at from bookings
    where account_id = ${accountId} and id = any(${[...ids]}::bigint[]) order by id
    on conflict do nothing`
}

/** Stores that the notes are complete up to a booking id; null for all. */
export async function updateFilled(tx: Transaction, accountId: number, to: number | null): Promise<void> {
  await tx`
    update owing_states set filled_to = coalesce(${to}::bigint, filled_to),
      filled_at = case when ${to}::bigint is null then clock_timestamp() end
    where account_id = ${accountId}`
}
