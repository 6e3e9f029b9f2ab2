/** The use cases of a basket's promotion code: set and remove. */
import type { Authorship } from '../../events/actor.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runAgain } from '../../platform/postgres/run-once.ts'
import { applyPromotion, findPromotionId, removePromotion } from '../promotion/applying.ts'
import { lockOpen } from './locking.ts'
import type { BasketView } from './schemas.ts'
import { readBasket } from './views.ts'

/**
 * Sets the promotion code of an open basket. If the basket already has this code, the code is checked again.
 * @throws Problem not-found, held-by-reseller, basket-not-open, promotion-not-applicable.
 */
export function setPromotion(
  sql: Sql,
  by: Authorship,
  { basketId, code }: { basketId: number; code: string },
): Promise<BasketView> {
  const { accountId } = by
  return runAgain(sql, async (tx) => {
    const promotionId = await findPromotionId(tx, accountId, code)
    const promotionIds = promotionId === null ? [] : [promotionId]
    await lockOpen(tx, accountId, basketId, { promotionIds })
    await applyPromotion(tx, by, { basketId, promotionId })
    return readBasket(tx, accountId, basketId)
  })
}

/**
 * Removes the promotion code of an open basket. Does nothing if there is none.
 * @throws Problem not-found, held-by-reseller, basket-not-open.
 */
export function dropPromotion(sql: Sql, by: Authorship, basketId: number): Promise<BasketView> {
  const { accountId } = by
  return runAgain(sql, async (tx) => {
    const { basket } = await lockOpen(tx, accountId, basketId)
    if (basket.promotionId !== null) await removePromotion(tx, by, basketId)
    return readBasket(tx, accountId, basketId)
  })
}
