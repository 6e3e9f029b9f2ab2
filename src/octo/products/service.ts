/** Reads the product that a reseller names. */
import type { Read } from '../../platform/postgres/replica.ts'
import { octoErrors } from '../errors.ts'
import { parseProductId } from '../model.ts'
import { listOctoProducts, type OctoProduct, type OctoProductFilter } from './queries.ts'

/** @throws Problem when the account has no such product in the shopfront. */
export async function getOctoProduct(
  read: Read,
  { accountId, partnerId }: Pick<OctoProductFilter, 'accountId' | 'partnerId'>,
  productId: string,
  languages: readonly string[] = [],
): Promise<OctoProduct> {
  const activity = parseProductId(productId)
  const [product] =
    activity === null
      ? []
      : await read((sql) => listOctoProducts(sql, { accountId, partnerId, activity, languages }))
  if (!product) throw octoErrors.invalidProductId(productId)
  return product
}
