/**
 * Updates the timeslots of a schedule after a change, a few hundred in each transaction, so that bookings on
 * other timeslots do not wait.
 *
 * | `follow_from` | `ending` | remaining work |
 * |---|---|---|
 * | a date | either | update the timeslots from that date on; then do as in the row with null and the same `ending` |
 * | null | false | nothing |
 * | null | true | detach the remaining timeslots, which stay as they are, from the schedule; then delete the schedule |
 *
 * The transaction of the first step also saves the schedule. If the process dies, a step fails or the client
 * disconnects before the last step, the worker takes the remaining steps some minutes later, unless a
 * repeated request takes them first. A repeated creation does so only with the same idempotency key.
 */
import { forEachAccount } from '../../../accounts/each-account.ts'
import { lockAccount } from '../../../accounts/service.ts'
import { type Authorship, theService } from '../../../events/actor.ts'
import { appendEvents } from '../../../events/append.ts'
import { lockPlaces } from '../../../inventory/service.ts'
import type { Sql, Transaction } from '../../../platform/postgres/database.ts'
import { runAgain } from '../../../platform/postgres/run-once.ts'
import { addDays } from '../../../platform/text/calendar.ts'
import { ownPricesChanged } from '../../product-events.ts'
import { listOwnPriced, updateSaleFlags } from '../../sale-flag-queries.ts'
import { deleteSchedules } from '../queries.ts'
import type { TimeslotSummary } from '../timeslot-queries.ts'
import { makeMissing } from './applying.ts'
import type { Effects } from './effects.ts'
import { listTouchableIds } from './queries.ts'
import { reconcile } from './reconcile.ts'
import * as steps from './step-queries.ts'

/** The effects of a change on timeslots. `made` lists only the earliest new timeslots. */
export type ScheduleOutcome = Effects & { made: TimeslotSummary }
export type FollowStep = { outcome: ScheduleOutcome; unfinished: boolean }

/** The most timeslots of each kind that a response lists. */
export const maxNamed = 100

/** About how many timeslots a step locks, and how many it makes. */
const stepSize = 500

const nothing: ScheduleOutcome = {
  ...{ changed: [], removed: [], closed: [], left: [] },
  made: { count: 0, earliest: [] },
}

/**
 * Takes the next step of a schedule. The caller has locked the account. For a deleted schedule, it does
 * nothing.
 */
export async function takeStep(
  tx: Transaction,
  by: Authorship,
  schedule: { id: number; productId: number; horizonDays: number },
): Promise<FollowStep> {
  const { accountId } = by
  const { id, productId, horizonDays } = schedule
  const progress = await steps.findProgress(tx, accountId, id)
  if (!progress) return { outcome: nothing, unfinished: false }
  const { from, ending } = progress
  // A timeslot that now belongs to another schedule, or to none, may have other prices. No event of the
  // timeslot reports this, so an event of the product does.
  const priced = await listOwnPriced(tx, accountId, [productId])
  let outcome = nothing
  let next = from
  if (from !== null) {
    const last = await steps.findStepEnd(
      tx,
      accountId,
      { id, productId, from },
      { size: stepSize, horizonDays },
    )
    const span = { from, to: last ?? 'infinity' }
    const timeslotIds = await listTouchableIds(tx, accountId, { id, productId }, span)
    await lockPlaces(tx, accountId, { timeslotIds })
    const effects = await reconcile(tx, by, { id, productId }, span)
    const made = await makeMissing(tx, by, { scheduleId: id }, horizonDays, span)
    const earliest = made.slice(0, maxNamed).map(({ date, time }) => ({ date, time }))
    outcome = { ...effects, made: { count: made.length, earliest } }
    next = last && addDays(last, 1)
    await steps.saveProgress(tx, accountId, id, next)
  }
  if (outcome.changed.some(({ scheduleId }) => scheduleId !== id))
    await appendEvents(tx, ownPricesChanged(by, priced))
  if (next !== null || !ending) return { outcome, unfinished: next !== null }
  const isEmpty = (await steps.detachTimeslots(tx, accountId, id, stepSize)) < stepSize
  if (isEmpty) await deleteSchedules(tx, accountId, [id])
  await updateSaleFlags(tx, accountId, priced)
  await appendEvents(tx, ownPricesChanged(by, priced))
  return { outcome, unfinished: !isEmpty }
}

/**
 * Takes the remaining steps of schedules for which no step was taken in the last minute, in all accounts.
 * @returns how many schedules it finished.
 * @throws as forEachAccount().
 */
export async function finishSchedules(sql: Sql, horizonDays: number): Promise<number> {
  return forEachAccount(await steps.listUnfollowed(sql), {
    async work({ accountId, id, productId }) {
      const by = { accountId, actor: theService }
      const step = (tx: Transaction) =>
        lockAccount(tx, accountId).then(() => takeStep(tx, by, { id, productId, horizonDays }))
      while ((await runAgain(sql, step)).unfinished);
      return 1
    },
  })
}
