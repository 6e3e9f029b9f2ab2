/** The size limits of an account's catalogue: scheduled jobs and pages read all of it. */
import { problems } from '../http/problems.ts'
import type { Transaction } from '../platform/postgres/database.ts'
import { countCatalogue } from './queries.ts'

/** As many products as a catalogue file may have. */
export const catalogueLimits = { products: 10_000, schedules: 10_000 } as const
export type CataloguePart = keyof typeof catalogueLimits

/** The part that exceeds its limit; null when none does. */
export function findExcess(counts: Record<CataloguePart, number>): CataloguePart | null {
  const parts = Object.keys(catalogueLimits) as CataloguePart[]
  return parts.find((part) => counts[part] > catalogueLimits[part]) ?? null
}

/**
 * Throws if the catalogue exceeds a limit, including what this transaction has added. The caller has locked the
 * account, so the second of two transactions also counts what the first added.
 * @throws Problem account-limit-reached.
 */
export async function refuseExcess(tx: Transaction, accountId: number): Promise<void> {
  const part = findExcess(await countCatalogue(tx, accountId))
  if (part) throw problems.accountLimitReached(part, catalogueLimits[part])
}
