/** The SQL of the terms under which partners sell. */
import type { Fragment, Queryable } from '../platform/postgres/database.ts'
import type { TermsInForce } from './partner-terms.ts'

export type TermsKey = { accountId: number; partnerId: number; productId: number }

/**
 * The terms of a partner for a product, for each key in order: the terms for this product, or else the terms
 * for all products. Null if there are none.
 */
export async function listTermsInForce(
  sql: Queryable,
  keys: readonly TermsKey[],
): Promise<(TermsInForce | null)[]> {
  const rows = await sql<{ terms: TermsInForce | null }[]>`
    select ${termsInForce(sql, { accountId: sql`key.account_id`, partnerId: sql`key.partner_id`, productId: sql`key.product_id` })} as terms
    from unnest(
      ${keys.map(({ accountId }) => accountId)}::bigint[],
      ${keys.map(({ partnerId }) => partnerId)}::bigint[],
      ${keys.map(({ productId }) => productId)}::bigint[]
    ) with ordinality as key (account_id, partner_id, product_id, place)
    order by place`
  return rows.map(({ terms }) => terms)
}

/**
 * The terms of listTermsInForce() as a column. `subject` has the SQL for the account, the partner and the
 * product.
 */
export function termsInForce(sql: Queryable, subject: TermsSubject) {
  return sql`(
      select json_build_object('commissionBp', terms.commission_bp, 'netPrices', terms.net_prices)
      from partner_terms as terms
      where ${selectTermsOf(sql, subject)}
    )`
}

/**
 * The terms of listTermsInForce() for the statement of sellFitting(), as jsonb: a number is a commission, and
 * an object is a list of net prices. For products without terms, they are not looked up.
 */
export function termsOfSale(sql: Queryable) {
  return sql`case when locked.has_partner_terms then (
        select coalesce(terms.net_prices, to_jsonb(terms.commission_bp)) from partner_terms as terms
        where ${selectTermsOf(sql, { accountId: sql`free.account_id`, partnerId: sql`free.partner_id`, productId: sql`locked.product_id` })}
      ) end`
}

type TermsSubject = Record<'accountId' | 'partnerId' | 'productId', Fragment>

/**
 * The end of a query of `partner_terms as terms`, from its condition on: it selects the terms for the
 * product, or else the terms for all products.
 */
function selectTermsOf(sql: Queryable, { accountId, partnerId, productId }: TermsSubject) {
  return sql`terms.account_id = ${accountId} and terms.partner_id = ${partnerId}
          and coalesce(terms.product_id, 0) in (${productId}, 0)
        order by terms.product_id nulls last limit 1`
}

/** The commission in the column `terms`, which must be the result of termsOfSale(); null if there is none. */
export function commissionOfSale(sql: Queryable) {
  return sql`case when jsonb_typeof(terms) = 'number' then terms::integer end`
}

/**
 * The net price in termsOfSale() of one ticket of the default unit; `price_minor` if the terms have no net
 * price for it. Null unless the terms are net prices. The column `unit` is the result of defaultUnitOf().
 */
export function netOfSale(sql: Queryable) {
  return sql`case when jsonb_typeof(terms) = 'object' then
          coalesce((terms ->> (unit ->> 'id'))::bigint, (terms ->> '0')::bigint, price_minor) end`
}
