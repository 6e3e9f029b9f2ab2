/** The SQL of promotions for their operator. use-queries.ts has the SQL of their uses by baskets. */
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import type { PromotionLimits, PromotionScope, PromotionTerms } from './model.ts'

/** The fields of a promotion that the operator sets. */
export type PromotionInput = PromotionTerms & PromotionScope & PromotionLimits

export type Promotion = PromotionInput & { id: number; code: string }
export type PromotionRow = Promotion & { uses: number; createdAt: Date; updatedAt: Date }

export function promotionColumns(sql: Queryable) {
  return sql`promotions.id, promotions.code, promotions.basis_points as "basisPoints",
    promotions.amount_minor as "amountMinor", promotions.currency,
    (select jsonb_agg(product_id) from unnest(promotions.product_ids) as product_id) as "productIds",
    promotions.sale_from as "saleFrom", promotions.sale_to as "saleTo", promotions.travel_from as "travelFrom",
    promotions.travel_to as "travelTo", promotions.max_uses as "maxUses",
    promotions.max_uses_per_customer as "maxUsesPerCustomer", promotions.active`
}

function rowColumns(sql: Queryable) {
  return sql`${promotionColumns(sql)}, (
      select count(*) from promotion_uses as use
      where use.account_id = promotions.account_id and use.promotion_id = promotions.id
    ) as uses, promotions.created_at as "createdAt", promotions.updated_at as "updatedAt"`
}

export type PromotionFilter = {
  code: string | undefined
  active: boolean | undefined
  after: number
  limit: number
}

/** Promotions whose code contains `code` in upper or lower case, by id: at most `limit`, with ids above `after`. */
export function listPromotions(
  sql: Queryable,
  accountId: number,
  { code, active, after, limit }: PromotionFilter,
) {
  return sql<PromotionRow[]>`
    select ${rowColumns(sql)} from promotions
    where account_id = ${accountId} and id > ${after}
      ${active === undefined ? sql`` : active ? sql`and active` : sql`and not active`}
      ${code === undefined ? sql`` : sql`and strpos(code, upper(${code})) > 0`}
    order by id
    limit ${limit}`
}

export async function findPromotion(
  sql: Queryable,
  accountId: number,
  id: number,
): Promise<PromotionRow | null> {
  const [promotion] = await sql<PromotionRow[]>`
    select ${rowColumns(sql)} from promotions where account_id = ${accountId} and id = ${id}`
  return promotion ?? null
}

/** A promotion without its uses, locked until the transaction ends. */
export async function lockPromotion(
  tx: Transaction,
  accountId: number,
  id: number,
): Promise<Promotion | null> {
  const [promotion] = await tx<Promotion[]>`
    select ${promotionColumns(tx)} from promotions where account_id = ${accountId} and id = ${id} for update`
  return promotion ?? null
}

/** The id of the new promotion; null if the code is taken. */
export async function insertPromotion(
  tx: Transaction,
  accountId: number,
  { code, ...promotion }: PromotionInput & { code: string },
): Promise<number | null> {
  const [made] = await tx<{ id: number }[]>`
    insert into promotions (account_id, code, basis_points, amount_minor, currency, product_ids, sale_from, sale_to,
      travel_from, travel_to, max_uses, max_uses_per_customer, active)
    values (${accountId}, ${code}, ${promotion.basisPoints}, ${promotion.amountMinor}, ${promotion.currency},
      ${idsOf(promotion)}::bigint[], ${promotion.saleFrom}, ${promotion.saleTo}, ${promotion.travelFrom},
      ${promotion.travelTo}, ${promotion.maxUses}, ${promotion.maxUsesPerCustomer}, ${promotion.active})
    on conflict (account_id, code) do nothing
    returning id`
  return made?.id ?? null
}

export async function updatePromotion(
  tx: Transaction,
  accountId: number,
  id: number,
  promotion: PromotionInput,
): Promise<void> {
  await tx`
    update promotions set basis_points = ${promotion.basisPoints}, amount_minor = ${promotion.amountMinor},
      currency = ${promotion.currency}, product_ids = ${idsOf(promotion)}::bigint[],
      sale_from = ${promotion.saleFrom}, sale_to = ${promotion.saleTo}, travel_from = ${promotion.travelFrom},
      travel_to = ${promotion.travelTo}, max_uses = ${promotion.maxUses},
      max_uses_per_customer = ${promotion.maxUsesPerCustomer}, active = ${promotion.active}, updated_at = now()
    where account_id = ${accountId} and id = ${id}`
}

function idsOf({ productIds }: PromotionInput): number[] | null {
  return productIds && [...productIds]
}

/** The ids among these that are not products of the account. */
export async function listUnknownProducts(
  sql: Queryable,
  accountId: number,
  ids: readonly number[],
): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select asked.id from unnest(${[...ids]}::bigint[]) as asked (id)
    where not exists (select from products where account_id = ${accountId} and products.id = asked.id)`
  return rows.map(({ id }) => id)
}
