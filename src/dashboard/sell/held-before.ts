/**
 * Finds the places that the form of a page has held before. The address of the page has the idempotency key
 * of its form. If the user goes back to the page and chooses something else, the held line therefore changes,
 * and no further places are held.
 */
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../http/problems.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { findResponse } from '../../platform/postgres/idempotency.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { heldState } from '../../sales/basket/held-version.ts'
import type { BasketView } from '../../sales/basket/schemas.ts'
import { readBasket } from '../../sales/basket/views.ts'
import { onceOf } from '../frame/forms.ts'

/**
 * `Held` is the version of the lines when the form was rendered. Forms for a new line, and forms that an
 * older version of the service rendered, do not send it. For them, the service does not check whether the
 * lines have changed.
 */
export const heldField = { Held: Type.Optional(Type.String({ maxLength: 64 })) }

/** `Key` is the idempotency key of the form on the page. */
export const keySchema = Type.Object({ Key: Type.Optional(Type.String({ pattern: '^[\\w-]{1,64}$' })) })

/** The address of the page with a new key. */
export function withNewKey({ url }: Pick<FastifyRequest, 'url'>): string {
  const { pathname, searchParams } = new URL(url, 'http://here')
  searchParams.set('Key', randomUUID())
  return `${pathname}?${searchParams}`
}

/** The page that changes a held line. */
export function changePath(basketId: number, reference: string): string {
  return `/dashboard/sell/${basketId}/lines/${reference}/change`
}

/**
 * `isUsed`: whether a form with the key has held places. `salePath`: the page of the sale; null if the sale
 * is not open any more. `changePath`: the page that changes the line; null if the sale is not open or the
 * line was removed. `isAsMade`: whether the line is unchanged since the form held it.
 */
export type HeldBefore = {
  isUsed: boolean
  salePath: string | null
  changePath: string | null
  isAsMade: boolean
}

/**
 * Finds the line that this user has held with the key of a form. Without a key, or if none was held, `isUsed`
 * is false.
 */
export async function findHeldBefore(
  sql: Sql,
  request: FastifyRequest,
  key: string | undefined,
): Promise<HeldBefore> {
  const nothing = { isUsed: false, salePath: null, changePath: null, isAsMade: false }
  if (key === undefined) return nothing
  const operations = ['basket.create', 'basket.add-lines'].map((name) => onceOf(request, name).operation)
  const { accountId, userId: apiKeyId } = request.session.user
  const made = (await findResponse(sql, operations, { accountId, apiKeyId, key })) as BasketView | null
  // In the stored response, the line that the form added is the last one.
  const madeLine = made?.Lines.at(-1)
  if (!made || !madeLine) return nothing
  const over = { ...nothing, isUsed: true }
  const basket = await findBasket(sql, accountId, made.BasketID)
  if (basket?.Status !== 'open') return over
  const { BasketID, Lines } = basket
  const { BookingReference } = madeLine
  const line = Lines.find((one) => one.BookingReference === BookingReference && one.Status === 'held')
  return {
    ...{ isUsed: true, salePath: `/dashboard/sell/${BasketID}` },
    changePath: line ? changePath(BasketID, BookingReference) : null,
    isAsMade: line !== undefined && isDeepStrictEqual(heldState([line]), heldState([madeLine])),
  }
}

/**
 * Null if the sale was deleted with the data of test mode. The idempotency keys of such a sale still exist.
 */
async function findBasket(sql: Sql, accountId: number, basketId: number): Promise<BasketView | null> {
  try {
    return await readBasket(sql, accountId, basketId)
  } catch (error) {
    if (error instanceof Problem && error.slug === 'not-found') return null
    throw error
  }
}
