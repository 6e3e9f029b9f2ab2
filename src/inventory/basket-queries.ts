/** The SQL that makes and ends baskets. */
import type { Transaction } from '../platform/postgres/database.ts'

export type NewBasket = {
  status: 'waiting' | 'open' | 'completed'
  channel: 'online' | 'pos'
  payment: { method: 'online' | 'cash' | 'card'; reference: string | null } | null
}

export async function insertBasket(tx: Transaction, accountId: number, basket: NewBasket): Promise<number> {
  const isOpen = basket.status === 'open'
  const [made] = await tx<{ id: number }[]>`
    insert into baskets (account_id, id, status, channel, created_at, completed_at, expires_at, hold_limit_at,
      payment_method, payment_reference)
    select account_id, nextval('basket_ids'), ${basket.status}, ${basket.channel}, now(),
      case when ${basket.status === 'completed'} then app_now() end,
      case when ${isOpen} then app_now() + hold_minutes * interval '1 minute' end,
      case when ${isOpen} then app_now() + greatest(hold_limit_minutes, hold_minutes) * interval '1 minute' end,
      ${basket.payment?.method ?? null}, ${basket.payment?.reference ?? null}
    from accounts where account_id = ${accountId}
    returning id`
  return made!.id
}

/**
 * Ends a locked basket that was not paid, and gives back its use of a promotion. The basket of a reseller's
 * reservation (channel `partner`) is deleted instead, because it exists only while the places are held.
 */
export async function updateBasketStatus(
  tx: Transaction,
  accountId: number,
  id: number,
  status: 'cancelled' | 'expired',
): Promise<void> {
  await tx`
    with given_back as (
      delete from promotion_uses where account_id = ${accountId} and basket_id = ${id}
    ), gone as (
      delete from baskets where account_id = ${accountId} and id = ${id} and channel = 'partner'
    )
    update baskets set status = ${status}
    where account_id = ${accountId} and id = ${id} and channel <> 'partner'`
}
