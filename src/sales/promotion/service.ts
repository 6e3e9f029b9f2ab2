/** Use cases of promotions for their operator: make, change and read them. */
import type { Authorship } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { readPage, readPosition } from '../../http/paging.ts'
import { problems } from '../../http/problems.ts'
import { requireVersion } from '../../http/versions.ts'
import type { Queryable, Sql, Transaction } from '../../platform/postgres/database.ts'
import type { FieldError } from '../../platform/schema/validation.ts'
import * as queries from './queries.ts'
import type { NewPromotionRequest, PromotionChange, PromotionsQuery, PromotionView } from './schemas.ts'
import { changedPromotionFields, promotionState, promotionView, readPromotion, unlimited } from './views.ts'

/**
 * Promotions in the order of their ids. `next` is the cursor of the next page, or null.
 * @throws Problem validation for an invalid cursor.
 */
export async function browsePromotions(
  sql: Sql,
  accountId: number,
  { Code, Active, Limit, Cursor }: PromotionsQuery,
): Promise<{ promotions: PromotionView[]; next: string | null }> {
  const [after] = readPosition(Cursor, ['number']) ?? [0]
  const filter = { code: Code, active: Active && Active === 'true', after }
  const { rows, next } = await readPage(
    Limit,
    (limit) => queries.listPromotions(sql, accountId, { ...filter, limit }),
    ({ id }) => [id],
  )
  return { promotions: rows.map(promotionView), next }
}

/** @throws Problem not-found when the account has no such promotion. */
export async function readOnePromotion(
  sql: Queryable,
  accountId: number,
  id: number,
): Promise<PromotionView> {
  const promotion = await queries.findPromotion(sql, accountId, id)
  if (!promotion) throw problems.promotionNotFound()
  return promotionView(promotion)
}

/** @throws Problem validation, promotion-code-taken. */
export async function createPromotion(
  tx: Transaction,
  by: Authorship,
  request: NewPromotionRequest,
): Promise<PromotionView> {
  const { accountId } = by
  const promotion = await check(tx, accountId, request, readPromotion(request, null, unlimited))
  const code = request.Code.toUpperCase()
  const id = await queries.insertPromotion(tx, accountId, { ...promotion, code })
  if (id === null) throw problems.promotionCodeTaken(code)
  await appendEvents(tx, [{ ...by, type: 'promotion.made', details: { PromotionID: id } }])
  return readOnePromotion(tx, accountId, id)
}

type PromotionEdit = {
  id: number
  request: PromotionChange
  /** The version of promotionState() that the caller has read, if it sends one. */
  seen?: string
  /**
   * Whether the request describes the whole promotion: it must have the terms, and a limit that it leaves out
   * is removed.
   */
  isWhole?: boolean
}

/**
 * Changes the given fields of a promotion, or ends it. Baskets keep their reduction until their lines change.
 * @throws Problem validation, not-found, edited-meanwhile.
 */
export async function changePromotion(
  tx: Transaction,
  by: Authorship,
  { id, request, seen, isWhole = false }: PromotionEdit,
): Promise<PromotionView> {
  const { accountId } = by
  const existing = await queries.lockPromotion(tx, accountId, id)
  if (!existing) throw problems.promotionNotFound()
  const before = await readOnePromotion(tx, accountId, id)
  requireVersion(seen, promotionState(before))
  const read = isWhole
    ? readPromotion(request, null, { ...unlimited, active: existing.active })
    : readPromotion(request, existing, existing)
  const promotion = await check(tx, accountId, request, read)
  await queries.updatePromotion(tx, accountId, id, promotion)
  const after = await readOnePromotion(tx, accountId, id)
  const details = { PromotionID: id, Fields: changedPromotionFields(before, after) }
  if (details.Fields.length > 0) await appendEvents(tx, [{ ...by, type: 'promotion.changed', details }])
  return after
}

async function check(
  tx: Transaction,
  accountId: number,
  { ProductIDs }: PromotionChange,
  { promotion, errors }: { promotion: queries.PromotionInput | null; errors: FieldError[] },
): Promise<queries.PromotionInput> {
  const unknown = await queries.listUnknownProducts(tx, accountId, ProductIDs ?? [])
  const ofProducts = unknown.map((id): FieldError => {
    return { field: `ProductIDs[${ProductIDs!.indexOf(id)}]`, message: 'is not a product of this account' }
  })
  if (!promotion || errors.length + ofProducts.length > 0)
    throw problems.validation([...errors, ...ofProducts])
  return promotion
}
