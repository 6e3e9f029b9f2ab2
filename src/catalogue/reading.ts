/** Reads a product that must exist. */
import { problems } from '../http/problems.ts'
import type { Queryable } from '../platform/postgres/database.ts'
import { findProduct, type Product } from './queries.ts'

/** @throws Problem not-found. */
export async function getProduct(sql: Queryable, accountId: number, id: number): Promise<Product> {
  const product = await findProduct(sql, accountId, id)
  if (!product) throw problems.productUnknown()
  return product
}
