/** How much the catalogue of an account may hold: scheduled jobs and pages go through all of it. */
import { problems } from '../http/problems.ts'
import type { Transaction } from '../platform/postgres/database.ts'
import { countCatalogue } from './queries.ts'

/** As many products as a catalogue file may have. */
export const catalogueLimits = { products: 10_000, schedules: 10_000 } as const
export type CataloguePart = keyof typeof catalogueLimits

/** The part of which there are too many; null when each is within its limit. */
export function findExcess(counts: Record<CataloguePart, number>): CataloguePart | null {
  const parts = Object.keys(catalogueLimits) as CataloguePart[]
  return parts.find((part) => counts[part] > catalogueLimits[part]) ?? null
}

/**
 * Counts with what the transaction has made. The account is locked, so that of two transactions the second counts what
 * the first made.
 * @throws Problem account-limit-reached.
 */
export async function refuseExcess(tx: Transaction, accountId: number): Promise<void> {
  const part = findExcess(await countCatalogue(tx, accountId))
  if (part) throw problems.accountLimitReached(part, catalogueLimits[part])
}
