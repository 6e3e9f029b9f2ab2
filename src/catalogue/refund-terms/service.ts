/** Use cases of refund terms. Each change locks the account, as all changes of products do. */

import { lockAccount } from '../../accounts/service.ts'
import type { Authorship } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { problems } from '../../http/problems.ts'
import { requireVersion } from '../../http/versions.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import { changedEvents } from '../product-events.ts'
import { getProduct } from '../reading.ts'
import { checkRefundTerms, fromSteps, type RefundTerm, toSteps } from '../refund-steps.ts'
import { insertRefundTerms } from './queries.ts'

/** @throws Problem not-found when the account has no such product. */
export async function readRefundTerms(
  sql: Queryable,
  accountId: number,
  productId: number,
): Promise<RefundTerm[]> {
  const { refundTerms } = await getProduct(sql, accountId, productId)
  return fromSteps(refundTerms)
}

/**
 * Replaces a product's refund terms for future bookings.
 * @param seen the version of the terms that the caller has read, if it sends one.
 * @throws Problem not-found; edited-meanwhile; validation for repeated hours, and for a percentage that rises
 * as the start comes nearer.
 */
export async function replaceRefundTerms(
  tx: Transaction,
  by: Authorship,
  { productId, terms, seen }: { productId: number; terms: RefundTerm[]; seen?: string },
): Promise<RefundTerm[]> {
  const { accountId } = by
  await lockAccount(tx, accountId)
  requireVersion(seen, await readRefundTerms(tx, accountId, productId))
  const faults = checkRefundTerms(terms)
  if (faults.length > 0)
    throw problems.validation(
      faults.map(({ index, field, message }) => ({ field: `RefundTerms[${index}].${field}`, message })),
    )
  const changed = await insertRefundTerms(tx, accountId, [{ productId, steps: toSteps(terms) }])
  await appendEvents(
    tx,
    changedEvents(
      by,
      changed.map((id) => ({ id, fields: ['RefundTerms'] })),
    ),
  )
  return readRefundTerms(tx, accountId, productId)
}
