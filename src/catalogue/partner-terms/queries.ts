/**
 * The SQL that reads and replaces the terms of a partner. src/inventory/partner-terms-queries.ts applies them
 * to sales.
 */
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import type { NetPricedProduct, PartnerTermRow } from './model.ts'

export async function findPartner(sql: Queryable, accountId: number, id: number) {
  const [partner] = await sql<{ id: number }[]>`
    select id from partners where account_id = ${accountId} and id = ${id}`
  return partner ?? null
}

/**
 * The terms of a partner: first those for all products, then by product, with the currency of the product.
 */
export function listTerms(sql: Queryable, accountId: number, partnerId: number) {
  return sql<(PartnerTermRow & { currency: string | null })[]>`
    select product_id as "productId", commission_bp as "commissionBp", net_prices as "netPrices", currency
    from partner_terms
    left join products on products.account_id = partner_terms.account_id and products.id = product_id
    where partner_terms.account_id = ${accountId} and partner_id = ${partnerId}
    order by product_id nulls first`
}

/**
 * The given products with their currency and the ids of the units that they sell. Unknown ids are left out.
 */
export function listPricedProducts(sql: Queryable, accountId: number, ids: readonly number[]) {
  return sql<NetPricedProduct[]>`
    select id, currency, default_unit_id as "defaultUnitId", array(
      select units.id from units
      where units.account_id = products.account_id and product_id = products.id and position is not null
    ) as "unitIds"
    from products where account_id = ${accountId} and id = any(${[...ids]}::bigint[])`
}

/** The names of the partners that have net prices of these products, by product and name. */
export function listNetPricedPartners(sql: Queryable, accountId: number, productIds: readonly number[]) {
  return sql<{ productId: number; name: string }[]>`
    select product_id as "productId", partners.name
    from partner_terms as terms
    join partners on partners.account_id = terms.account_id and partners.id = partner_id
    where terms.account_id = ${accountId} and product_id = any(${[...productIds]}::bigint[])
      and net_prices is not null
    order by product_id, lower(partners.name)`
}

/**
 * Replaces the terms of a partner, and updates `has_partner_terms` of all products. The caller has locked the
 * account.
 */
export async function replaceTerms(
  tx: Transaction,
  accountId: number,
  partnerId: number,
  terms: readonly PartnerTermRow[],
): Promise<void> {
  await tx`delete from partner_terms where account_id = ${accountId} and partner_id = ${partnerId}`
  await tx`
    insert into partner_terms (account_id, partner_id, product_id, commission_bp, net_prices)
    select ${accountId}, ${partnerId}, "productId", "commissionBp", "netPrices"
    from jsonb_to_recordset(${tx.json([...terms])}) as given (
      "productId" bigint, "commissionBp" integer, "netPrices" jsonb
    )`
  await tx`
    with existing as (select product_id from partner_terms where account_id = ${accountId}), wanted as (
      select id, exists (select from existing where product_id is null)
        or id in (select product_id from existing where product_id is not null) as has_terms
      from products where account_id = ${accountId}
    )
    update products set has_partner_terms = has_terms from wanted
    where products.account_id = ${accountId} and products.id = wanted.id and has_partner_terms <> has_terms`
}
