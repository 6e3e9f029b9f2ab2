/**
 * What baskets do with promotions: they take a code, keep its use, and give it up; and their lines are reduced. Every
 * basket here is locked, and before it the promotion wherever uses are counted. The use of a basket that ends unpaid is
 * given back by src/inventory/.
 */
import type { Authorship } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { problems } from '../../http/problems.ts'
import { priceOf } from '../../inventory/service.ts'
import { hashAddress } from '../../platform/crypto/address-hash.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
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

export { findCodeOfSale, findPromotionId } from './use-queries.ts'

export function promotionRefused(reason: PromotionReason): Error {
  return problems.promotionNotApplicable(reason, promotionRefusals[reason])
}

/**
 * Gives an open basket a promotion instead of the one it has, with a use of it, and reduces its lines.
 * @param promotionId of the locked promotion; null for a code that the account does not have.
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
  const promotion = await queries.readUses(tx, accountId, use)
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
 * Makes sure that a basket has a use of its promotion, by the customer that it has now: one that ran out of time takes
 * its use again, as the promotion allows today. What other baskets use up is counted only for what is new.
 * @returns why the promotion cannot be used, if so; then nothing has changed.
 */
export async function keepUse(
  tx: Transaction,
  accountId: number,
  { id: basketId, promotionId }: { id: number; promotionId: number | null },
): Promise<PromotionReason | null> {
  if (promotionId === null) return null
  const { email, hasUse, customerHash } = await queries.findUse(tx, accountId, basketId)
  const hash = email === null ? null : hashAddress(email)
  if (hasUse && (hash === customerHash || (hash && customerHash?.equals(hash)))) return null
  const use = { promotionId, basketId, hash }
  const promotion = await queries.readUses(tx, accountId, use)
  const reason = hasUse
    ? whyNoUse({ ...promotion, maxUses: null }, promotion, email !== null)
    : (whyNotToday(promotion, promotion.today) ?? whyNoUse(promotion, promotion, email !== null))
  if (!reason) await queries.writeUse(tx, accountId, use)
  return reason
}

/** Takes the promotion from an open basket, whose lines cost their full price again. */
export async function removePromotion(tx: Transaction, by: Authorship, basketId: number): Promise<void> {
  const { accountId } = by
  await queries.deleteUse(tx, accountId, basketId)
  await discountBaskets(tx, accountId, [basketId])
  await appendEvents(tx, [{ ...by, type: 'basket.promotion-removed', basketId, details: {} }])
}

/**
 * Reduces the lines of open baskets by their promotions as these are now: after lines came or went. A promotion that is
 * for none of the lines stays, and takes nothing off.
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
