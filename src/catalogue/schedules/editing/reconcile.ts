/** Brings the timeslots of a schedule in line with it, as far as nobody has touched them. */
import type { Transaction } from '../../../platform/postgres/database.ts'
import { decideEffects, type Effects } from './effects.ts'
import { findSchedule, listStanding, writeEffects } from './queries.ts'

/** For a schedule as it is written, or null for one that is about to go. The caller has locked its timeslots. */
export async function reconcile(
  tx: Transaction,
  accountId: number,
  { id, productId, isGoing = false }: { id: number; productId: number; isGoing?: boolean },
): Promise<Effects> {
  const pattern = isGoing ? null : await findSchedule(tx, accountId, { id, productId })
  const standing = await listStanding(tx, accountId, { id, productId, pattern })
  const effects = decideEffects(id, standing)
  await writeEffects(tx, accountId, effects)
  return effects
}
