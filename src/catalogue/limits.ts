/** Limits the size of an account's catalogue, because scheduled jobs and pages read the whole catalogue. */
import { problems } from '../http/problems.ts'
import type { Transaction } from '../platform/postgres/database.ts'
import { countCatalogue } from './queries.ts'

/** The most products and schedules of an account. A catalogue file has the same limit of products. */
export const catalogueLimits = { products: 10_000, schedules: 10_000 } as const
export type CataloguePart = keyof typeof catalogueLimits

/** The first part that exceeds its limit; null if no part does. */
export function findExcess(counts: Record<CataloguePart, number>): CataloguePart | null {
  const parts = Object.keys(catalogueLimits) as CataloguePart[]
  return parts.find((part) => counts[part] > catalogueLimits[part]) ?? null
}

/**
 * Throws if the catalogue, with the rows that this transaction has added, exceeds a limit. The caller has
 * locked the account. So, of two concurrent transactions, the second also counts the rows that the first has
 * added.
 * @throws Problem account-limit-reached.
 */
export async function refuseExcess(tx: Transaction, accountId: number): Promise<void> {
  const part = findExcess(await countCatalogue(tx, accountId))
  if (part) throw problems.accountLimitReached(part, catalogueLimits[part])
}
