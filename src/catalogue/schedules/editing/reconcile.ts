/** Brings the timeslots of a schedule in line with it, as far as nobody has touched them. */
import type { Authorship } from '../../../events/actor.ts'
import { appendEvents } from '../../../events/append.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import { changeEvents, removedEvents } from '../../timeslots/events.ts'
import { decideEffects, type Effects } from './effects.ts'
import { findSchedule, listStanding, writeEffects } from './queries.ts'

/** For a schedule as it is written, or null for one that is about to go. The caller has locked its timeslots. */
export async function reconcile(
  tx: Transaction,
  by: Authorship,
  { id, productId, isGoing = false }: { id: number; productId: number; isGoing?: boolean },
): Promise<Effects> {
  const { accountId } = by
  const pattern = isGoing ? null : await findSchedule(tx, accountId, { id, productId })
  const standing = await listStanding(tx, accountId, { id, productId, pattern })
  const effects = decideEffects(id, standing)
  const { removed, changed } = await writeEffects(tx, accountId, effects)
  await appendEvents(tx, [...removedEvents(by, removed), ...changeEvents(by, changed)])
  return effects
}
