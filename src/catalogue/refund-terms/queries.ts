/** The SQL that writes refund terms. `productColumns` reads the current terms of a product. */

import type { RefundStep } from '../../inventory/refund-terms.ts'
import type { Transaction } from '../../platform/postgres/database.ts'

export type ProductTerms = { productId: number; steps: RefundStep[] }

/**
 * Sets the refund terms of products for future bookings, if they differ from the current terms. Returns the
 * ids of the changed products. The terms begin when the statement runs, not when the transaction began, so
 * that a change that waited for the lock of the account does not apply to bookings that were sold meanwhile.
 */
export async function insertRefundTerms(
  tx: Transaction,
  accountId: number,
  terms: readonly ProductTerms[],
): Promise<number[]> {
  const changed = await tx<{ id: number }[]>`
    with given as (
      select products.id, given.steps
      from jsonb_to_recordset(${tx.json([...terms])}) as given ("productId" bigint, steps jsonb)
      join products on products.account_id = ${accountId} and products.id = given."productId"
      where given.steps is distinct from coalesce((
        select existing.steps from refund_terms as existing
        where existing.account_id = products.account_id and existing.product_id = products.id
        order by since desc limit 1
      ), '[]')
    ), added as (
      insert into refund_terms (account_id, product_id, since, steps)
      select ${accountId}, id, app_now() + (clock_timestamp() - now()), steps from given
    )
    update products set updated_at = now() from given
    where products.account_id = ${accountId} and products.id = given.id
    returning products.id`
  return changed.map(({ id }) => id)
}
