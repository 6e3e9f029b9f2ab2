/** How much the catalogue of an account may hold: scheduled jobs and pages go through all of it. */
import { problems } from '../http/problems.ts'
import type { Transaction } from '../platform/postgres/database.ts'
import { countCatalogue } from './queries.ts'

/** As many products as a catalogue file may have. */
export const catalogueLimits = { products: 10_000, schedules: 10_000 } as const
export type CataloguePart = keyof typeof catalogueLimits

/**
 * What an account has too much of, counted with what the transaction has made; null when all is within its limit. The
 * account is locked, so that of two transactions the second counts what the first made.
 */
export async function findExcess(tx: Transaction, accountId: number): Promise<CataloguePart | null> {
  const counts = await countCatalogue(tx, accountId)
  const parts = Object.keys(catalogueLimits) as CataloguePart[]
  return parts.find((part) => counts[part] > catalogueLimits[part]) ?? null
}

/** @throws Problem account-limit-reached for what findExcess() finds. */
export async function refuseExcess(tx: Transaction, accountId: number): Promise<void> {
  const part = await findExcess(tx, accountId)
  if (part) throw problems.accountLimitReached(part, catalogueLimits[part])
}
