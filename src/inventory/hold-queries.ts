/** The SQL that writes the rows that a reseller's held booking needs: its basket, and the reseller's data. */
import type { Transaction } from '../platform/postgres/database.ts'
import type { NewHold } from './hold-model.ts'
import { type RowKey, unnestKeys } from './lock-queries.ts'

type Held = { accountId: number; id: number; basketId: number; hold: NewHold }

/**
 * Makes the baskets of held bookings. A hold lasts for the requested minutes, or for the account's hold time
 * if none are requested, but not longer than the account's limit.
 */
export async function insertHoldingBaskets(tx: Transaction, held: readonly Held[]): Promise<void> {
  await tx`
    insert into baskets (account_id, id, status, channel, expires_at, hold_limit_at)
    select account_id, basket_id, 'open', 'partner',
      app_now() + least(coalesce(minutes, hold_minutes), limit_minutes) * interval '1 minute',
      app_now() + limit_minutes * interval '1 minute'
    from unnest(
      ${held.map(({ accountId }) => accountId)}::bigint[], ${held.map(({ basketId }) => basketId)}::bigint[],
      ${held.map(({ hold }) => hold.minutes)}::integer[]
    ) as given (account_id, basket_id, minutes)
    join accounts using (account_id)
    cross join lateral (select greatest(hold_limit_minutes, hold_minutes) as limit_minutes) as bound`
}

export async function insertReservations(tx: Transaction, held: readonly Held[]): Promise<void> {
  await tx`
    insert into reservations (account_id, booking_id, reseller_id, uuid, body_hash, email_receipt, notes, contact)
    select account_id, booking_id, reseller_id, uuid, decode(body_hash, 'hex'), email_receipt, notes, contact::jsonb
    from unnest(
      ${held.map(({ accountId }) => accountId)}::bigint[], ${held.map(({ id }) => id)}::bigint[],
      ${held.map(({ hold }) => hold.resellerId)}::bigint[], ${held.map(({ hold }) => hold.uuid)}::uuid[],
      ${held.map(({ hold }) => hold.bodyHash.toString('hex'))}::text[],
      ${held.map(({ hold }) => String(hold.emailReceipt))}::text[]::boolean[],
      ${held.map(({ hold }) => hold.notes)}::text[],
      ${held.map(({ hold }) => hold.contact && JSON.stringify(hold.contact))}::text[]
    ) as given (account_id, booking_id, reseller_id, uuid, body_hash, email_receipt, notes, contact)`
}

/**
 * Deletes the baskets of resellers' bookings that were confirmed: these have a basket row only while they are
 * held.
 */
export async function deleteHoldingBaskets(tx: Transaction, baskets: readonly RowKey[]): Promise<void> {
  await tx`
    delete from baskets using ${unnestKeys(tx, baskets)}
    where baskets.account_id = key.account_id and baskets.id = key.id and channel = 'partner'`
}

/**
 * Extends the hold of a reseller's open basket, up to `hold_limit_at`. It never shortens the hold.
 * @param minutes the time from now; null for the hold time of the account.
 * @returns whether the hold now ends later. False also if there is no such basket, or if it has expired.
 */
export async function extendHold(
  tx: Transaction,
  accountId: number,
  basketId: number,
  minutes: number | null,
): Promise<boolean> {
  const wanted = tx`app_now() + coalesce(${minutes}::integer, hold_minutes) * interval '1 minute'`
  const { count } = await tx`
    update baskets set expires_at = least(hold_limit_at, ${wanted})
    from accounts
    where baskets.account_id = ${accountId} and baskets.id = ${basketId} and channel = 'partner' and status = 'open'
      and expires_at > app_now() and expires_at < least(hold_limit_at, ${wanted})
      and accounts.account_id = baskets.account_id`
  return count === 1
}
