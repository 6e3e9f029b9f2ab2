/** Updates the timeslots of a changed schedule, except those that stay as they are (see decideEffects()). */
import type { Authorship } from '../../../events/actor.ts'
import { appendEvents } from '../../../events/append.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import { changeEvents, removedEvents } from '../../timeslots/events.ts'
import { allDates, type DateSpan } from '../timeslot-queries.ts'
import { decideEffects, type Effects } from './effects.ts'
import { findSchedule, listExistingTimeslots, writeEffects } from './queries.ts'

/**
 * Makes the timeslots on the dates of `span` match the saved schedule, and writes their events. The caller
 * has locked the timeslots.
 */
export async function reconcile(
  tx: Transaction,
  by: Authorship,
  { id, productId }: { id: number; productId: number },
  span: DateSpan = allDates,
): Promise<Effects> {
  const { accountId } = by
  const pattern = await findSchedule(tx, accountId, { id, productId })
  const existing = await listExistingTimeslots(tx, accountId, { id, productId, pattern }, span)
  const effects = decideEffects(id, existing)
  const { removed, changed } = await writeEffects(tx, accountId, effects)
  await appendEvents(tx, [...removedEvents(by, removed), ...changeEvents(by, changed)])
  return effects
}
