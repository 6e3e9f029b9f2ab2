/**
 * Applies promotions to baskets and removes them, counts their uses, and reduces the lines of baskets. The
 * callers lock the baskets. applyPromotion() and ensureUse() count uses: their callers lock the promotion,
 * and then the basket. When a basket ends unpaid, src/inventory/ frees its use.
 */
import type { Authorship } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { problems } from '../../http/problems.ts'
import { type Bought, priceOf } from '../../inventory/service.ts'
import { hashAddress } from '../../platform/crypto/address-hash.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import { percentOf } from '../../platform/text/money.ts'
import {
  discountLines,
  isFor,
  type PromotionReason,
  promotionRefusals,
  type ReducibleLine,
  whyNotToday,
  whyNoUse,
} from './model.ts'
import * as queries from './use-queries.ts'

export { findPromotionId, findPromotionOfSale } from './use-queries.ts'

export function promotionRefused(reason: PromotionReason): Error {
  return problems.promotionNotApplicable(reason, promotionRefusals[reason])
}

/**
 * Replaces the promotion of an open basket, takes a use of the new one, and reduces the lines.
 * @param promotionId the locked promotion; null for an unknown code.
 * @throws Problem promotion-not-applicable.
 */
export async function applyPromotion(
  tx: Transaction,
  by: Authorship,
  { basketId, promotionId }: { basketId: number; promotionId: number | null },
): Promise<void> {
  const { accountId } = by
  if (promotionId === null) throw promotionRefused('unknown-code')
  const { email } = await queries.findUse(tx, accountId, basketId)
  const use = { promotionId, basketId, hash: email === null ? null : hashAddress(email) }
  const promotion = await queries.readPromotionWithUses(tx, accountId, use)
  const lines = await queries.listHeldLines(tx, accountId, [basketId])
  const isForSome = lines.some((line) => isFor(promotion, toReducible(line)))
  const reason =
    whyNotToday(promotion, promotion.today) ??
    (isForSome ? null : 'not-for-these-lines') ??
    whyNoUse(promotion, promotion, email !== null)
  if (reason) throw promotionRefused(reason)
  await queries.writeUse(tx, accountId, use)
  await discountBaskets(tx, accountId, [basketId])
  const details = { PromotionID: promotionId }
  await appendEvents(tx, [{ ...by, type: 'basket.promotion-applied', basketId, details }])
}

function toReducible(line: queries.HeldLine): ReducibleLine {
  const { productId, date, currency } = line
  return { productId, date, currency, priceMinor: priceOf(line) }
}

/**
 * Makes sure that a basket has a use of its promotion for its present customer. A basket that expired takes its use
 * again, if the promotion still allows that. The uses of other baskets are counted only if this basket has no use, or
 * if its customer has changed.
 * @returns the reason why the promotion cannot be used, in which case nothing has changed; otherwise null.
 */
export async function ensureUse(
  tx: Transaction,
  accountId: number,
  { id: basketId, promotionId }: { id: number; promotionId: number | null },
): Promise<PromotionReason | null> {
  if (promotionId === null) return null
  const { email, hasUse, customerHash } = await queries.findUse(tx, accountId, basketId)
  const hash = email === null ? null : hashAddress(email)
  if (hasUse && (hash === customerHash || (hash && customerHash?.equals(hash)))) return null
  const use = { promotionId, basketId, hash }
  const promotion = await queries.readPromotionWithUses(tx, accountId, use)
  const reason = hasUse
    ? whyNoUse({ ...promotion, maxUses: null }, promotion, email !== null)
    : (whyNotToday(promotion, promotion.today) ?? whyNoUse(promotion, promotion, email !== null))
  if (!reason) await queries.writeUse(tx, accountId, use)
  return reason
}

export type TakenOff = {
  /**
   * The percentage of the promotion. Null for a booking without a discount or without a promotion, for a
   * promotion of an amount, and if the promotion was changed after the booking was reduced.
   */
  basisPoints: number | null
  /** The reduction at the till, in addition to the percentage; 0 if `basisPoints` is null. */
  reductionMinor: bigint
}

/**
 * Splits the discount of a booking into the percentage of its promotion, which also applies to a new price,
 * and the amount of the reduction at the till, which does not change with the price.
 */
export async function findTakenOff(
  sql: Queryable,
  booking: Bought & { accountId: number; basketId: number; id: number },
): Promise<TakenOff> {
  const nothing = { basisPoints: null, reductionMinor: 0n }
  if (booking.discountMinor === '0') return nothing
  const found = await queries.findPromotionOfBooking(sql, booking.accountId, booking.id)
  if (!found || found.basisPoints === null) return nothing
  const reductionMinor = BigInt(found.reductionMinor)
  const price = priceOf(booking)
  const taken = percentOf(price, found.basisPoints) + reductionMinor
  // The discount of a booking is at most its price.
  const isDiscountOfBoth = (taken < price ? taken : price) === BigInt(booking.discountMinor)
  return isDiscountOfBoth ? { basisPoints: found.basisPoints, reductionMinor } : nothing
}

/** Removes the promotion of an open basket. Its lines have their full price again. */
export async function removePromotion(tx: Transaction, by: Authorship, basketId: number): Promise<void> {
  const { accountId } = by
  await queries.deleteUse(tx, accountId, basketId)
  await discountBaskets(tx, accountId, [basketId])
  await appendEvents(tx, [{ ...by, type: 'basket.promotion-removed', basketId, details: {} }])
}

/**
 * Reduces the lines of open baskets by the present terms of their promotions. Call it after lines were added
 * or removed. A promotion that is valid for none of the lines stays, and reduces nothing.
 */
export async function discountBaskets(
  tx: Transaction,
  accountId: number,
  basketIds: readonly number[],
): Promise<void> {
  const lines = await queries.listHeldLines(tx, accountId, basketIds)
  const promotionIds = new Set(lines.flatMap(({ promotionId }) => promotionId ?? []))
  const promotions =
    promotionIds.size > 0 ? await queries.readPromotions(tx, accountId, [...promotionIds]) : []
  const discounted = basketIds.flatMap((id) => {
    const own = lines.filter(({ basketId }) => basketId === id)
    const promotion = promotions.find((one) => one.id === own[0]?.promotionId)
    const discounts = promotion ? discountLines(promotion, own.map(toReducible)) : []
    return own.map((line, index) => ({ line, discountMinor: discounts[index] ?? 0n }))
  })
  const changed = discounted.filter(({ line, discountMinor }) => BigInt(line.discountMinor) !== discountMinor)
  if (changed.length === 0) return
  await queries.updateDiscounts(
    tx,
    accountId,
    changed.map(({ line: { id }, discountMinor }) => ({ id, discountMinor })),
  )
}
