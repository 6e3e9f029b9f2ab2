/**
 * Use cases of partner terms. Only the operator reads them; a partner sees the amounts of its own bookings.
 */
import { isDeepStrictEqual } from 'node:util'
import { lockAccount } from '../../accounts/service.ts'
import type { Authorship } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { problems } from '../../http/problems.ts'
import { requireVersion } from '../../http/versions.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import { checkTerms, fromTermRow, toTermRows, withoutGoneUnits } from './model.ts'
import * as queries from './queries.ts'
import type { PartnerTerm } from './schemas.ts'

/** @throws Problem not-found when the account has no such partner. */
export async function readPartnerTerms(
  sql: Queryable,
  accountId: number,
  partnerId: number,
): Promise<PartnerTerm[]> {
  if (!(await queries.findPartner(sql, accountId, partnerId))) throw problems.partnerNotFound()
  return (await queries.listTerms(sql, accountId, partnerId)).map(fromTermRow)
}

type TermChange = {
  partnerId: number
  productId: number | null
  /** The new terms; null to delete the existing ones. */
  term: PartnerTerm | null
  /** The version of all terms of the partner that the caller has read, if it sends one. */
  seen?: string
}

/**
 * Changes the terms of a partner for one product, or, if `productId` is null, for all products without own
 * terms. The partner's other terms stay, but lose the net prices of units that are no longer sold.
 * @throws Problem, as replacePartnerTerms(). In the errors, `term` is `Terms[0]`.
 */
export async function changePartnerTerm(
  tx: Transaction,
  by: Authorship,
  { partnerId, productId, term, ...version }: TermChange,
): Promise<PartnerTerm[]> {
  const { accountId } = by
  await lockAccount(tx, accountId)
  const existing = await readPartnerTerms(tx, accountId, partnerId)
  const others = existing.filter(({ ProductID }) => ProductID !== productId)
  const products = await readProducts(tx, accountId, others)
  const kept = others.map((other) => withoutGoneUnits(other, products))
  return replacePartnerTerms(tx, by, { partnerId, terms: term ? [term, ...kept] : kept, ...version })
}

/**
 * Replaces a partner's terms for future bookings.
 * @param seen the version of the terms that the caller has read, if it sends one.
 * @throws Problem not-found; edited-meanwhile; validation for a product that is unknown or repeated, for
 * terms with both or neither of a commission and net prices, for net prices without a product, and for net
 * prices that do not fit the product's units and currency.
 */
export async function replacePartnerTerms(
  tx: Transaction,
  by: Authorship,
  { partnerId, terms, seen }: { partnerId: number; terms: PartnerTerm[]; seen?: string },
): Promise<PartnerTerm[]> {
  const { accountId } = by
  await lockAccount(tx, accountId)
  const existing = await readPartnerTerms(tx, accountId, partnerId)
  requireVersion(seen, existing)
  const products = await readProducts(tx, accountId, terms)
  const errors = checkTerms(terms, products)
  if (errors.length > 0) throw problems.validation(errors)
  await queries.replaceTerms(tx, accountId, partnerId, toTermRows(terms, products))
  const replaced = await readPartnerTerms(tx, accountId, partnerId)
  if (!isDeepStrictEqual(replaced, existing))
    await appendEvents(tx, [{ ...by, type: 'partner-terms.changed', details: { PartnerID: partnerId } }])
  return replaced
}

async function readProducts(tx: Transaction, accountId: number, terms: readonly PartnerTerm[]) {
  const ids = terms.flatMap(({ ProductID }) => ProductID ?? [])
  const products = await queries.listPricedProducts(tx, accountId, ids)
  return new Map(products.map((product) => [product.id, product]))
}
