/**
 * Finds what the form of a page has held before. The address of the page has the key of its form, so that the page is known
 * when the browser goes back to it: what is then chosen changes the line, and holds no further places.
 */
import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Sql } from '../../platform/postgres/database.ts'
import { findResponse } from '../../platform/postgres/idempotency.ts'
import { Type } from '../../platform/schema/typebox.ts'
import type { BasketView } from '../../sales/basket/schemas.ts'
import { readBasket } from '../../sales/basket/views.ts'
import { onceOf } from '../frame/forms.ts'

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

/** `path` is where to change it: the page of the line, or of the sale if the line was removed. Null of a sale that is over. */
export type HeldBefore = { isUsed: boolean; path: string | null }

/** What this user has held with the key of a form. */
export async function findHeldBefore(
  sql: Sql,
  request: FastifyRequest,
  key: string | undefined,
): Promise<HeldBefore> {
  const nothing = { isUsed: false, path: null }
  if (key === undefined) return nothing
  const operations = ['basket.create', 'basket.add-lines'].map((name) => onceOf(request, name).operation)
  const { accountId, userId: apiKeyId } = request.session.user
  const made = (await findResponse(sql, operations, { accountId, apiKeyId, key })) as BasketView | null
  // The response to the key lists the new line last.
  const reference = made?.Lines.at(-1)?.BookingReference
  if (!made || reference === undefined) return nothing
  const { BasketID, Status, Lines } = await readBasket(sql, accountId, made.BasketID)
  if (Status !== 'open') return { isUsed: true, path: null }
  const isHeld = Lines.some((line) => line.BookingReference === reference && line.Status === 'held')
  return { isUsed: true, path: isHeld ? changePath(BasketID, reference) : `/dashboard/sell/${BasketID}` }
}
