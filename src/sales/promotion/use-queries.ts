/** The SQL of the uses of promotions by baskets. */
import { type Bought, boughtColumns } from '../../inventory/service.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import type { PromotionUses } from './model.ts'
import { type Promotion, promotionColumns } from './queries.ts'

/**
 * Finds the id of the promotion with this code, in upper or lower case; null if the account has none. With
 * `lock`, the promotion is locked until the transaction ends.
 */
export async function findPromotionId(
  sql: Queryable,
  accountId: number,
  code: string,
  { lock = false } = {},
): Promise<number | null> {
  const [promotion] = await sql<{ id: number }[]>`
    select id from promotions where account_id = ${accountId} and code = upper(${code})
    ${lock ? sql`for update` : sql``}`
  return promotion?.id ?? null
}

/**
 * The promotion of a sale, with its current percentage, even if the promotion or the basket of the sale has
 * ended. Null if the sale has no promotion.
 */
export async function findPromotionOfSale(
  sql: Queryable,
  accountId: number,
  basketId: number,
): Promise<{ code: string; basisPoints: number | null } | null> {
  const [promotion] = await sql<{ code: string; basisPoints: number | null }[]>`
    select code, basis_points as "basisPoints" from baskets
    join promotions on promotions.account_id = baskets.account_id and promotions.id = baskets.promotion_id
    where baskets.account_id = ${accountId} and baskets.id = ${basketId}`
  return promotion ?? null
}

/**
 * The current percentage of the promotion of a booking's sale, and the amount by which the booking was
 * reduced at the till. Null if the sale has no promotion.
 */
export async function findPromotionOfBooking(sql: Queryable, accountId: number, bookingId: number) {
  const [found] = await sql<{ basisPoints: number | null; reductionMinor: string }[]>`
    select basis_points as "basisPoints", coalesce(bookings.reduction_minor, 0)::text as "reductionMinor"
    from bookings
    join baskets on baskets.account_id = bookings.account_id and baskets.id = bookings.basket_id
    join promotions on promotions.account_id = baskets.account_id and promotions.id = baskets.promotion_id
    where bookings.account_id = ${accountId} and bookings.id = ${bookingId}`
  return found ?? null
}

export type BasketUse = {
  /** The e-mail address in the first held or expired line of the basket; null if there is none. */
  email: string | null
  hasUse: boolean
  customerHash: Buffer | null
}

/** The use of a promotion by a locked basket, and the customer of the basket. */
export async function findUse(tx: Transaction, accountId: number, basketId: number): Promise<BasketUse> {
  const [row] = await tx<BasketUse[]>`
    select (
        select email from bookings
        where account_id = ${accountId} and basket_id = ${basketId} and status in ('held', 'expired')
        order by id limit 1
      ) as email, use.basket_id is not null as "hasUse", use.customer_hash as "customerHash"
    from (values (${accountId}::bigint, ${basketId}::bigint)) as basket (account_id, id)
    left join promotion_uses as use on use.account_id = basket.account_id and use.basket_id = basket.id`
  return row!
}

export type UsedPromotion = Promotion &
  PromotionUses & {
    /** Today in the account's time zone. */
    today: string
  }

/**
 * A locked promotion with the number of its uses by other baskets, in all and by one customer. A number that
 * the promotion does not limit is not counted and is returned as 0.
 */
export async function readPromotionWithUses(
  tx: Transaction,
  accountId: number,
  { promotionId, basketId, hash }: { promotionId: number; basketId: number; hash: Buffer | null },
): Promise<UsedPromotion> {
  const others = tx`
    select count(*) from promotion_uses as use
    where use.account_id = promotions.account_id and use.promotion_id = promotions.id
      and use.basket_id <> ${basketId}`
  const [row] = await tx<UsedPromotion[]>`
    select ${promotionColumns(tx)}, (app_now() at time zone accounts.time_zone)::date as today,
      case when max_uses is not null then (${others}) else 0 end as total,
      case when max_uses_per_customer is not null then (${others} and use.customer_hash = ${hash}) else 0 end
        as "ofCustomer"
    from promotions join accounts on accounts.account_id = promotions.account_id
    where promotions.account_id = ${accountId} and promotions.id = ${promotionId}`
  return row!
}

/** Gives a basket a promotion and a use of it. The caller has locked both. */
export async function writeUse(
  tx: Transaction,
  accountId: number,
  { promotionId, basketId, hash }: { promotionId: number; basketId: number; hash: Buffer | null },
): Promise<void> {
  await tx`
    with used as (
      insert into promotion_uses (account_id, basket_id, promotion_id, customer_hash)
      values (${accountId}, ${basketId}, ${promotionId}, ${hash})
      on conflict (account_id, basket_id) do update
        set promotion_id = excluded.promotion_id, customer_hash = excluded.customer_hash
    )
    update baskets set promotion_id = ${promotionId} where account_id = ${accountId} and id = ${basketId}`
}

/** Removes the promotion of a locked basket and frees its use. */
export async function deleteUse(tx: Transaction, accountId: number, basketId: number): Promise<void> {
  await tx`
    with given_back as (
      delete from promotion_uses where account_id = ${accountId} and basket_id = ${basketId}
    )
    update baskets set promotion_id = null where account_id = ${accountId} and id = ${basketId}`
}

export type HeldLine = Bought & {
  id: number
  basketId: number
  /** The promotion of the basket. */
  promotionId: number | null
  productId: number
  date: string
}

/** The lines of locked open baskets, in the order in which they were added. */
export function listHeldLines(tx: Transaction, accountId: number, basketIds: readonly number[]) {
  return tx<HeldLine[]>`
    select bookings.id, bookings.basket_id as "basketId", baskets.promotion_id as "promotionId",
      slot.product_id as "productId", slot.date, ${boughtColumns(tx)}
    from baskets
    join bookings on bookings.account_id = baskets.account_id and bookings.basket_id = baskets.id
      and bookings.status = 'held'
    join timeslots as slot on slot.account_id = bookings.account_id and slot.id = bookings.timeslot_id
    where baskets.account_id = ${accountId} and baskets.id = any(${[...basketIds]}::bigint[])
      and baskets.status = 'open'
    order by bookings.id`
}

/** The promotions with these ids, in no particular order. */
export function readPromotions(sql: Queryable, accountId: number, ids: readonly number[]) {
  return sql<Promotion[]>`
    select ${promotionColumns(sql)} from promotions
    where account_id = ${accountId} and id = any(${[...ids]}::bigint[])`
}

/** Writes the reductions of lines of locked baskets. */
export async function updateDiscounts(
  tx: Transaction,
  accountId: number,
  lines: readonly { id: number; discountMinor: bigint }[],
): Promise<void> {
  await tx`
    update bookings set discount_minor = nullif(given.discount_minor, 0), updated_at = now()
    from unnest(
      ${lines.map(({ id }) => id)}::bigint[], ${lines.map(({ discountMinor }) => String(discountMinor))}::text[]::bigint[]
    ) as given (id, discount_minor)
    where bookings.account_id = ${accountId} and bookings.id = given.id`
}
